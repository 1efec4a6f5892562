"""Definitions out of a query's matches: name, kind, span, signature, comment, and what encloses what."""

import re
from collections.abc import Iterable

import msgspec
from tree_sitter import Node

from navlog.daemon.extract.comments import (
    HEAD_BYTES,
    comment_line,
    docstring,
    is_deprecated,
    lead,
    without_comments,
)
from navlog.daemon.extract.languages import Language
from navlog.daemon.extract.parsing import Match
from navlog.daemon.extract.source import Source
from navlog.schemas.events import Symbol

SIGNATURE_CHARS = 200
VALUE_CHARS = 80  # of what a variable or property is set to
NAME_CHARS = 200

VALUES = frozenset({"variable", "constant", "property", "key"})
# What a function becomes a method in, and a variable a property.
TYPES = frozenset({"class", "interface", "trait", "enum", "struct", "type"})
CALLABLES = frozenset({"function", "method"})
# Signatures less their name that say nothing: half of all methods are tests.
BARE = frozenset({
    "", "()", "def (self)", "def (cls)", "def ()", "class ", "class ()", "function ()", "func ()", "fn ()",
    "interface ", "enum ", "struct ", "module ", "def ",
})  # fmt: skip
BODIES = ("_body", "block", "body_statement")  # blocks of grammars that give them no field
# What may stand before a definition on its line: export, const, pub(crate), typedef.
KEYWORDS = re.compile(rb"\s*(?:[a-z]+(?:\([a-z]*\))?\s+)*")
CONSTANT = re.compile(r"_*[A-Z][A-Z0-9_]*")


class Definition(msgspec.Struct, gc=False):
    """A match on the way to a `Symbol`; ``above``, a byte offset, and ``first_line`` are where its
    comment or decorators begin."""

    node: Node
    name: str
    kind: str
    start: int
    end: int
    above: int
    first_line: int
    line: int
    end_line: int
    pattern: int
    parent: int = -1


def definitions(found: Iterable[Match], source: Source, comment: str) -> list[Definition]:
    """In the text's order, enclosed ones knowing their parent; what was found without a name is none."""
    defined = [define(match, source, comment) for match in found]
    ordered = sorted((one for one in defined if one.name), key=lambda d: (d.start, -d.end, d.pattern))
    nest(ordered)
    return ordered


def define(match: Match, source: Source, comment: str) -> Definition:
    node, line = match.node, line_named(match, source)
    above, first = beginning(match.captures.get("outer", (node,))[0], source, comment)
    return Definition(
        node=node,
        name=name_of(source.slice(match.name.start_byte, match.name.end_byte)),
        kind=match.kind,
        start=node.start_byte,
        end=node.end_byte,
        above=above,
        first_line=first,
        line=line,
        end_line=last_line(source, line, source.line_of(max(node.start_byte, node.end_byte - 1))),
        pattern=match.pattern,
    )


def line_named(match: Match, source: Source) -> int:
    """The line a person looks for: the name's, below annotations; the first where the name ends a block."""
    start, name = match.node.start_byte, match.name.start_byte
    return source.line_of(start if b"{" in source.data[start:name] else name)


def beginning(outer: Node, source: Source, comment: str) -> tuple[int, int]:
    """Where the comment or decorators begin: offset and line; further along a line there are none above."""
    start = outer.start_byte
    line = source.line_of(start)
    before = source.data[source.starts[line - 1] : start]
    if before.strip() and not KEYWORDS.fullmatch(before):
        return start, line
    line = lead(source, line, comment)
    return source.starts[line - 1], line


def last_line(source: Source, line: int, end: int) -> int:
    """Without the blank lines that some grammars count in."""
    while end > line and not source.row(end).strip():
        end -= 1
    return end


def name_of(text: str) -> str:
    """One line without quotes: module names and keys may be strings."""
    return " ".join(text.split()).strip("\"'`")[:NAME_CHARS]


def nest(ordered: list[Definition]) -> None:
    """Sets parents from spans, and the kinds that depend on them."""
    open_: list[int] = []
    for index, definition in enumerate(ordered):
        while open_ and not encloses(ordered[open_[-1]], definition):
            open_.pop()
        definition.parent = open_[-1] if open_ else -1
        definition.kind = kind_of(definition, ordered[definition.parent].kind if open_ else "")
        open_.append(index)


def encloses(outer: Definition, inner: Definition) -> bool:
    """Names that one declaration gives side by side have the same span: neither is in the other."""
    return outer.end >= inner.end and (outer.start, outer.end) != (inner.start, inner.end)


def kind_of(definition: Definition, enclosing: str) -> str:
    """``function`` in a class is ``method``; a variable in capitals is ``constant``."""
    if definition.kind == "function" and enclosing in TYPES:
        return "method"
    if definition.kind == "variable" and CONSTANT.fullmatch(definition.name):
        return "constant"
    return definition.kind


def symbol(definition: Definition, source: Source, language: Language) -> Symbol:
    """The definition as it is written down."""
    start, end = definition.start, definition.end
    body = None if definition.kind in VALUES else body_of(definition.node)
    head_end = min(body.start_byte if body else end, start + HEAD_BYTES)
    above = source.data[definition.above : start]
    inner = source.data[body.start_byte : min(end, body.start_byte + HEAD_BYTES)] if body else b""
    return Symbol(
        name=definition.name,
        kind=definition.kind,
        line=definition.line,
        end_line=definition.end_line,
        parent=definition.parent,
        signature=signature(
            without_comments(source.slice(start, head_end), language.comment),
            definition,
            whole=body is not None,
        ),
        doc=(language.name == "python" and docstring(inner)) or comment_line(above, language.comment),
        deprecated=source.may_deprecate and is_deprecated(above + source.data[start:head_end], inner),
    )


def body_of(node: Node) -> Node | None:
    """The block that a signature ends at; a variable's is its value's."""
    body = node.child_by_field_name("body")
    if body is None and (value := node.child_by_field_name("value") or node.child_by_field_name("right")):
        body = value.child_by_field_name("body")
    return body or next(
        (child for child in reversed(node.named_children) if child.type.endswith(BODIES)), None
    )


def signature(head: str, definition: Definition, *, whole: bool) -> str:
    """``head`` on one line, "" where it says no more than the name.

    Its first line alone where it runs on without a body (``whole`` is False).
    """
    if definition.kind not in CALLABLES and not whole:
        head = head.partition("\n")[0]
    is_value = definition.kind in VALUES
    limit = VALUE_CHARS if is_value else SIGNATURE_CHARS
    line = " ".join(head.split()).rstrip(" ;," if is_value else " :{=;(")
    if line.replace(definition.name, "", 1) in BARE:
        return ""
    return line if len(line) <= limit else line[: limit - 1] + "…"
