(table . [(bare_key) (quoted_key) (dotted_key)] @name) @definition.table
(table_array_element . [(bare_key) (quoted_key) (dotted_key)] @name) @definition.table
(document (pair . (_) @name) @definition.key)
(table (pair . (_) @name) @definition.key)
