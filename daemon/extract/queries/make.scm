(rule (targets (word) @name @only) (#set! only "(?!\\.[A-Z]).*")) @definition.target
(variable_assignment name: (word) @name) @definition.variable
(define_directive name: (word) @name) @definition.macro

(prerequisites (word) @name) @reference.name
(function_call function: (_) @name) @reference.call
(include_directive) @import.make
