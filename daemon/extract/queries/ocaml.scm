(value_definition (let_binding pattern: (value_name) @name)) @definition.function
(type_definition (type_binding name: (_) @name)) @definition.type
(module_definition (module_binding name: (_) @name)) @definition.module
(open_module (module_path) @name) @import.module
(application_expression function: (value_path (value_name) @name)) @reference.call
