(element (start_tag (attribute (attribute_name) @only (quoted_attribute_value (attribute_value) @name)))
  (#set! only "id")) @definition.selector

(script_element (start_tag (attribute (attribute_name) @only (quoted_attribute_value (attribute_value) @name)))
  (#set! only "src")) @import.name
(attribute (attribute_name) @only (quoted_attribute_value (attribute_value) @name)
  (#set! only "href|action")) @link.link
(attribute (attribute_name) @only (quoted_attribute_value (attribute_value) @name) (#set! only "src")) @link.image
(script_element (raw_text)) @embed.script
