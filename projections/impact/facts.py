"""What an impact is computed from: the shapes of the questions to the graph, and of their answers."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from navlog.schemas.events import Reference, Symbol


class Target(NamedTuple):
    """A file (``symbol`` is "") or a definition in it; ``root`` is the outermost definition around it."""

    path: str
    symbol: str = ""
    root: str = ""
    line: int = 1


class ImportRow(NamedTuple):
    """A row of the table ``imports``; ``names`` are (name, alias), none for the module itself."""

    path: str
    line: int
    form: str
    module: str
    names: tuple[tuple[str, str], ...]
    target: str


class Pointer(NamedTuple):
    """A document's link to ``target`` (kind ``link``), or a test that is named after it (``test``)."""

    path: str
    line: int
    kind: str
    target: str


class Text(NamedTuple):
    """What is defined and used in a file."""

    symbols: Sequence[Symbol]
    references: Sequence[Reference]


class Facts(Protocol):
    """One project's graph, asked for many files at once."""

    def imports_of(self, targets: Collection[str]) -> Sequence[ImportRow]: ...
    def pointers_to(self, targets: Collection[str]) -> Sequence[Pointer]: ...
    def texts(self, paths: Collection[str]) -> Mapping[str, Text]: ...
    def mentioning(self, name: str) -> Collection[str]:
        """The files that use a thing of that name."""

    def defining(self, name: str) -> int:
        """How many definitions have that name."""


class Hit(NamedTuple):
    """Somebody who is touched: a place, ``distance`` steps away, and why."""

    path: str
    line: int
    symbol: str
    distance: int
    confidence: float
    reason: str


def target_of(path: str, symbols: Sequence[Symbol], number: int) -> Target:
    """The definition with that number among the file's symbols; the file itself for -1."""
    if number < 0:
        return Target(path)
    root = number
    while symbols[root].parent >= 0:
        root = symbols[root].parent
    return Target(path, symbols[number].name, symbols[root].name, symbols[number].line)


def enclosing(symbols: Sequence[Symbol], line: int) -> int:
    """The number of the innermost definition around a line, -1 for none."""
    best = -1
    for number, symbol in enumerate(symbols):
        if symbol.line <= line <= symbol.end_line and (best < 0 or symbol.line >= symbols[best].line):
            best = number
    return best
