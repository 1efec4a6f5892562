"""Imports of every form, as written: resolving them to files is the graph's business.

One function per family reads the statement's text (comments dropped, one line) or, for calls, the first
literal argument.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from tree_sitter import Node

from navlog.daemon.extract.parsing import Match
from navlog.daemon.extract.source import Source
from navlog.schemas.events import Import

Names = list[tuple[str, str]]
Reader = Callable[[str, int], Iterator[Import]]

NAMES_CHARS = 20_000  # of one statement that is read
COMMENT = re.compile(r"#[^\n]*|/\*.*?\*/|//[^\n]*", re.DOTALL)
HASH_COMMENT = re.compile(r"#[^\n]*")
SLASH_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
LITERAL = re.compile(r"""\(\s*["'`]([^"'`\n$]{1,300})["'`]""")

PYTHON_FROM = re.compile(r"from\s*(\.*)\s*([\w.]*)\s*import\s*(.*)")
SCRIPT_FROM = re.compile(
    r"""(import|export)\b(?:\s+(?:type|typeof)\b(?!\s*(?:,|from)))?\s*(.*?)\s*(?:\bfrom\s*)?["'`]([^"'`]+)["'`]"""
)
SCRIPT_REQUIRE = re.compile(r"""import\s+(?:type\s+)?([\w$]+)\s*=\s*require\(\s*["'`]([^"'`]+)["'`]""")


class CallImport(NamedTuple):
    """A function whose first literal argument is a module."""

    form: str
    attribute: bool = False  # the literal's last part is a name in the module


# By language and the called name; Django's `import_string` takes a dotted path to an attribute.
CALLS: dict[str, dict[str, CallImport]] = {
    "python": {
        "import_module": CallImport("dynamic"), "__import__": CallImport("dynamic"),
        "import_string": CallImport("dynamic", attribute=True),
    },
    "javascript": {"require": CallImport("require"), "import": CallImport("dynamic")},
}  # fmt: skip
CALLS["typescript"] = CALLS["tsx"] = CALLS["javascript"]


def statement(match: Match, source: Source) -> Iterator[Import]:
    """The imports of a statement that the query marked ``@import.FAMILY``."""
    node = match.captures[match.role][0]
    start, end = node.byte_range
    text = source.slice(start, min(end, start + NAMES_CHARS))
    yield from READERS[match.role.partition(".")[2]](text, node.start_point[0] + 1)


def importers(source: Source, language: str) -> dict[bytes, CallImport]:
    """The importing functions that occur in the text at all; mostly none, and no call is looked at."""
    known = CALLS.get(language, {})
    return {name.encode(): kind for name, kind in known.items() if name.encode() in source.data}


def call(match: Match, source: Source, known: Mapping[bytes, CallImport]) -> Iterator[Import]:
    """The import a call makes, if it is to one of ``known`` with a literal."""
    name = match.captures["name"][0]
    kind = known.get(source.data[name.start_byte : name.end_byte])
    if not kind:
        return
    node = match.captures[match.role][0]
    found = LITERAL.match(source.slice(name.end_byte, min(node.end_byte, name.end_byte + 400)).lstrip())
    if not found:
        return
    module, names = found[1], bound_names(node, source)
    if kind.attribute:
        module, _, attribute = module.rpartition(".")
        names = [(attribute, "")]
    alias = names[0][1] if names and names[0][0] == "*" else ""
    yield Import(module, kind.form, node.start_point[0] + 1, names=[] if alias else names, alias=alias)


def bound_names(node: Node, source: Source) -> Names:
    """What ``const NAME = require(...)`` binds: {a, b: c} as names, a plain name as the module's alias."""
    parent = node.parent
    while parent is not None and parent.type in ("await_expression", "member_expression"):
        parent = parent.parent
    if parent is None or parent.type != "variable_declarator":
        return []
    target = parent.child_by_field_name("name")
    text = source.slice(*target.byte_range) if target else ""
    return braces(text.replace(":", " as ")) if text.startswith("{") else [("*", text)]


def python(text: str, line: int) -> Iterator[Import]:
    """``import a.b as c, d`` and ``from ..a import (b as c, d)``."""
    flat = re.sub(r"[()\\\s]+", " ", HASH_COMMENT.sub("", text)).strip()
    if found := PYTHON_FROM.match(flat):
        dots, module, names = found.groups()
        yield Import(module, "from", line, level=len(dots), names=list(as_pairs(names)))
        return
    for module, alias in as_pairs(flat.removeprefix("import")):
        yield Import(module, "import", line, alias=alias)


def as_pairs(names: str) -> Iterator[tuple[str, str]]:
    """``a as b, c`` as pairs (name, alias)."""
    for part in names.split(","):
        name, _, alias = (" ".join(part.split())).partition(" as ")
        if name.strip():
            yield name.strip(), alias.strip()


def javascript(text: str, line: int) -> Iterator[Import]:
    """``import d, {a as b} from "m"``, ``import * as n from "m"``, ``import "m"``, ``export … from "m"``."""
    flat = " ".join(SLASH_COMMENT.sub("", text).split())
    if found := SCRIPT_REQUIRE.match(flat):
        yield Import(found[2], "require", line, alias=found[1])
    elif found := SCRIPT_FROM.match(flat):
        form, clause, module = found.groups()
        yield Import(module, form, line, names=list(script_names(clause, form)))


def script_names(clause: str, form: str) -> Iterator[tuple[str, str]]:
    """Default, namespace and braces of an import or export clause."""
    outside = re.sub(r"\{.*?\}", "", clause)
    for part in outside.split(","):
        name, _, alias = part.strip().partition(" as ")
        if name.startswith("*"):
            yield "*", alias.strip()
        elif name and form == "import":
            yield "default", name
    for group in re.findall(r"\{.*?\}", clause):
        yield from braces(group)


def braces(text: str) -> Names:
    """``{a as b, type C}`` as pairs; defaults (``a = 1``) and spreads are no names of the module."""
    inner = re.sub(r"=[^,}]*|\.\.\.\s*[\w$]+", "", text.strip(" {}"))
    return [(name.removeprefix("type "), alias) for name, alias in as_pairs(inner)]


READERS: dict[str, Reader] = {"python": python, "javascript": javascript}
