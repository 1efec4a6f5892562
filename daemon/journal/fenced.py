"""A log's folder as of a fence: read-only, and blind to what was written since.

Lets verify, salvage and backup look at a log that a daemon is writing, without a lock and without seeing a
line that is not durable yet.
"""

from collections.abc import Sequence
from pathlib import Path

from navlog.daemon.journal.layout import anchor_path, segment_name, segment_numbers
from navlog.daemon.journal.shapes import Fence
from navlog.daemon.journal.storage import Storage


class Fenced:
    """The reading half of a `Storage`. Logs without a fence are seen whole."""

    def __init__(self, storage: Storage, folder: Path, fences: Sequence[Fence]) -> None:
        self._storage = storage
        self._ends = {folder / segment_name(fence.log, fence.segment): fence.bytes for fence in fences}
        self._later = {
            segment_name(fence.log, number)
            for fence in fences
            for number in segment_numbers(fence.log, storage.listdir(folder))
            if number > fence.segment
        }
        # An anchor written after the fence would be ahead of what is seen.
        self._later |= {anchor_path(folder, fence.log).name for fence in fences}

    def listdir(self, folder: Path) -> list[str]:
        """The names that were there."""
        return [name for name in self._storage.listdir(folder) if name not in self._later]

    def size(self, path: Path) -> int:
        """In bytes, up to the fence."""
        return min(self._storage.size(path), self._ends.get(path, self._storage.size(path)))

    def stamp(self, path: Path) -> int:
        """As the storage says."""
        return self._storage.stamp(path)

    def read(self, path: Path, offset: int = 0, size: int | None = None) -> bytes:
        """Never beyond the fence."""
        most = max(self.size(path) - offset, 0)
        return self._storage.read(path, offset, most if size is None else min(size, most))

    def view(self, path: Path) -> memoryview:
        """As the storage shows it: indexes, which are older than any fence."""
        return self._storage.view(path)
