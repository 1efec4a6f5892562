"""Words that code of any kind is full of: they say nothing of what it is about."""

COMMON = frozenset({
    "self", "this", "def", "return", "if", "else", "elif", "for", "while", "in", "is", "not", "and", "or",
    "none", "null", "true", "false", "import", "from", "class", "function", "func", "fn", "let", "const",
    "var", "public", "private", "static", "void", "int", "str", "string", "new", "try", "except", "catch",
    "raise", "throw", "with", "as", "pass", "break", "continue", "lambda", "async", "await", "end", "do",
    "then", "the", "to", "of", "an", "be", "it", "test", "assert",
})  # fmt: skip
