(class name: (_) @name) @definition.class
(module name: (_) @name) @definition.module
(class body: (body_statement (method name: (_) @name) @definition.method))
(module body: (body_statement (method name: (_) @name) @definition.method))
(singleton_class body: (body_statement (method name: (_) @name) @definition.method))
(method name: (_) @name) @definition.function
(singleton_method name: (_) @name) @definition.method
(assignment left: (constant) @name) @definition.constant

(superclass [(constant) (scope_resolution)] @name @reference.base)
(call !receiver method: (identifier) @only arguments: (argument_list [(constant) (scope_resolution)] @name @reference.base)
  (#set! only "include|extend|prepend"))
(call !receiver method: (_) @name) @reference.call
(call receiver: (_) @receiver method: (_) @name) @reference.call
