(start_tag (tag_name) @name @only (#set! only "[A-Z].*|.*-.*")) @reference.call
(self_closing_tag (tag_name) @name @only (#set! only "[A-Z].*|.*-.*")) @reference.call
