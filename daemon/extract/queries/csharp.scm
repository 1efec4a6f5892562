(class_declaration name: (_) @name) @definition.class
(record_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(struct_declaration name: (_) @name) @definition.struct
(enum_declaration name: (_) @name) @definition.enum
(enum_member_declaration name: (_) @name) @definition.constant
(delegate_declaration name: (_) @name) @definition.type
(namespace_declaration name: (_) @name) @definition.namespace
(file_scoped_namespace_declaration name: (_) @name) @definition.namespace
(method_declaration name: (_) @name) @definition.method
(constructor_declaration name: (_) @name) @definition.method
(destructor_declaration name: (_) @name) @definition.method
(local_function_statement name: (_) @name) @definition.function
(property_declaration name: (_) @name) @definition.property
(event_declaration name: (_) @name) @definition.property
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @definition.property
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @definition.property

(base_list [(identifier) @name (qualified_name) @name (generic_name . (identifier) @name) (primary_constructor_base_type type: (_) @name)] @reference.base)
(invocation_expression function: (identifier) @name) @reference.call
(invocation_expression function: (generic_name . (identifier) @name)) @reference.call
(invocation_expression function: (member_access_expression expression: (_) @receiver name: [(identifier) @name (generic_name . (identifier) @name)])) @reference.call
(object_creation_expression type: [(identifier) @name (qualified_name) @name (generic_name . (identifier) @name)]) @reference.call
(attribute name: (_) @name) @reference.call
(parameter type: [(identifier) @name (generic_name . (identifier) @name) (nullable_type type: (identifier) @name)] @reference.type)
(method_declaration returns: [(identifier) @name (generic_name . (identifier) @name)] @reference.type)
(property_declaration type: [(identifier) @name (generic_name . (identifier) @name)] @reference.type)
(variable_declaration type: [(identifier) @name (generic_name . (identifier) @name)] @reference.type)
(type_argument_list (identifier) @name @reference.type)

(using_directive) @import.csharp
