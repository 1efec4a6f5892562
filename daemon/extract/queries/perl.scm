(package_statement (package_name) @name) @definition.module
(function_definition name: (_) @name) @definition.function
(use_no_statement (package_name) @name) @import.module
(call_expression function_name: (_) @name) @reference.call
