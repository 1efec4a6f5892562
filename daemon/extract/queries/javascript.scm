(field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @definition.method
(field_definition property: (_) @name) @definition.property
(class_heritage [(identifier) (member_expression)] @name @reference.base)
