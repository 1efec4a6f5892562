(type_declaration name: (_) @name) @definition.type
(type_alias_declaration name: (_) @name) @definition.type
(value_declaration functionDeclarationLeft: (function_declaration_left . (lower_case_identifier) @name)) @definition.function
(import_clause moduleName: (_) @name) @import.module
