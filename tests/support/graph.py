"""What the tests of projections build their worlds from: a log in a list, toy facts, a graph that follows."""

import hashlib
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from navlog.projections.graph import GraphProjection
from navlog.projections.projector import Projector
from navlog.projections.store import Store
from navlog.schemas import settings
from navlog.schemas.envelope import Record
from navlog.schemas.events import (
    Chunk,
    Event,
    FileMoved,
    FileObserved,
    FileRemoved,
    Import,
    Link,
    OutlineRecorded,
    ProjectRegistered,
    Reference,
    Symbol,
)
from navlog.schemas.overlays import Overlay

AT = "2026-01-01T00:00:{:02d}Z"


class ListLog:
    """Positions count from 1 without a gap, as in the journal."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.reads = 0

    @property
    def position(self) -> int:
        return len(self.records)

    def read(self, after: int = 0, limit: int | None = None) -> Iterator[Record]:
        self.reads += 1
        return islice(iter(self.records[after:]), limit)

    def wait(self, after: int, timeout: float | None) -> int:  # noqa: ARG002 - nothing arrives by itself
        return self.position

    def add(self, *events: Event | Overlay, project: str = "p", version: int | None = None) -> int:
        """Appends; returns the last position."""
        for event in events:
            data = msgspec.json.encode(event)
            self.raw(event.TYPE, data, project=project, version=version or event.VERSION)
        return self.position

    def raw(self, type_: str, data: bytes, *, project: str = "p", version: int = 1) -> int:
        """Appends a payload of any shape."""
        position = self.position + 1
        self.records.append(
            Record(
                position=position,
                id=f"e{position}",
                at=AT.format(position % 60),
                project=project,
                source="test",
                type=type_,
                version=version,
                data=msgspec.Raw(data),
                prev="",
                h="",
            )
        )
        return position


# --- facts ----------------------------------------------------------------------------------------------

REGISTERED = ProjectRegistered(root="/home/a/p", name="p", kind="git")


def content(text: str) -> str:
    """A content id for ``text``; any 40 hex digits do."""
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def observed(path: str, text: str, mtime_ns: int = 1) -> FileObserved:
    """``path`` says ``text``."""
    return FileObserved(path=path, content=content(text), size=len(text), mtime_ns=mtime_ns)


def outlined(text: str, language: str = "python", extractor: str = "t1") -> OutlineRecorded:
    """A toy extraction: ``import a.b``, ``from .a import b, c``, ``alias x = y``, ``def f``, ``f()``,
    ``[x](y)``, words.
    """
    lines = text.split("\n")
    symbols = [
        Symbol(line[4:], "function", number, number, signature=line)
        for number, line in enumerate(lines, 1)
        if line.startswith("def ")
    ]
    return OutlineRecorded(
        content=content(text),
        extractor=extractor,
        language=language,
        size=len(text),
        lines=len(lines),
        symbols=symbols,
        references=[
            Reference(line[:-2], "call", [number])
            for number, line in enumerate(lines, 1)
            if line.endswith("()")
        ],
        imports=[one for number, line in enumerate(lines, 1) for one in _imports(line, number)],
        links=[
            Link(line[line.index("(") + 1 : -1], "link", number)
            for number, line in enumerate(lines, 1)
            if line.startswith("[")
        ],
        chunks=[Chunk(1, len(lines), len(text.split()))],
        words={"1": " ".join(sorted(set(text.split())))},
    )


def _imports(line: str, number: int) -> list[Import]:
    if line.startswith("from "):
        _, module, _, names = line.split(" ", 3)
        bare = module.lstrip(".")
        pairs = [(name, alias) for name, _, alias in (one.partition(" as ") for one in names.split(", "))]
        return [Import(bare, "from", number, len(module) - len(bare), pairs)]
    if line.startswith("import "):
        return [Import(line[7:], "import", number)]
    if line.startswith("alias "):
        alias, _, module = line[6:].partition(" = ")
        return [Import(module, "alias", number, alias=alias)]
    return []


# --- a graph --------------------------------------------------------------------------------------------

LIMITS = settings.Store()


class World:
    """A store below ``home``, a log, and a graph projector that follows it on demand."""

    def __init__(self, home: Path, log: ListLog | None = None) -> None:
        self.home = home
        self.log = log or ListLog()
        self.open()

    def open(self) -> None:
        """A start of the daemon."""
        self.store = Store(self.home, LIMITS)
        self.graph = GraphProjection()
        self.projector = Projector(self.graph, self.store, {"events": self.log})

    def restart(self) -> None:
        """A stop and a start."""
        self.store.close()
        self.open()

    def run(self, size: int = 2000) -> None:
        """Catches up in batches of ``size``."""
        while self.projector.position.events < self.log.position:
            self.projector.catch_up(min(self.log.position, self.projector.position.events + size))

    def ask(self, query: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Rows, as `navlog sql` would see them."""
        cursor = self.store.cursor()
        try:
            return cursor.execute(query, list(parameters)).fetchall()
        finally:
            cursor.close()


def edits(count: int, seed: int) -> ListLog:
    """A log of ``count`` writes, moves and removals, the same for the same seed."""
    draw = random.Random(seed)
    log = ListLog()
    log.add(REGISTERED)
    paths = [f"{folder}m{number}.py" for folder in ("", "p/", "src/p/") for number in range(4)]
    for number in range(count):
        path, text = draw.choice(paths), f"from p import m{draw.randrange(4)}\ndef f{number}"
        step = draw.choice(("write", "write", "move", "remove"))
        if step == "write":
            log.add(observed(path, text), outlined(text))
        elif step == "move":
            log.add(FileMoved(previous=path, path=draw.choice(paths)))
        else:
            log.add(FileRemoved(path=path))
    return log
