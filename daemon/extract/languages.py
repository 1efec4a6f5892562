"""Which language a file is in, and what reading that language takes: data, no behaviour.

Decided by the file's name, then by its first line. Adding a language: a row here, a ``.scm`` file in
``queries/``, a fixture with its table in the tests.
"""

import re
from pathlib import PurePosixPath
from typing import NamedTuple


class Wheel(NamedTuple):
    """Where a grammar comes from: a distribution that installs a module of the same name."""

    distribution: str
    function: str = "language"

    @property
    def module(self) -> str:
        return self.distribution.replace("-", "_")


class Language(NamedTuple):
    """What reading a language takes.

    ``grammar`` is None where lines must do; ``queries`` are the files whose patterns are joined;
    ``comment`` is how a line of comment begins: //, # or --.
    """

    name: str
    suffixes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    grammar: Wheel | None = None
    queries: tuple[str, ...] = ()
    comment: str = "//"


LANGUAGES: tuple[Language, ...] = (
    Language(
        "python", (".py", ".pyi", ".pyw", ".wsgi"), ("SConstruct", "SConscript"),
        Wheel("tree-sitter-python"), ("python",), "#",
    ),
    Language(
        "javascript", (".js", ".mjs", ".cjs", ".jsx"), (),
        Wheel("tree-sitter-javascript"), ("ecmascript", "javascript", "jsx"),
    ),
    Language(
        "typescript", (".ts", ".mts", ".cts"), (),
        Wheel("tree-sitter-typescript", "language_typescript"), ("ecmascript", "typescript"),
    ),
    Language(
        "tsx", (".tsx",), (),
        Wheel("tree-sitter-typescript", "language_tsx"), ("ecmascript", "typescript", "jsx"),
    ),
    Language(
        "markdown", (".md", ".markdown", ".mdx", ".mdc"), (),
        Wheel("tree-sitter-markdown"), ("markdown",),
    ),
    Language("rst", (".rst",)),
    Language(
        "text", (".txt", ".text"),
        ("README", "LICENSE", "AUTHORS", "CHANGES", "NEWS", "TODO", "INSTALL"),
    ),
    Language("gettext", (".po", ".pot"), comment="#"),
)  # fmt: skip
BY_NAME = {language.name: language for language in LANGUAGES}
UNKNOWN = Language("")

BY_SUFFIX = {suffix: language for language in LANGUAGES for suffix in language.suffixes}
BY_FILE_NAME = {name: language for language in LANGUAGES for name in language.names}
SHEBANG = re.compile(rb"#!\s*\S*?/(?:env\s+(?:-\S+\s+)*)?([a-z]+)[\d.]*\s")
INTERPRETERS = {
    "python": "python", "pypy": "python", "node": "javascript", "nodejs": "javascript", "deno": "typescript",
}  # fmt: skip


def language_of(path: str, head: bytes = b"") -> Language:
    """The language by ``path``'s name, else by the interpreter its first line names; UNKNOWN otherwise."""
    name = PurePosixPath(path).name
    found = BY_FILE_NAME.get(name) or BY_SUFFIX.get(PurePosixPath(name).suffix.lower())
    if found:
        return found
    shebang = SHEBANG.match(head[:128])
    return BY_NAME.get(INTERPRETERS.get(shebang[1].decode(), "") if shebang else "", UNKNOWN)
