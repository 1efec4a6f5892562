"""The storage's twin in memory: it knows what a power cut would leave.

Per file it keeps what is durable and what was done since; per folder the same of its entries. `cut_power`
keeps any prefix of each, the last piece in part; `kill` keeps everything but locks and descriptors.
Troubles are struck at chosen calls. For tests, ours and those of other rooms; nothing of it survives the
process.
"""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec

from navlog.daemon.journal.storage import AppendFile, Held
from navlog.schemas.errors import AlreadyRunning

Draw = Callable[[int], int]  # 0 .. n, both included
ALL: Draw = lambda n: n  # noqa: E731 - the choices of a kind power cut, beside those of a test's random one


class PowerCut(BaseException):
    """The machine is gone in the middle of a call. Not an Exception: nobody may handle it."""


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """Strikes a changing call: the one after ``calls`` others of its name (of any, without ``call``).

    With ``code`` the call fails with that errno, without it the power is cut. ``lasting``: and so does every
    call after it. ``taken``: bytes of a write that go through first (then a failing write is a short one);
    for other calls, whether they take effect before a cut.
    """

    calls: int = 0
    call: Literal["", "create", "extend", "append", "fsync", "truncate", "rename", "remove", "fsync_dir"] = ""
    code: int = 0
    taken: int = 0
    lasting: bool = False


class _Change(msgspec.Struct):
    """Something done to a file that is not durable yet. ``lost``: an fsync failed over it."""

    kind: Literal["append", "cut"]
    data: bytes = b""
    size: int = 0
    lost: bool = False

    def done_to(self, content: bytes, data: bytes | None = None) -> bytes:
        return content[: self.size] if self.kind == "cut" else content + (self.data if data is None else data)


class _Node:
    """A file, whatever its names are."""

    def __init__(self) -> None:
        self.content = b""  # as every reader sees it
        self.durable = b""
        self.pending: list[_Change] = []
        self.stamp = 0

    def change(self, change: _Change) -> None:
        self.stamp += 1
        self.content = change.done_to(self.content)
        self.pending.append(change)

    def settle(self) -> None:
        """A successful fsync: what an earlier one lost stays lost, the kernel believes it clean."""
        for change in self.pending:
            self.durable = change.done_to(self.durable, bytes(len(change.data)) if change.lost else None)
        self.pending.clear()

    def forget(self) -> None:
        """Drops the cache, in which lost bytes still looked right."""
        self.content = self.durable
        self.pending.clear()
        self.stamp += 1

    def lose(self) -> None:
        for change in self.pending:
            change.lost = True

    def cut_power(self, draw: Draw) -> None:
        kept = draw(len(self.pending))
        for change in self.pending[:kept]:
            lost = change.lost and draw(1) == 1
            self.durable = change.done_to(self.durable, bytes(len(change.data)) if lost else None)
        if kept < len(self.pending) and self.pending[kept].kind == "append":
            data = self.pending[kept].data
            part = data[: draw(len(data))]
            self.durable += part + bytes(draw(1) * draw(len(data) - len(part)))
        self.forget()


class _Folder:
    """Names, as seen and as durable."""

    def __init__(self) -> None:
        self.entries: dict[str, _Node] = {}
        self.durable: dict[str, _Node] = {}
        self.pending: list[dict[str, _Node | None]] = []

    def change(self, **names: _Node | None) -> None:
        """All of ``names`` at once: a rename is one change of a folder."""
        _relink(self.entries, names)
        self.pending.append(names)

    @property
    def nodes(self) -> list[_Node]:
        """Every file that may have a name here after a power cut."""
        undone = [node for names in self.pending for node in names.values() if node is not None]
        return [*self.entries.values(), *self.durable.values(), *undone]

    def settle(self) -> None:
        self.durable = dict(self.entries)
        self.pending.clear()

    def cut_power(self, draw: Draw) -> None:
        for names in self.pending[: draw(len(self.pending))]:
            _relink(self.durable, names)
        self.entries = dict(self.durable)
        self.pending.clear()


class MemoryStorage:
    """A `Storage` in memory. ``room`` is how many more bytes can be written; None: as many as one likes."""

    def __init__(self, room: int | None = None) -> None:
        self.room = room
        self.calls: list[str] = []  # every changing call, for tests that look at the order
        self.fsynced_again = 0  # fsyncs of a descriptor that had failed: they "succeed" over lost bytes
        self._troubles: dict[Trouble, int] = {}
        self._folders: dict[Path, _Folder] = {}
        self._locked: set[Path] = set()
        self._life = 0

    # --- what happens to it -----------------------------------------------------------------------------

    def trouble(self, *troubles: Trouble) -> None:
        """Replaces what is going to go wrong."""
        self._troubles = {trouble: trouble.calls for trouble in troubles}

    def kill(self) -> None:
        """The process is gone, the machine is not: the cache stays, locks and descriptors do not."""
        self._locked.clear()
        self._troubles.clear()
        self._life += 1

    def cut_power(self, draw: Draw = ALL) -> None:
        """The machine is gone; ``draw`` chooses what of the undurable is left."""
        self.kill()
        nodes = {id(node): node for folder in self._folders.values() for node in folder.nodes}
        for node in nodes.values():
            node.cut_power(draw)
        for folder in self._folders.values():
            folder.cut_power(draw)

    # --- Storage ----------------------------------------------------------------------------------------

    def lock(self, folder: Path) -> Held:
        if folder in self._locked:
            raise AlreadyRunning(f"Another process holds the log in {folder}.")
        self._locked.add(folder)
        return _Lock(self, folder, self._life)

    def make_folder(self, folder: Path) -> None:
        for path in (folder, *folder.parents):
            self._folders.setdefault(path, _Folder())

    def listdir(self, folder: Path) -> list[str]:
        found = self._folders.get(folder)
        inner = {path.name for path in self._folders if path.parent == folder}
        return sorted(inner.union(found.entries if found else ()))

    def create(self, path: Path) -> AppendFile:
        folder = self._folder(path.parent)
        if path.name in folder.entries:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
        node = _Node()
        self.change("create", lambda: folder.change(**{path.name: node}))
        return _MemoryFile(self, node, self._life)

    def extend(self, path: Path) -> AppendFile:
        node = self._node(path)
        self.change("extend", lambda: None)
        return _MemoryFile(self, node, self._life)

    def size(self, path: Path) -> int:
        return len(self._node(path).content)

    def stamp(self, path: Path) -> int:
        return self._node(path).stamp

    def read(self, path: Path, offset: int = 0, size: int | None = None) -> bytes:
        content = self._node(path).content
        return content[offset : len(content) if size is None else offset + size]

    def view(self, path: Path) -> memoryview:
        return memoryview(self._node(path).content)

    def rename(self, source: Path, target: Path) -> None:
        """Within one folder in one step, else in two: the twin promises no more than needed."""
        node = self._node(source)
        here, there = self._folder(source.parent), self._folder(target.parent)
        if here is there:
            self.change("rename", lambda: here.change(**{target.name: node, source.name: None}))
        else:
            self.change("rename", lambda: there.change(**{target.name: node}))
            here.change(**{source.name: None})

    def remove(self, path: Path) -> None:
        freed = len(self._node(path).content)
        self.change("remove", lambda: self._folder(path.parent).change(**{path.name: None}))
        if self.room is not None:
            self.room += freed

    def fsync_dir(self, folder: Path) -> None:
        self.change("fsync_dir", self._folder(folder).settle)

    def settle(self, path: Path) -> None:
        node = self._node(path)
        try:
            self.change("fsync", node.settle, node.lose)
        except OSError:
            node.forget()
            raise
        node.forget()

    # --- inside -----------------------------------------------------------------------------------------

    def change(self, call: str, effect: Callable[[], None], fail: Callable[[], None] = lambda: None) -> None:
        """Counts ``call`` and does it, unless a trouble strikes."""
        trouble = self.struck(call)
        if trouble is None:
            effect()
        elif trouble.code:
            fail()
            raise OSError(trouble.code, os.strerror(trouble.code))
        else:
            if trouble.taken:
                effect()
            raise PowerCut

    def struck(self, call: str) -> Trouble | None:
        """The trouble that strikes this call, which is counted."""
        self.calls.append(call)
        for trouble, left in self._troubles.items():
            if trouble.call in ("", call):
                self._troubles[trouble] = left - 1
                if left == 0 or (left < 0 and trouble.lasting):
                    return trouble
        return None

    def check(self, life: int) -> None:
        """A descriptor of a dead process is good for nothing."""
        if life != self._life:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))

    def unlock(self, folder: Path, life: int) -> None:
        """Gives the folder back, if it is still this process's."""
        if life == self._life:
            self._locked.discard(folder)

    def _folder(self, folder: Path) -> _Folder:
        try:
            return self._folders[folder]
        except KeyError:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder)) from None

    def _node(self, path: Path) -> _Node:
        try:
            return self._folder(path.parent).entries[path.name]
        except KeyError:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path)) from None


class _MemoryFile:
    """An open file of a `MemoryStorage`."""

    def __init__(self, storage: MemoryStorage, node: _Node, life: int) -> None:
        self._storage = storage
        self._node = node
        self._life = life
        self._closed = False
        self._failed = False

    def append(self, data: bytes) -> int:
        self._check()
        trouble = self._storage.struck("append")
        taken = self._fitting(data[: trouble.taken] if trouble else data)
        self._node.change(_Change("append", taken))
        if trouble is not None and not trouble.code:
            raise PowerCut
        if data and not taken:
            code = trouble.code if trouble else errno.ENOSPC
            raise OSError(code, os.strerror(code))
        return len(taken)

    def fsync(self) -> None:
        self._check()
        self._storage.fsynced_again += self._failed
        self._failed = True
        self._storage.change("fsync", self._node.settle, self._node.lose)
        self._failed = False

    def truncate(self, size: int) -> None:
        self._check()
        freed = len(self._node.content) - size
        self._storage.change("truncate", lambda: self._node.change(_Change("cut", size=size)))
        if self._storage.room is not None:
            self._storage.room += freed

    def close(self) -> None:
        self._closed = True

    def _check(self) -> None:
        self._storage.check(-1 if self._closed else self._life)

    def _fitting(self, data: bytes) -> bytes:
        if self._storage.room is None:
            return data
        taken = data[: self._storage.room]
        self._storage.room -= len(taken)
        return taken


class _Lock:
    """A folder held."""

    def __init__(self, storage: MemoryStorage, folder: Path, life: int) -> None:
        self._storage = storage
        self._folder = folder
        self._life = life

    def close(self) -> None:
        self._storage.unlock(self._folder, self._life)


def _relink(entries: dict[str, _Node], names: dict[str, _Node | None]) -> None:
    for name, node in names.items():
        if node is None:
            entries.pop(name, None)
        else:
            entries[name] = node
