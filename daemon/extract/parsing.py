"""A text's tree and the matches in it, within a budget of processor time.

Gives up rather than hang. The clock is this thread's processor time: a busy machine makes nothing partial.
"""

from collections.abc import Iterator
from time import thread_time
from typing import NamedTuple

from tree_sitter import Node, Point, QueryCursor, Tree

from navlog.daemon.extract.grammars import Grammar
from navlog.schemas.settings import Extract

WINDOW = 64 * 1024  # bytes handed to the parser at once and queried at once; each begun one has its budget
IN_FLIGHT = 1 << 16  # matches a query may hold open; nested patterns on degenerate trees grow without end


class Match(NamedTuple):
    """``pattern``: its place in the query, the telling ones first; ``captures`` hold ``role``'s node."""

    pattern: int
    role: str
    captures: dict[str, list[Node]]


class DeadlinePassed(Exception):
    """The text takes longer than its budget."""


class Budget:
    """Processor seconds for one text: ``settings.parse_s`` for each begun 64 KiB."""

    def __init__(self, size: int, settings: Extract) -> None:
        self.end = thread_time() + settings.parse_s * (1 + size // WINDOW)

    def spent(self) -> bool:
        return thread_time() > self.end


def parse(grammar: Grammar, source: bytes, budget: Budget) -> Tree:
    """The tree of ``source``; raises `DeadlinePassed`.

    tree-sitter 0.26 heeds its progress callback only for texts that it reads through a callable, and says
    ValueError when the callback stopped it; the parser would go on from there if it were not reset.
    """
    view = memoryview(source)

    def read(offset: int, _: Point) -> memoryview:
        return view[offset : offset + WINDOW]

    try:
        return grammar.parser.parse(read, progress_callback=lambda _offset, _failed: budget.spent())
    except ValueError as fault:
        grammar.parser.reset()
        raise DeadlinePassed from fault


def matches(grammar: Grammar, tree: Tree, size: int, budget: Budget) -> Iterator[Match]:
    """The query's matches, window by window; raises `DeadlinePassed`.

    Between windows the clock is read: the query's own progress callback crashes tree-sitter 0.26.1. A match
    that reaches over several windows belongs to the one in which the node of its role starts.
    """
    for start in range(0, max(size, 1), WINDOW):
        cursor = QueryCursor(grammar.query, match_limit=IN_FLIGHT)
        if size > WINDOW:
            cursor.set_byte_range(start, start + WINDOW)
        if budget.spent():
            raise DeadlinePassed
        for pattern, captures in cursor.matches(tree.root_node):
            role = grammar.roles[pattern]
            if start <= captures[role][0].start_byte < start + WINDOW:
                yield Match(pattern, role, captures)
