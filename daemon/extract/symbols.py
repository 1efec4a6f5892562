"""Definitions out of a query's matches: name, kind, span, signature, comment, and what encloses what."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

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
# Nodes around a definition that are part of it: decorators, export, the declaration of a single name.
WRAPPERS = frozenset({
    "decorated_definition", "export_statement", "lexical_declaration", "variable_declaration",
    "ambient_declaration", "expression_statement", "template_declaration", "declaration", "type_declaration",
})  # fmt: skip
CONSTANT = re.compile(r"_*[A-Z][A-Z0-9_]*")


@dataclass(slots=True)
class Definition:
    """A match on the way to a `Symbol`; ``first_line`` is where its comment or decorators begin."""

    node: Node
    name: str
    kind: str
    start: int
    end: int
    first_line: int
    line: int
    end_line: int
    pattern: int
    parent: int = -1


def definitions(found: Iterable[Match], source: Source, comment: str) -> list[Definition]:
    """In the text's order, each name once, enclosed ones knowing their parent."""
    best: dict[int, Definition] = {}
    for match in found:
        name = match.captures["name"][0]
        known = best.get(name.start_byte)
        if known is None or match.pattern < known.pattern:
            best[name.start_byte] = define(match, name, source, comment)
    ordered = sorted(best.values(), key=lambda d: (d.start, -d.end, d.pattern))
    nest(ordered)
    return ordered


def define(match: Match, name: Node, source: Source, comment: str) -> Definition:
    node = match.captures[match.role][0]
    (row, _), (end_row, end_column) = node.start_point, node.end_point
    outer = outermost(node)
    return Definition(
        node=node,
        name=name_of(source.slice(name.start_byte, name.end_byte)),
        kind=match.role.partition(".")[2],
        start=node.start_byte,
        end=node.end_byte,
        first_line=lead(source, outer.start_point[0] + 1, comment),
        line=row + 1,
        end_line=max(row + 1, end_row + (end_column > 0)),
        pattern=match.pattern,
    )


def outermost(node: Node) -> Node:
    """The wrapper that starts with decorators or keywords of ``node``'s own; ``node`` itself without one."""
    parent = node.parent
    while parent is not None and parent.type in WRAPPERS:
        node, parent = parent, parent.parent
    return node


def name_of(text: str) -> str:
    """One line without quotes: module names and keys may be strings."""
    return " ".join(text.split()).strip("\"'`")[:NAME_CHARS]


def nest(ordered: list[Definition]) -> None:
    """Sets parents from spans, and the kinds that depend on them."""
    open_: list[int] = []
    for index, definition in enumerate(ordered):
        while open_ and ordered[open_[-1]].end < definition.end:
            open_.pop()
        definition.parent = open_[-1] if open_ else -1
        definition.kind = kind_of(definition, ordered[definition.parent].kind if open_ else "")
        open_.append(index)


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
    body = body_of(definition.node)
    head_end = min(body.start_byte if body else end, start + HEAD_BYTES)
    above = source.data[source.starts[definition.first_line - 1] : start]
    inner = source.data[body.start_byte : min(end, body.start_byte + HEAD_BYTES)] if body else b""
    return Symbol(
        name=definition.name,
        kind=definition.kind,
        line=definition.line,
        end_line=definition.end_line,
        parent=definition.parent,
        signature=signature(
            without_comments(source.slice(start, head_end), language.comment), definition.kind
        ),
        doc=(language.name == "python" and docstring(inner)) or comment_line(above, language.comment),
        deprecated=is_deprecated(above + source.data[start:head_end], inner),
    )


def body_of(node: Node) -> Node | None:
    """The block that a signature ends at; a variable's is its value's."""
    body = node.child_by_field_name("body")
    if body is None and (value := node.child_by_field_name("value") or node.child_by_field_name("right")):
        body = value.child_by_field_name("body")
    return body


def signature(head: str, kind: str) -> str:
    """One line up to the body."""
    limit = VALUE_CHARS if kind in VALUES else SIGNATURE_CHARS
    line = " ".join((head.partition("\n")[0] if kind in VALUES else head).split())
    line = line.rstrip(" ;,") if kind in VALUES else line.rstrip(" :{=;")
    return line if len(line) <= limit else line[: limit - 1] + "…"
