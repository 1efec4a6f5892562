(class_definition name: (_) @name) @definition.class
(object_definition name: (_) @name) @definition.class
(trait_definition name: (_) @name) @definition.trait
(enum_definition name: (_) @name) @definition.enum
(simple_enum_case name: (_) @name) @definition.constant
(full_enum_case name: (_) @name) @definition.constant
(type_definition name: (_) @name) @definition.type
(function_definition name: (_) @name) @definition.function
(function_declaration name: (_) @name) @definition.function
(given_definition name: (_) @name) @definition.variable
(template_body (val_definition pattern: (identifier) @name) @definition.property)
(template_body (var_definition pattern: (identifier) @name) @definition.property)
(template_body (val_declaration name: (_) @name) @definition.property)
(compilation_unit (val_definition pattern: (identifier) @name) @definition.variable)

(extends_clause [(type_identifier) @name (generic_type . (_) @name)] @reference.base)
(call_expression function: (identifier) @name) @reference.call
(call_expression function: (field_expression value: (_) @receiver field: (_) @name)) @reference.call
(call_expression function: (generic_function function: (identifier) @name)) @reference.call
(instance_expression . [(type_identifier) @name (generic_type type: (_) @name)]) @reference.call
(annotation name: (_) @name) @reference.call
(type_identifier) @name @reference.type

(import_declaration) @import.scala
(package_clause) @import.package
