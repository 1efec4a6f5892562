"""A text's tree and the matches in it, within a budget of processor time.

Gives up rather than hang. The clock is this thread's processor time: a busy machine makes nothing partial.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import cycle
from time import thread_time
from typing import NamedTuple

import msgspec
from tree_sitter import Node, Point, QueryCursor, Tree

from navlog.daemon.extract.grammars import Grammar
from navlog.daemon.extract.source import Source
from navlog.schemas.settings import Extract

WINDOW = 64 * 1024  # bytes handed to the parser at once and queried at once; each begun one has its budget
# The parser asks after every hundred steps, and this clock is a call into the kernel: reading it each time
# took a seventh of the worker's time. Between two readings lie about two milliseconds.
CLOCK_EVERY = 32
IN_FLIGHT = 1 << 16  # matches a query may hold open; nested patterns on degenerate trees grow without end


class Match(msgspec.Struct, gc=False):
    """A match of a query's pattern, the telling patterns first.

    ``node`` is where its role stands, ``name`` the ``@name`` in it or ``node`` again; ``captures`` has all.
    A struct, like all that is made for each definition: it costs a third of a tuple with names.
    """

    pattern: int
    kind: str
    node: Node
    name: Node
    captures: dict[str, list[Node]]


Found = Mapping[str, Sequence[Match]]  # by family: definition, reference, import, link, embed, verbatim


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
    ValueError when the callback stopped it; the parser would go on from there if it were not reset. It never
    lets go of what the callable gave it, so each piece is released by hand: else every text stays in memory.
    """
    view, end = memoryview(source), budget.end
    lent: dict[int, memoryview] = {}

    def read(offset: int, _: Point) -> memoryview:
        if offset not in lent:
            lent[offset] = view[offset : offset + WINDOW]
        return lent[offset]

    due = cycle((True, *[False] * (CLOCK_EVERY - 1)))
    try:
        return grammar.parser.parse(
            read, progress_callback=lambda _offset, _failed: next(due) and thread_time() > end
        )
    except ValueError as fault:
        grammar.parser.reset()
        raise DeadlinePassed from fault
    finally:
        for piece in lent.values():
            piece.release()


class Looked(NamedTuple):
    """A text's matches, the places that its grammar could not read, and its tree."""

    found: Found
    errors: int
    root: Node


def look(grammar: Grammar, source: Source, budget: Budget) -> Looked:
    """The matches in ``source``, each name in its most telling one only.

    Raises `DeadlinePassed`.
    """
    tree = parse(grammar, grammar.prepare(source.data), budget)
    best = telling(grammar, tree, source.data, budget)
    found: defaultdict[str, list[Match]] = defaultdict(list)
    for match in best.values():
        found[grammar.roles[match.pattern].family].append(match)
    return Looked(found, grammar.errors(tree.root_node), tree.root_node)


def telling(grammar: Grammar, tree: Tree, data: bytes, budget: Budget) -> dict[int, Match]:
    """By the offset of the name, the match of its most telling pattern; raises `DeadlinePassed`.

    The query runs window by window, and between them the clock is read: the query's own progress callback
    crashes tree-sitter 0.26.1. A match that reaches over several windows belongs to the one in which the node
    of its role starts.
    """
    best: dict[int, Match] = {}
    roles = [(role.kind, role.only, role.capture) for role in grammar.roles]
    size, root = len(data), tree.root_node
    whole = size <= WINDOW
    for start in range(0, max(size, 1), WINDOW):
        cursor = QueryCursor(grammar.query, match_limit=IN_FLIGHT)
        if not whole:
            cursor.set_byte_range(start, start + WINDOW)
        if budget.spent():
            raise DeadlinePassed
        for pattern, captures in cursor.matches(root):
            kind, only, capture = roles[pattern]
            if only and not only.fullmatch(data, *captures["only"][0].byte_range):
                continue
            node = captures[capture][0]
            if not whole and not start <= node.start_byte < start + WINDOW:
                continue
            name = captures["name"][0] if "name" in captures else node
            at = name.start_byte
            if at not in best or pattern < best[at].pattern:
                best[at] = Match(pattern, kind, node, name, captures)
    return best
