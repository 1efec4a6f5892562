(jsx_opening_element name: [(identifier) (member_expression)] @name) @reference.call
(jsx_self_closing_element name: [(identifier) (member_expression)] @name) @reference.call
