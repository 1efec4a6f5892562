"""Code as the parts of its outline, the code inside of other files included.

Everything here works on matches and bytes; what a kind or a role means stands in ``queries/``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from navlog.daemon.extract.chunks import Piece
from navlog.daemon.extract.comments import comment_line, docstring
from navlog.daemon.extract.grammars import grammar_of
from navlog.daemon.extract.imports import imported
from navlog.daemon.extract.languages import BY_NAME, Language
from navlog.daemon.extract.manifests import declared
from navlog.daemon.extract.parsing import Budget, Found, Looked, look
from navlog.daemon.extract.readers import readings
from navlog.daemon.extract.references import references
from navlog.daemon.extract.source import Source
from navlog.daemon.extract.symbols import definitions, symbol
from navlog.schemas.events import Import, Link, Reference, Symbol

DOC_LINES = 40  # at a file's beginning in which its description is looked for
SCRIPT_TYPE = re.compile(rb"""<script\b[^>]*?\b(?:type|lang)\s*=\s*["']?([\w./+-]+)""", re.IGNORECASE)
TITLE = re.compile(rb"<title[^>]*>\s*([^<]{1,200}?)\s*</title>", re.IGNORECASE)
# What ``<script type=…>`` and ``<script lang=…>`` hold; any other value is data or a template.
SCRIPTS = {
    "": "javascript", "module": "javascript", "js": "javascript", "jsx": "javascript",
    "text/javascript": "javascript", "application/javascript": "javascript", "text/babel": "javascript",
    "ts": "typescript", "typescript": "typescript", "text/typescript": "typescript", "tsx": "tsx",
}  # fmt: skip


@dataclass(slots=True)
class Parts:
    """What the code of one language in a file says; ``pieces`` go with ``symbols``, one to one."""

    symbols: list[Symbol]
    pieces: list[Piece]
    references: list[Reference]
    imports: list[Import]
    links: list[Link]
    errors: int

    def add(self, inner: "Parts") -> None:
        """The parts of code inside of this: its symbols come after, with their parents among them."""
        shift = len(self.symbols)
        self.symbols += [moved(entry, shift) for entry in inner.symbols]
        self.pieces += [
            replace(piece, parent=piece.parent + shift * (piece.parent >= 0)) for piece in inner.pieces
        ]
        self.references += inner.references
        self.imports += inner.imports
        self.links += inner.links
        self.errors += inner.errors


def moved(entry: Symbol, shift: int) -> Symbol:
    parent = entry.parent + shift if entry.parent >= 0 else -1
    return Symbol(
        entry.name,
        entry.kind,
        entry.line,
        entry.end_line,
        parent,
        entry.signature,
        entry.doc,
        entry.deprecated,
    )


def parts(language: Language, source: Source, looked: Looked) -> Parts:
    """The parts in ``language`` itself."""
    found, errors, root = looked
    defined = definitions(found.get("definition", ()), source, language.comment)
    return Parts(
        symbols=[symbol(definition, source, language) for definition in defined],
        pieces=[Piece(d.first_line, d.end_line, d.parent, d.kind) for d in defined],
        references=[
            *references(found.get("reference", ()), source),
            *readings(language.name, source, root),
        ],
        imports=[*imported(language.name, source, found), *declared(language.name, source)],
        links=links(found, source),
        errors=errors,
    )


def embedded(source: Source, found: Found, budget: Budget) -> Iterator[Parts]:
    """The parts of each language inside of scripts, at their lines; raises `DeadlinePassed`."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for match in found.get("embed", ()):
        start, end = match.node.byte_range
        opened = source.data.find(b">", start, end) + 1
        declared = SCRIPT_TYPE.match(source.data[start:opened])
        language = SCRIPTS.get(declared[1].decode().lower() if declared else "", "")
        spans.setdefault(language, []).append((opened, source.data.rfind(b"</", opened, end)))
    for name, ranges in spans.items():
        if name and (grammar := grammar_of(BY_NAME[name])):
            inner = source.only(ranges)
            yield parts(BY_NAME[name], inner, look(grammar, inner, budget))


def links(found: Found, source: Source) -> list[Link]:
    """Each target once, where it stands first."""
    first: dict[tuple[str, str], Link] = {}
    for match in found.get("link", ()):
        target = source.slice(*match.name.byte_range)
        if not target.startswith(("#", "javascript:", "data:", "{")):
            line = source.line_of(match.name.start_byte)
            first.setdefault((target, match.kind), Link(target, match.kind, line))
    return list(first.values())


def file_doc(source: Source, language: Language) -> str:
    """The file's own description: its docstring, its title, or the comment it begins with."""
    rows = source.rows[:DOC_LINES]
    if language.name == "python":
        first = next((i for i, row in enumerate(rows) if row.strip() and not row.startswith(b"#")), 0)
        if found := docstring(b"\n".join(rows[first:])):
            return found
    if language.name == "html" and (title := TITLE.search(b"\n".join(rows))):
        return title[1].decode("utf-8", "replace")
    first = next((i for i, row in enumerate(rows) if row.strip()), 0)
    last = next((i for i in range(first, len(rows)) if not rows[i].strip()), len(rows))
    return comment_line(b"\n".join(rows[first:last]), language.comment)
