(export_statement decorator: (decorator) declaration: (abstract_class_declaration name: (_) @name) @definition.class) @outer
(abstract_class_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(type_alias_declaration name: (_) @name) @definition.type
(enum_declaration name: (_) @name) @definition.enum
(internal_module name: (_) @name) @definition.namespace
(module name: (_) @name) @definition.namespace
(function_signature name: (_) @name) @definition.function
(method_signature name: (_) @name) @definition.method
(abstract_method_signature name: (_) @name) @definition.method
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @definition.method
(public_field_definition name: (_) @name) @definition.property
(property_signature name: (_) @name) @definition.property

(extends_clause value: (_) @name @reference.base)
(implements_clause (type_identifier) @name @reference.base)
(implements_clause (generic_type name: (_) @name @reference.base))
(extends_type_clause (type_identifier) @name @reference.base)
(extends_type_clause (generic_type name: (_) @name @reference.base))
(type_annotation (type_identifier) @name @reference.type)
(type_annotation (generic_type name: (_) @name @reference.type))
(type_arguments (type_identifier) @name @reference.type)
(array_type (type_identifier) @name @reference.type)
(union_type (type_identifier) @name @reference.type)
(as_expression (type_identifier) @name @reference.type)
