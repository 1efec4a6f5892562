(function_declaration name: (_) @name) @definition.function
(method_declaration name: (_) @name) @definition.method
(type_spec name: (_) @name type: (struct_type)) @definition.struct
(type_spec name: (_) @name type: (interface_type)) @definition.interface
(type_spec name: (_) @name) @definition.type
(type_alias name: (_) @name) @definition.type
(method_elem name: (_) @name) @definition.method
(field_declaration name: (_) @name) @definition.property
(source_file (const_declaration (const_spec name: (identifier) @name) @definition.constant))
(source_file (var_declaration (var_spec name: (identifier) @name) @definition.variable))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.variable)))

(field_declaration !name type: [(type_identifier) @name (qualified_type package: (_) @receiver name: (_) @name)] @reference.base)
(type_elem [(type_identifier) @name (qualified_type package: (_) @receiver name: (_) @name)] @reference.base)
(call_expression function: (identifier) @name) @reference.call
(call_expression function: (selector_expression operand: (_) @receiver field: (_) @name)) @reference.call
(composite_literal type: [(type_identifier) @name (qualified_type package: (_) @receiver name: (_) @name)]) @reference.call
(qualified_type package: (_) @receiver name: (_) @name) @reference.type
(type_identifier) @name @reference.type

(import_spec) @import.go
(package_clause) @import.package
