(rule_set (selectors) @name) @definition.selector
(keyframes_statement (keyframes_name) @name) @definition.selector
(import_statement) @import.css
