"""What an impact is computed from: the shapes of the questions to the graph, and of their answers."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from navlog.schemas.events import Link, Reference, Symbol

_RECEIVER = re.compile(r"func \((?:\w+\s+)?\*?(\w+)")
# Here what stands in a namespace is used by its own name: within it, and after `using`. In TypeScript and
# Swift its users name it, or a value of it.
_UNNAMED = (".h", ".hh", ".hpp", ".hxx", ".cc", ".cpp", ".cxx", ".inl", ".ipp", ".cu", ".cuh", ".cs")
Place = tuple[str, str, str]  # (path, outermost definition, definition)


class Target(NamedTuple):
    """A file (``symbol`` is "") or a definition in it; ``root`` is the outermost definition around it.

    ``kind`` is the symbol's. A setting that is read but defined nowhere has no path, and the kind of its
    readings: env or key.
    """

    path: str
    symbol: str = ""
    root: str = ""
    line: int = 1
    kind: str = ""

    @property
    def place(self) -> Place:
        """What it is told apart by: two classes of a file may have methods of one name."""
        return self.path, self.root, self.symbol

    @property
    def is_member(self) -> bool:
        """Whether it is used through an owner. Go's methods stand beside their types, not in them."""
        return self.root != self.symbol or self.kind == "method"

    @property
    def is_setting(self) -> bool:
        """Whether it can be read by its name as a literal."""
        return self.kind in ("key", "env", "constant", "variable", "property")


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


class Companion(NamedTuple):
    """A file that changed together with another in ``together`` of the ``commits`` that changed that one."""

    path: str
    together: int
    commits: int


class Text(NamedTuple):
    """What is defined, used and pointed at in a file."""

    symbols: Sequence[Symbol]
    references: Sequence[Reference]
    links: Sequence[Link] = ()


class Facts(Protocol):
    """One project's graph, asked for many files at once."""

    def imports_of(self, targets: Collection[str]) -> Sequence[ImportRow]: ...
    def pointers_to(self, targets: Collection[str]) -> Sequence[Pointer]: ...
    def texts(self, paths: Collection[str]) -> Mapping[str, Text]: ...
    def mentioning(self, name: str) -> Collection[str]:
        """The files that use a thing of that name."""

    def deriving(self, names: Collection[str], among: Collection[str]) -> Collection[str]:
        """Those of the files ``among`` in which something is derived from a thing of one of the names."""

    def documenting(self, name: str) -> Collection[str]:
        """The documents that write the name as code."""

    def through(self, names: Collection[str], receivers: Collection[str]) -> Collection[str]:
        """The files that use one of ``names`` on one of ``receivers``."""

    def mates(self, path: str) -> Collection[str]:
        """The files that see each other's names without an import: those of a Go or Java package."""

    def companions(self, path: str) -> Sequence[Companion]:
        """What changed together with the file, the most often first."""

    def defining(self, name: str) -> int:
        """How many definitions have that name."""


class Hit(NamedTuple):
    """Somebody who is touched: a place, ``distance`` steps away, and why; ``owner``: what it stands in."""

    path: str
    line: int
    symbol: str
    distance: int
    confidence: float
    reason: str
    owner: str = ""


def target_of(path: str, symbols: Sequence[Symbol], number: int) -> Target:
    """The definition with that number among the file's symbols; the file itself for -1."""
    if number < 0:
        return Target(path)
    symbol = symbols[number]
    root = number
    while not is_outermost(path, symbols, symbols[root]):
        root = symbols[root].parent
    return Target(
        path, symbol.name, receiver_of(symbols[root]) or symbols[root].name, symbol.line, symbol.kind
    )


def is_outermost(path: str, symbols: Sequence[Symbol], symbol: Symbol) -> bool:
    """Whether it stands in no other definition but a namespace that its users need not name."""
    return symbol.parent < 0 or (symbols[symbol.parent].kind == "namespace" and path.endswith(_UNNAMED))


def receiver_of(symbol: Symbol) -> str:
    """The type of a method that stands beside its type, as Go's do; "" for all others."""
    found = _RECEIVER.match(symbol.signature) if symbol.kind == "method" and symbol.parent < 0 else None
    return found[1] if found else ""


def enclosing(symbols: Sequence[Symbol], line: int) -> int:
    """The number of the innermost definition around a line, -1 for none."""
    best = -1
    for number, symbol in enumerate(symbols):
        if symbol.line <= line <= symbol.end_line and (best < 0 or symbol.line >= symbols[best].line):
            best = number
    return best
