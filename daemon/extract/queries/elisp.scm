(function_definition name: (_) @name) @definition.function
(macro_definition name: (_) @name) @definition.macro
(special_form . (symbol) @name) @definition.variable
