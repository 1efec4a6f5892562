(class_declaration name: (_) @name) @definition.class
(record_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(annotation_type_declaration name: (_) @name) @definition.interface
(enum_declaration name: (_) @name) @definition.enum
(enum_constant name: (_) @name) @definition.constant
(method_declaration name: (_) @name) @definition.method
(constructor_declaration name: (_) @name) @definition.method
(compact_constructor_declaration name: (_) @name) @definition.method
(annotation_type_element_declaration name: (_) @name) @definition.method
(field_declaration declarator: (variable_declarator name: (_) @name)) @definition.property
(constant_declaration declarator: (variable_declarator name: (_) @name)) @definition.constant

(superclass [(type_identifier) @name (scoped_type_identifier) @name (generic_type . (_) @name)] @reference.base)
(super_interfaces (type_list [(type_identifier) @name (scoped_type_identifier) @name (generic_type . (_) @name)] @reference.base))
(extends_interfaces (type_list [(type_identifier) @name (scoped_type_identifier) @name (generic_type . (_) @name)] @reference.base))
(method_invocation !object name: (_) @name) @reference.call
(method_invocation object: (_) @receiver name: (_) @name) @reference.call
(method_reference . (_) @receiver (identifier) @name .) @reference.call
(object_creation_expression type: [(type_identifier) @name (scoped_type_identifier) @name (generic_type . (_) @name)]) @reference.call
(marker_annotation name: (_) @name) @reference.call
(annotation name: (_) @name) @reference.call
(type_identifier) @name @reference.type

(import_declaration) @import.java
(package_declaration) @import.package
