(create_table (object_reference name: (_) @name)) @definition.table
(create_view (object_reference name: (_) @name)) @definition.table
(create_materialized_view (object_reference name: (_) @name)) @definition.table
(create_function (object_reference name: (_) @name)) @definition.function
(create_trigger (object_reference name: (_) @name)) @definition.function
(create_type (object_reference name: (_) @name)) @definition.type
(create_index column: (_) @name) @definition.key

(relation (object_reference) @name) @reference.type
(column_definition (object_reference) @name) @reference.type
(create_index (object_reference) @name) @reference.type
(alter_table (object_reference) @name) @reference.type
(insert (object_reference) @name) @reference.type
(invocation (object_reference) @name) @reference.call
