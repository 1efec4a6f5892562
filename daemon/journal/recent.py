"""The newest records of a log, in memory: several rooms follow a log closely, and each would read, prove and
decode the same lines again. Who reads them is soon done: at rest none are held.

Holds only what this process wrote and fsynced itself, so a record here is what its line says. Bounded in
bytes; who is further behind reads the file. One thread adds, any number read.
"""

import threading
from collections.abc import Sequence

from navlog.schemas.envelope import Record

ROOM = 8 * 1024 * 1024  # bytes: more than a first index writes in the second that a projector gathers
ENVELOPE = 1024  # what a record takes beside its payload, about


class Recent:
    """Records without a gap, up to the last durable one."""

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._records: list[Record] = []
        self._bytes = 0
        self._guard = threading.Lock()

    def __bool__(self) -> bool:
        return bool(self._records)

    def add(self, records: Sequence[Record]) -> None:
        """``records`` are durable and follow what was added before."""
        with self._guard:
            self._records += records
            self._bytes += sum(map(_size, records))
            if self._bytes > self._room:
                self._shrink(self._room // 2)  # by halves: a list is not to be moved at each append

    def let_go(self, position: int) -> None:
        """Forgets what is not after ``position``."""
        with self._guard:
            self._drop(max(0, position + 1 - self._first))

    def read(self, after: int, count: int) -> Sequence[Record] | None:
        """At most ``count`` records after a position; None where they do not begin here."""
        with self._guard:
            start = after + 1 - self._first
            return self._records[start : start + count] if self._records and start >= 0 else None

    @property
    def _first(self) -> int:
        return self._records[0].position if self._records else 0

    def _shrink(self, room: int) -> None:
        count, left = 0, self._bytes
        while left > room:
            left -= _size(self._records[count])
            count += 1
        self._drop(count)

    def _drop(self, count: int) -> None:
        self._bytes -= sum(map(_size, self._records[:count]))
        del self._records[:count]


def _size(record: Record) -> int:
    return len(memoryview(record.data)) + ENVELOPE
