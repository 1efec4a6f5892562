(class_interface name: (_) @name) @definition.class
(class_implementation name: (_) @name) @definition.class
(protocol_declaration name: (_) @name) @definition.interface
(method_declaration selector: (_) @name) @definition.method
(method_definition selector: (_) @name) @definition.method
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @definition.function
(superclass_reference name: (_) @name) @reference.base
(preproc_import path: (_) @name) @import.module
