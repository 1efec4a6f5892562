"""Watching git's own folders: HEAD, refs, the index and its lock, and the rules that lie there.

Says that something happened; what it was is asked of git (`navlog.daemon.listener.git`): a ref may be packed,
and a branch moves without HEAD being touched.
"""

import os
from enum import Flag, auto
from pathlib import Path

from inotify_simple import flags

from navlog.daemon.listener.kernel import FOLDER_MASK, KernelEvent
from navlog.daemon.listener.repository import Repository
from navlog.daemon.listener.watches import NONE, Watches


class Signal(Flag):
    """What happened in git's folders."""

    NOTHING = 0
    REF = auto()
    INDEX = auto()
    RULES = auto()
    LOCKED = auto()
    UNLOCKED = auto()
    SERIES = auto()


class Place:
    """A folder of git's; ``meaning``: what a name in it stands for, ``b""`` for every other name."""

    __slots__ = ("deep", "meaning", "path", "watch")

    def __init__(self, path: Path, meaning: dict[bytes, Signal], *, deep: bool = False) -> None:
        self.path = path
        self.meaning = meaning
        self.deep = deep
        self.watch = NONE


_OWN = {b"HEAD": Signal.REF, b"index": Signal.INDEX, b"config.worktree": Signal.RULES}
_COMMON = {b"packed-refs": Signal.REF, b"config": Signal.RULES, b"refs": Signal.REF}
_EVERY = {b"": Signal.REF}
_LOCK = b"index.lock"
_SERIES = (b"rebase-merge", b"rebase-apply", b"sequencer")  # there while one command makes many commits
_LATE = (b"heads", b"remotes", b"info", b"worktrees", b"reftable")  # folders git makes when it needs them
_APPEARS = flags.CREATE | flags.MOVED_TO


class GitWatch:
    """One repository's folders. ``covered`` is False when some could not be watched: ask git now and then."""

    def __init__(self, repository: Repository, watches: Watches[Place]) -> None:
        self.covered = True
        self.lock = repository.git_dir / os.fsdecode(_LOCK)
        self.repository = repository
        self._watches = watches

    def build(self) -> None:
        """Watches everything (again)."""
        own, common = self.repository.git_dir, self.repository.common_dir
        self.covered = True
        self._watches.begin()
        if own == common:
            self._add(Place(own, _OWN | _COMMON))
        else:
            self._add(Place(own, _OWN))
            self._add(Place(common, _COMMON))
        self._add(Place(common / "info", {b"exclude": Signal.RULES}))
        self._add(Place(common / "refs", _EVERY))
        for deep in ("refs/heads", "refs/remotes"):
            self._add_deep(common / deep)
        for optional in ("reftable", "worktrees"):
            self._add(Place(common / optional, _EVERY))
        self._watches.end()

    def handle(self, event: KernelEvent) -> Signal | None:
        """What the event means; None when it is not this repository's."""
        place = self._watches.get(event.watch)
        if place is None:
            return None
        if event.mask & flags.IGNORED:
            self._watches.drop(place)
            return Signal.NOTHING
        if event.name == _LOCK and place.path == self.repository.git_dir:
            return _of_the_lock(event.mask)
        if event.name in _SERIES:
            return Signal.SERIES
        if event.mask & flags.ISDIR and event.mask & _APPEARS:
            self._appeared(place, event.name)
        if event.name.endswith(b".lock"):
            return Signal.NOTHING
        return place.meaning.get(event.name, place.meaning.get(b"", Signal.NOTHING))

    def in_series(self) -> bool:
        """Whether a rebase or the like is under way, or was stopped halfway."""
        return any((self.repository.git_dir / os.fsdecode(name)).exists() for name in _SERIES)

    def close(self) -> None:
        """Gives every watch back."""
        self._watches.close()

    def _appeared(self, place: Place, name: bytes) -> None:
        if place.deep:
            self._add_deep(place.path / os.fsdecode(name))
        elif name in _LATE:
            self.build()

    def _add_deep(self, folder: Path) -> None:
        """Branches with a slash in their names lie in folders."""
        self._add(Place(folder, _EVERY, deep=True))
        try:
            below = [Path(entry.path) for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False)]
        except OSError:
            return
        for each in below:
            self._add_deep(each)

    def _add(self, place: Place) -> None:
        try:
            self._watches.add(place, os.fsencode(place.path), FOLDER_MASK)
        except FileNotFoundError:
            return
        except OSError:
            self.covered = False


def _of_the_lock(mask: int) -> Signal:
    if mask & _APPEARS:
        return Signal.LOCKED
    return Signal.UNLOCKED if mask & (flags.DELETE | flags.MOVED_FROM) else Signal.NOTHING
