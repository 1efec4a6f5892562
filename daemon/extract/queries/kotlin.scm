(class_declaration "interface" name: (_) @name) @definition.interface
(class_declaration (modifiers (class_modifier) @only) name: (_) @name (#set! only "enum")) @definition.enum
(class_declaration name: (_) @name) @definition.class
(object_declaration name: (_) @name) @definition.class
(companion_object name: (_) @name) @definition.class
(enum_entry . (identifier) @name) @definition.constant
(type_alias type: (_) @name) @definition.type
(function_declaration name: (_) @name) @definition.function
(source_file (property_declaration (variable_declaration . (identifier) @name)) @definition.variable)
(class_body (property_declaration (variable_declaration . (identifier) @name)) @definition.property)
(class_parameter ["val" "var"] (identifier) @name) @definition.property

(delegation_specifier [(user_type . (identifier) @name) (constructor_invocation (user_type . (identifier) @name))] @reference.base)
(call_expression . (identifier) @name) @reference.call
(call_expression . (navigation_expression . (_) @receiver (identifier) @name .)) @reference.call
(annotation [(user_type . (identifier) @name) (constructor_invocation (user_type . (identifier) @name))]) @reference.call
(user_type . (identifier) @name) @reference.type

(import) @import.kotlin
(package_header) @import.package
