(function name: (_) @name) @definition.function
(signature name: (_) @name) @definition.function
(adt name: (_) @name) @definition.type
(newtype name: (_) @name) @definition.type
(type_alias name: (_) @name) @definition.type
(class (class_head class: (class_name (type) @name))) @definition.interface
(import (qualified_module) @name) @import.module
