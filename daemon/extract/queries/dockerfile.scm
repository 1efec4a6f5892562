(from_instruction as: (image_alias) @name) @definition.target
(arg_pair name: (_) @name) @definition.variable
(env_pair name: (_) @name) @definition.variable
(from_instruction) @import.docker
