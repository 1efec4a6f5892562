(decorated_definition definition: (class_definition name: (identifier) @name) @definition.class) @outer
(decorated_definition definition: (function_definition name: (identifier) @name) @definition.function) @outer
(class_definition name: (identifier) @name) @definition.class
(function_definition name: (identifier) @name) @definition.function
(type_alias_statement left: (type (identifier) @name)) @definition.type
(module (expression_statement (assignment left: (identifier) @name) @definition.variable))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @definition.property)))

(class_definition superclasses: (argument_list [(identifier) (attribute)] @name @reference.base))
(class_definition superclasses: (argument_list (subscript value: [(identifier) (attribute)] @name @reference.base)))
(call function: (identifier) @name) @reference.call
(call function: (attribute object: (_) @receiver attribute: (identifier) @name)) @reference.call
(decorator (identifier) @name) @reference.call
(decorator (attribute object: (_) @receiver attribute: (identifier) @name)) @reference.call
(type (identifier) @name @reference.type)
(type (attribute) @name @reference.type)
(type (generic_type (identifier) @name @reference.type))
(type (binary_operator (identifier) @name @reference.type))

(import_statement) @import.python
(import_from_statement) @import.python
(future_import_statement) @import.python
