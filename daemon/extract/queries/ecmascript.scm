(export_statement decorator: (decorator) declaration: (class_declaration name: (_) @name) @definition.class) @outer
(function_declaration name: (_) @name) @definition.function
(generator_function_declaration name: (_) @name) @definition.function
(class_declaration name: (_) @name) @definition.class
(class name: (_) @name) @definition.class
(method_definition name: (_) @name) @definition.method
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @definition.function
(variable_declarator name: (identifier) @name value: (class)) @definition.class
(assignment_expression
  left: [(identifier) @name (member_expression property: (_) @name)]
  right: [(arrow_function) (function_expression) (generator_function)]) @definition.function
(pair key: (_) @name value: [(arrow_function) (function_expression !name) (generator_function !name)]) @definition.function
(pair value: [(function_expression name: (_) @name) (generator_function name: (_) @name)] @definition.function)
(arguments [(function_expression name: (_) @name) (generator_function name: (_) @name)] @definition.function)
(return_statement [(function_expression name: (_) @name) (generator_function name: (_) @name)] @definition.function)
(program (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable))
(program (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)))
(program (export_statement (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)))

(call_expression function: (identifier) @name) @reference.call
(call_expression function: (import) @name) @reference.call
(call_expression function: (member_expression object: (_) @receiver property: (_) @name)) @reference.call
(new_expression constructor: (identifier) @name) @reference.call
(new_expression constructor: (member_expression object: (_) @receiver property: (_) @name)) @reference.call
(decorator (identifier) @name) @reference.call

(import_statement) @import.javascript
(export_statement source: (_)) @import.javascript
