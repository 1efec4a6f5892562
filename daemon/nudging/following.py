"""Transcripts of sessions, followed from where they were left: each byte is read once.

What cannot be read is passed over and counted; a line whose end has not been written yet waits for it. A file
that became shorter or another one is read from its beginning.
"""

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from io import FileIO
from typing import Any

import msgspec

from navlog.daemon.importing.lines import LINE_BYTES, objects
from navlog.daemon.nudging.rows import ALL, Rows
from navlog.daemon.nudging.tails import Tail

CHUNK = 1024 * 1024


class Following:
    """One transcript; ``rows`` gives a reader that knows nothing yet. Use it under the tail's lock."""

    def __init__(self, path: str, tail: Tail, rows: Callable[[], Rows]) -> None:
        self.path = path
        self.damaged = 0
        self.tail = tail
        self._new_rows = rows
        self._begin(())

    def catch_up(self) -> None:
        """Reads what is new; raises `OSError`, and so it does for what is no file of this user."""
        with _opened(self.path) as file:
            found = os.fstat(file.fileno())
            place = (found.st_dev, found.st_ino)
            if place != self._place or found.st_size < self._read:
                self._begin(place)
            file.seek(self._read)
            while chunk := file.read(CHUNK):
                self._read += len(chunk)
                self._take(chunk)

    def _begin(self, place: tuple[int, ...]) -> None:
        self._place, self._read, self._line = place, 0, 0  # the file, bytes read, where the line begins
        self._held, self._skipped = bytearray(), 0
        self.damaged = 0
        self._rows = self._new_rows()
        self.tail.clear()

    def _take(self, chunk: bytes) -> None:
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            self._hold(part)
            size = len(self._held) + self._skipped
            if self._skipped:
                self.damaged += 1
            else:
                self._row(bytes(self._held))
            self._line += size + 1
            self._held, self._skipped = bytearray(), 0
        self._hold(rest)

    def _hold(self, part: bytes) -> None:
        """Of a line that is too long nothing is kept but its length."""
        if self._skipped or len(self._held) + len(part) > LINE_BYTES:
            self._skipped += len(self._held) + len(part)
            self._held = bytearray()
        else:
            self._held += part

    def _row(self, line: bytes) -> None:
        for row in self._read_rows(line):
            changed = self._rows.take(row, self._line)
            if changed.keep != ALL:
                self.tail.cut(changed.keep)
            for message in changed.messages:
                self.tail.put(message)

    def _read_rows(self, line: bytes) -> Iterator[Mapping[str, Any]]:
        try:
            row = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            found = list(objects(0, line))
            self.damaged += any(one.wrong for one in found)
            yield from (one.value for one in found if one.value is not None)
        else:
            if isinstance(row, dict):
                yield row


def _opened(path: str) -> FileIO:
    """The file, if it is a plain one of this user's."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    file = os.fdopen(descriptor, "rb", buffering=0)
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
        file.close()
        raise OSError(f"{path} is no file of this user")
    return file
