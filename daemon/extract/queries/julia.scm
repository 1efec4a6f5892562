(module_definition name: (_) @name) @definition.module
(struct_definition name: (_) @name) @definition.struct
(function_definition name: (_) @name) @definition.function
(import_statement (identifier) @name) @import.module
(call_expression . (identifier) @name) @reference.call
