(impl_item body: (declaration_list (function_item name: (_) @name) @definition.method))
(trait_item body: (declaration_list [(function_item name: (_) @name) (function_signature_item name: (_) @name)] @definition.method))
(function_item name: (_) @name) @definition.function
(function_signature_item name: (_) @name) @definition.function
(struct_item name: (_) @name) @definition.struct
(union_item name: (_) @name) @definition.struct
(enum_item name: (_) @name) @definition.enum
(enum_variant name: (_) @name) @definition.constant
(trait_item name: (_) @name) @definition.trait
(type_item name: (_) @name) @definition.type
(associated_type name: (_) @name) @definition.type
(impl_item type: [(type_identifier) @name (generic_type type: (_) @name) (scoped_type_identifier) @name]) @definition.namespace
(mod_item name: (_) @name body: (_)) @definition.module
(macro_definition name: (_) @name) @definition.macro
(const_item name: (_) @name) @definition.constant
(static_item name: (_) @name) @definition.variable
(field_declaration name: (_) @name) @definition.property

(impl_item trait: [(type_identifier) @name (generic_type type: (_) @name) (scoped_type_identifier) @name] @reference.base)
(trait_item bounds: (trait_bounds (type_identifier) @name @reference.base))
(call_expression function: (identifier) @name) @reference.call
(call_expression function: (field_expression value: (_) @receiver field: (_) @name)) @reference.call
(call_expression function: (scoped_identifier path: (_) @receiver name: (_) @name)) @reference.call
(call_expression function: (generic_function function: (identifier) @name)) @reference.call
(call_expression function: (generic_function function: (scoped_identifier path: (_) @receiver name: (_) @name))) @reference.call
(call_expression function: (generic_function function: (field_expression value: (_) @receiver field: (_) @name))) @reference.call
(macro_invocation macro: (_) @name) @reference.call
(struct_expression name: (_) @name) @reference.call
(type_identifier) @name @reference.type

(use_declaration) @import.rust
(extern_crate_declaration) @import.rust
(mod_item name: (_) !body) @import.rust
