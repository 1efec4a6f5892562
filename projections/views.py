"""What answers are served from: per project its files, their search index, edges and history, in memory.

The graph projection feeds a view from its tables at the start and after each of its transactions; nothing
here is a truth of its own. One thread writes, others read: every method takes ``lock``; a writer with
several changes that belong together, and a reader for the time of an answer, hold it around all of them (it
is re-entrant).
"""

from collections.abc import Iterator, Mapping, Sequence
from threading import RLock
from typing import Any, NamedTuple

import msgspec

from navlog.projections.history import History
from navlog.projections.index import SearchIndex
from navlog.projections.packed import packed
from navlog.schemas.events import Chunk, CommitRecorded, Symbol


class FileView(msgspec.Struct, frozen=True, gc=False):
    """A file as answers know it.

    ``content`` is git's blob id, ``size`` in bytes, ``mtime_ns`` as the file system said. ``changed_at`` is
    when this content was first observed at the path, in seconds since the epoch. ``symbols`` and ``chunks``
    are the outline's, as is ``clean``; ``lines`` counts them, ``doc`` is the first line of the module's
    docstring.
    """

    path: str
    content: str
    language: str
    size: int
    mtime_ns: int
    changed_at: float
    lines: int = 0
    doc: str = ""
    symbols: Sequence[Symbol] = ()
    chunks: Sequence[Chunk] = ()
    clean: str = ""


class Edge(NamedTuple):
    """A relation of one file to another; ``kind`` as the graph names it, ``path`` the other end."""

    kind: str
    path: str
    incoming: bool


class ProjectView:
    """One project; ``files`` by path; ``changes`` is another number after every change."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.files: dict[str, FileView] = {}
        self.index = SearchIndex()
        self.history = History()
        self.changes = 0
        self._out: dict[str, tuple[tuple[str, str], ...]] = {}
        self._in: dict[str, dict[str, None]] = {}

    def __getstate__(self) -> dict[str, Any]:
        """For an image of it, under the lock, which is nothing to be kept."""
        self.index.settle()
        return {name: value for name, value in self.__dict__.items() if name != "lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.lock = RLock()

    def put(self, file: FileView, words: Mapping[str, str]) -> None:
        """The file now looks like this; ``words`` are the outline's, grouped by count."""
        with self.lock:
            self.changes += 1
            self.files[file.path] = msgspec.structs.replace(
                file, symbols=packed(Symbol, file.symbols), chunks=packed(Chunk, file.chunks)
            )
            self.index.put(file.path, (symbol.name for symbol in file.symbols), words)

    def drop(self, path: str) -> None:
        """The file is gone, and with it the edges that leave it."""
        with self.lock:
            self.changes += 1
            self.files.pop(path, None)
            self.index.drop(path)
            self.relate(path, ())

    def relate(self, path: str, edges: Sequence[tuple[str, str]]) -> None:
        """All (kind, target) that leave ``path``, in place of those before; a target may be unknown yet."""
        with self.lock:
            self.changes += 1
            for _, target in self._out.pop(path, ()):
                self._in.get(target, {}).pop(path, None)
            if edges:
                self._out[path] = tuple(edges)
            for _, target in edges:
                self._in.setdefault(target, {})[path] = None

    def commit(self, commit: CommitRecorded) -> None:
        """A commit of the project's history, in the order of the log."""
        with self.lock:
            self.changes += 1
            self.history.add(commit)

    def neighbours(self, path: str) -> list[Edge]:
        """Files one step away, in both directions, ordered by path; only those that are there."""
        with self.lock:
            return sorted(
                {edge for edge in self._edges(path) if edge.path in self.files and edge.path != path},
                key=lambda edge: (edge.path, edge.kind, edge.incoming),
            )

    def near(self, path: str) -> set[str]:
        """The paths of its `neighbours`, without asking each of them what its edges are."""
        with self.lock:
            found = {target for _, target in self._out.get(path, ())}
            found.update(self._in.get(path, ()))
            found.discard(path)
            return {one for one in found if one in self.files}

    def is_pointed_at(self, path: str) -> bool:
        """Whether any file has an edge to it, which may itself be unknown."""
        with self.lock:
            return bool(self._in.get(path))

    def edges(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """All (kind, target) by the path they leave; the copy is the caller's."""
        with self.lock:
            return dict(self._out)

    def _edges(self, path: str) -> Iterator[Edge]:
        for kind, target in self._out.get(path, ()):
            yield Edge(kind, target, incoming=False)
        for source in self._in.get(path, ()):
            for kind, target in self._out[source]:
                if target == path:
                    yield Edge(kind, source, incoming=True)
