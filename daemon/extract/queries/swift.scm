(class_declaration declaration_kind: "struct" name: (_) @name) @definition.struct
(class_declaration declaration_kind: "enum" name: (_) @name) @definition.enum
(class_declaration declaration_kind: "extension" name: (user_type . (type_identifier) @name)) @definition.namespace
(class_declaration name: (_) @name) @definition.class
(protocol_declaration name: (_) @name) @definition.interface
(enum_entry name: (simple_identifier) @name @definition.constant)
(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (_) @name) @definition.type
(class_body [
  (function_declaration name: (simple_identifier) @name)
  (init_declaration "init" @name)
] @definition.method)
(enum_class_body [
  (function_declaration name: (simple_identifier) @name)
  (init_declaration "init" @name)
] @definition.method)
(function_declaration name: (simple_identifier) @name) @definition.function
(protocol_function_declaration name: (simple_identifier) @name) @definition.method
(protocol_property_declaration name: (pattern (simple_identifier) @name)) @definition.property
(source_file (property_declaration name: (pattern (simple_identifier) @name)) @definition.variable)
(class_body (property_declaration name: (pattern (simple_identifier) @name)) @definition.property)
(enum_class_body (property_declaration name: (pattern (simple_identifier) @name)) @definition.property)

(inheritance_specifier inherits_from: (user_type . (type_identifier) @name)) @reference.base
(call_expression . (simple_identifier) @name) @reference.call
(call_expression . (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @name))) @reference.call
(attribute (user_type (type_identifier) @name)) @reference.call
(user_type . (type_identifier) @name) @reference.type

(import_declaration) @import.swift
