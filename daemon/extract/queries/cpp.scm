(class_specifier name: [
  (type_identifier) @name
  (template_type name: (_) @name)
  (qualified_identifier name: [(type_identifier) @name (template_type name: (_) @name)])
  (qualified_identifier name: (qualified_identifier name: (type_identifier) @name))
] body: (_)) @definition.class
(struct_specifier name: [
  (template_type name: (_) @name)
  (qualified_identifier name: [(type_identifier) @name (template_type name: (_) @name)])
  (qualified_identifier name: (qualified_identifier name: (type_identifier) @name))
] body: (_)) @definition.struct
(namespace_definition name: (_) @name) @definition.namespace
(alias_declaration name: (_) @name) @definition.type
(concept_definition name: (_) @name) @definition.type
(field_declaration_list [
  (field_declaration declarator: (function_declarator declarator: (_) @name))
  (field_declaration declarator: (_ (function_declarator declarator: (_) @name)))
  (declaration declarator: (function_declarator declarator: (_) @name))
  (function_definition declarator: (function_declarator declarator: (_) @name))
  (function_definition declarator: (_ (function_declarator declarator: (_) @name)))
] @definition.method)
(function_definition declarator: [
  (function_declarator declarator: (qualified_identifier name: [(identifier) (destructor_name) (operator_name) (operator_cast)] @name))
  (function_declarator declarator: (qualified_identifier name: (qualified_identifier name: [(identifier) (destructor_name) (operator_name)] @name)))
  (function_declarator declarator: (qualified_identifier name: (qualified_identifier name: (qualified_identifier name: (_) @name))))
  (_ (function_declarator declarator: (qualified_identifier name: [(identifier) (operator_name)] @name)))
  (_ (function_declarator declarator: (qualified_identifier name: (qualified_identifier name: (identifier) @name))))
]) @definition.method
(function_definition declarator: (reference_declarator (function_declarator declarator: (_) @name))) @definition.function
(function_definition declarator: (function_declarator declarator: (operator_name) @name)) @definition.function
(declaration_list (declaration declarator: (init_declarator declarator: (identifier) @name)) @definition.variable)

(base_class_clause [(type_identifier) @name (qualified_identifier) @name (template_type name: (_) @name)] @reference.base)
(call_expression function: (qualified_identifier scope: (_) @receiver name: (identifier) @name)) @reference.call
(call_expression function: (qualified_identifier name: (qualified_identifier) @name)) @reference.call
(call_expression function: (qualified_identifier scope: (_) @receiver name: (template_function name: (_) @name))) @reference.call
(call_expression function: (template_function name: (_) @name)) @reference.call
(new_expression type: [(type_identifier) @name (qualified_identifier) @name (template_type name: (_) @name)]) @reference.call

(using_declaration) @import.cpp
