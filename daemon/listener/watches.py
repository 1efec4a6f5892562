"""Which watch belongs to which folder, for each party that shares the one inotify instance.

Two parties may watch the same folder (sibling worktrees share a git folder): it has one watch, given back
with its last user.
"""

import errno
import os
from collections.abc import Container
from typing import Generic, Protocol, TypeVar

from navlog.daemon.listener.kernel import Kernel

NONE = -1


class Watchable(Protocol):
    """Something that has at most one watch; `NONE` without."""

    watch: int


W = TypeVar("W", bound=Watchable)
Parties = list[Container[int]]


class Watches(Generic[W]):
    """One party's watches. ``parties`` are all that share the kernel's instance, this one among them."""

    def __init__(self, kernel: Kernel, parties: Parties) -> None:
        self._kernel = kernel
        self._parties = parties
        self._of: dict[int, W] = {}
        self._before: set[int] = set()
        self._full = False
        parties.append(self)

    def __len__(self) -> int:
        return len(self._of)

    def __contains__(self, watch: object) -> bool:
        return watch in self._of

    def get(self, watch: int) -> W | None:
        """What has this watch."""
        return self._of.get(watch)

    def add(self, place: W, folder: bytes, mask: int) -> None:
        """Watches ``folder`` for ``place``; again is fine, and finds a folder that was replaced.

        Raises OSError; once the limit is reached nothing more is tried until `begin`.
        """
        if self._full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        try:
            watch = self._kernel.watch(folder, mask)
        except OSError as fault:
            self._full = fault.errno == errno.ENOSPC
            raise
        if place.watch != watch:
            self.drop(place)
            if other := self._of.get(watch):
                other.watch = NONE
            self._of[watch], place.watch = place, watch

    def drop(self, place: W) -> None:
        """Gives the watch of ``place`` back, if it has one."""
        if place.watch != NONE and self._of.get(place.watch) is place:
            del self._of[place.watch]
            self._release(place.watch)
        place.watch = NONE

    def begin(self) -> None:
        """Everything is about to be added again; until `end` the old watches stay open, unheard."""
        self._before |= self._of.keys()
        self._of = {}
        self._full = False

    def end(self) -> None:
        """Gives back the watches that were not added again."""
        before, self._before = self._before, set()
        for watch in before - self._of.keys():
            self._release(watch)

    def close(self) -> None:
        """Gives everything back and leaves the parties."""
        self.begin()
        self.end()
        self._parties.remove(self)

    def _release(self, watch: int) -> None:
        if not any(watch in party for party in self._parties):
            self._kernel.forget(watch)
