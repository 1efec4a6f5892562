(left_assignment name: (identifier) @name value: (function_definition)) @definition.function
(equals_assignment name: (identifier) @name value: (function_definition)) @definition.function
(call function: (identifier) @only arguments: (arguments . (identifier) @name) (#set! only "library|require")) @import.module
(call function: (identifier) @name) @reference.call
