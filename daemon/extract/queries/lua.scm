(function_declaration name: (identifier) @name) @definition.function
(function_declaration name: (dot_index_expression field: (_) @name)) @definition.function
(function_declaration name: (method_index_expression method: (_) @name)) @definition.method
(assignment_statement
  (variable_list . name: [(identifier) @name (dot_index_expression field: (_) @name)])
  (expression_list . value: (function_definition))) @definition.function
(chunk (assignment_statement (variable_list name: (identifier) @name)) @definition.variable)
(chunk (variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @definition.variable)
(table_constructor (field name: (identifier) @name value: (function_definition)) @definition.function)

(function_call name: (identifier) @name) @reference.call
(function_call name: (dot_index_expression table: (_) @receiver field: (_) @name)) @reference.call
(function_call name: (method_index_expression table: (_) @receiver method: (_) @name)) @reference.call
