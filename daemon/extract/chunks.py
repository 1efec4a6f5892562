"""First-level chunks: functions, classes, headings, and windows of lines for the rest.

Every line that is not blank lies in exactly one chunk. A class over the cap is cut into its head and its
methods; a function is never cut: what is too long to give is shortened by whoever gives it. Neighbours that
are about the same are folded (`navlog.projections.slicing.folding`).
"""

from collections.abc import Iterator, Sequence

import msgspec

from navlog.daemon.extract.source import Source
from navlog.projections.slicing.folding import CAP, fold
from navlog.projections.tokens import count_utf8
from navlog.schemas.events import Chunk

WINDOW_BYTES = 1000  # about CAP tokens of code

PIECES = frozenset({
    "module", "class", "interface", "trait", "enum", "struct", "type", "function", "method", "macro",
    "namespace", "heading", "target", "table",
})  # fmt: skip
CALLABLES = frozenset({"function", "method"})
DIVISIBLE = PIECES - CALLABLES - {"macro"}
DEEPEST = 16  # types within types: deeper ones are generated or hostile


class Piece(msgspec.Struct, frozen=True, gc=False):
    """A symbol that can be a chunk: from its comment's first line to its last, in the outline's order."""

    first_line: int
    end_line: int
    parent: int
    kind: str


class Area(msgspec.Struct, frozen=True, gc=False):
    """Lines to cut, both ends included, and the symbol they belong to."""

    first: int
    last: int
    owner: int
    depth: int = 0


def chunks(source: Source, pieces: Sequence[Piece]) -> list[Chunk]:
    """In the text's order, without overlap."""
    children: dict[int, list[int]] = {}
    for index, piece in enumerate(pieces):
        if is_piece(piece):
            children.setdefault(enclosing(pieces, piece.parent), []).append(index)
    found = list(cut(source, pieces, children, Area(1, source.lines, -1)))
    return fold(found, lambda chunk: source.span(chunk.line, chunk.end_line))


def is_piece(piece: Piece) -> bool:
    """Whether it can be a chunk; types and the like of one line go with their neighbours."""
    return piece.kind in CALLABLES or (piece.kind in PIECES and piece.end_line > piece.first_line)


def enclosing(pieces: Sequence[Piece], parent: int) -> int:
    """The nearest piece around: variables are none."""
    while parent >= 0 and not is_piece(pieces[parent]):
        parent = pieces[parent].parent
    return parent


def cut(
    source: Source, pieces: Sequence[Piece], children: dict[int, list[int]], area: Area
) -> Iterator[Chunk]:
    """The area's pieces as chunks, those over the cap cut again, what lies between as windows."""
    at = area.first
    for index in children.get(area.owner, ()):
        first, last = max(pieces[index].first_line, at), min(pieces[index].end_line, area.last)
        if first > last:
            continue  # a second definition on a line that is taken
        yield from windows(source, Area(at, first - 1, area.owner))
        whole = chunk(source, first, last, index)
        if (
            whole.tokens > CAP
            and index in children
            and pieces[index].kind in DIVISIBLE
            and area.depth < DEEPEST
        ):
            yield from cut(source, pieces, children, Area(first, last, index, area.depth + 1))
        else:
            yield whole
        at = last + 1
    yield from windows(source, Area(at, area.last, area.owner))


def windows(source: Source, area: Area) -> Iterator[Chunk]:
    """Lines in windows of about CAP tokens, cut at a blank line where one is near; blank edges left out."""
    first, last = area.first, area.last
    while first <= last:
        if not source.row(first).strip():
            first += 1
            continue
        end = window_end(source, first, last)
        yield chunk(source, first, end, area.owner)
        first = end + 1


def window_end(source: Source, first: int, last: int) -> int:
    """The last line of a window that begins at ``first``."""
    limit = source.starts[first - 1] + WINDOW_BYTES
    end = first
    while end < last and source.starts[end + 1] <= limit:
        end += 1
    if end < last:
        end = next((line for line in range(end, (first + end) // 2, -1) if not source.row(line).strip()), end)
    while end > first and not source.row(end).strip():
        end -= 1
    return end


def chunk(source: Source, first: int, last: int, symbol: int) -> Chunk:
    return Chunk(first, last, count_utf8(source.span(first, last)), symbol)
