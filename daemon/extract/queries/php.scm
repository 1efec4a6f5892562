(class_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(trait_declaration name: (_) @name) @definition.trait
(enum_declaration name: (_) @name) @definition.enum
(enum_case name: (_) @name) @definition.constant
(function_definition name: (_) @name) @definition.function
(method_declaration name: (_) @name) @definition.method
(property_declaration (property_element name: (variable_name (name) @name))) @definition.property
(property_promotion_parameter name: (variable_name (name) @name)) @definition.property
(const_declaration (const_element . (name) @name)) @definition.constant

(base_clause [(name) (qualified_name)] @name @reference.base)
(class_interface_clause [(name) (qualified_name)] @name @reference.base)
(use_declaration [(name) (qualified_name)] @name @reference.base)
(function_call_expression function: [(name) (qualified_name)] @name) @reference.call
(member_call_expression object: (_) @receiver name: (_) @name) @reference.call
(nullsafe_member_call_expression object: (_) @receiver name: (_) @name) @reference.call
(scoped_call_expression scope: (_) @receiver name: (_) @name) @reference.call
(object_creation_expression [(name) (qualified_name)] @name) @reference.call
(named_type [(name) (qualified_name)] @name @reference.type)

(namespace_definition) @import.package
(namespace_use_declaration) @import.php
(require_expression) @import.phpfile
(require_once_expression) @import.phpfile
(include_expression) @import.phpfile
(include_once_expression) @import.phpfile
