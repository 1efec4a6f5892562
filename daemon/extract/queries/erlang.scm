(module_attribute name: (_) @name) @definition.module
(fun_decl clause: (function_clause name: (_) @name)) @definition.function
(record_decl name: (_) @name) @definition.struct
(call expr: (atom) @name) @reference.call
(call expr: (remote module: (remote_module module: (_) @receiver) fun: (_) @name)) @reference.call
