(atx_heading heading_content: (_) @name) @definition.heading
(setext_heading heading_content: (_) @name) @definition.heading
(fenced_code_block) @verbatim.block
(indented_code_block) @verbatim.block
(html_block) @verbatim.block
(minus_metadata) @verbatim.block
