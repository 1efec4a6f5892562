"""Imports of every form, as written: resolving them to files is the graph's business.

A statement's text is read by its family's function in `statements`; a call imports when its function is
known to and its first argument is a literal; templates name each other in tags that no grammar here knows.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tree_sitter import Node

from navlog.daemon.extract.parsing import Found, Match
from navlog.daemon.extract.source import Source
from navlog.daemon.extract.statements import READERS, Names, braces
from navlog.schemas.events import Import

STATEMENT_BYTES = 20_000  # of one statement that is read
ARGUMENT_BYTES = 400
LITERAL = re.compile(r"""\s*\(?\s*(?:["'`]([^"'`\n$]{1,300})["'`]|([^\s"'`$(){}<>;&|]+))""")
TEMPLATE = re.compile(r"""\{%-?\s*(?:extends|include|import|from)\s+["']([^"'\n]+)["']""")
NAMED = {"name": "include", "module": "import"}  # families whose ``@name`` is the module
TEMPLATED = frozenset({"html"})


class CallImport(NamedTuple):
    """A function whose first literal argument is a module."""

    form: str
    attribute: bool = False  # the literal's last part is a name in the module
    level: int = 0  # 1: relative to the file's own folder
    bare: bool = False  # the argument needs no quotes (shell)


# By language and the called name; Django's `import_string` takes a dotted path to an attribute.
CALLS: dict[str, dict[bytes, CallImport]] = {
    "python": {
        b"import_module": CallImport("dynamic"), b"__import__": CallImport("dynamic"),
        b"import_string": CallImport("dynamic", attribute=True),
    },
    "javascript": {b"require": CallImport("require"), b"import": CallImport("dynamic")},
    "ruby": {
        b"require": CallImport("require"), b"require_relative": CallImport("require", level=1),
        b"load": CallImport("require"), b"autoload": CallImport("require"),
    },
    "lua": {b"require": CallImport("require"), b"dofile": CallImport("include")},
    "bash": {b"source": CallImport("include", bare=True), b".": CallImport("include", bare=True)},
}  # fmt: skip
CALLS["typescript"] = CALLS["tsx"] = CALLS["javascript"]


def imported(language: str, source: Source, found: Found) -> list[Import]:
    """Everything that imports, in the text's order."""
    every = [entry for match in found.get("import", ()) for entry in statement(match, source)]
    if known := importers(source, language):
        every += [entry for match in found.get("reference", ()) for entry in call(match, source, known)]
    if language in TEMPLATED:
        every += templates(source)
    return sorted(every, key=lambda entry: entry.line)


def statement(match: Match, source: Source) -> Iterator[Import]:
    """The imports of a statement that the query marked ``@import.FAMILY``."""
    start, end = match.node.byte_range
    line = source.line_of(start)
    if form := NAMED.get(match.kind):
        yield Import(source.slice(*match.name.byte_range).strip("\"'"), form, line)
    else:
        yield from READERS[match.kind](source.slice(start, min(end, start + STATEMENT_BYTES)), line)


def importers(source: Source, language: str) -> dict[bytes, CallImport]:
    """The importing functions that occur in the text at all; mostly none, and no call is looked at."""
    known = CALLS.get(language, {})
    return {name: kind for name, kind in known.items() if name in source.data}


def call(match: Match, source: Source, known: Mapping[bytes, CallImport]) -> Iterator[Import]:
    """The import a call makes, if it is to one of ``known`` with a literal."""
    name, node = match.name, match.node
    kind = known.get(source.data[name.start_byte : name.end_byte])
    if not kind:
        return
    found = LITERAL.match(source.slice(name.end_byte, min(node.end_byte, name.end_byte + ARGUMENT_BYTES)))
    module = (found[1] or (kind.bare and found[2])) if found else ""
    if not module:
        return
    names = bound_names(node, source)
    if kind.attribute:
        module, _, attribute = module.rpartition(".")
        names = [(attribute, "")]
    alias = names[0][1] if names and names[0][0] == "*" else ""
    line = source.line_of(node.start_byte)
    yield Import(module, kind.form, line, kind.level, names=[] if alias else names, alias=alias)


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


def templates(source: Source) -> Iterator[Import]:
    """Templates that a template names (Jinja, Django, Liquid)."""
    for line, row in enumerate(source.rows, 1):
        if b"{%" in row:
            for found in TEMPLATE.finditer(row.decode("utf-8", "replace")):
                yield Import(found[1], "include", line)
