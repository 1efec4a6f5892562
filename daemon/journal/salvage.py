"""Copies every good record of a damaged log into a new log; the source is read and nothing else.

Positions stay: judgements and tables refer to them. Where no readable record stood, and up to the
high-water mark, the new log bears a `record_lost` event, so that it is whole, opens, and says what is
missing. Records are sealed anew (the chain has to hold); everything else on their lines stays.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from navlog.daemon.journal.anchor import read_anchor
from navlog.daemon.journal.fenced import Fenced
from navlog.daemon.journal.journal import utc_now
from navlog.daemon.journal.layout import LOGS, anchor_path, segment_name, segment_numbers
from navlog.daemon.journal.scan import ceiling, pieces
from navlog.daemon.journal.shapes import Fence
from navlog.daemon.journal.storage import AppendFile, Readable, RealStorage, Storage, append_all, write_whole
from navlog.schemas.envelope import (
    FORMAT,
    GENESIS,
    LINE_BYTES,
    Anchor,
    Header,
    Record,
    draft,
    seal,
    seal_of,
    unseal,
    unseal_as,
)
from navlog.schemas.errors import LineDamaged, UsageError
from navlog.schemas.events import RecordLost

SEGMENT_BYTES = 64 * 1024 * 1024
BUFFER_BYTES = 1024 * 1024
Progress = Callable[[int, int], None]  # (bytes done, bytes in all)


class SalvagedLog(msgspec.Struct, frozen=True, kw_only=True):
    """``lost``: ranges of positions, both ends included, where no readable record stood."""

    log: str
    records: int
    lost: tuple[tuple[int, int], ...]


def salvage(
    folder: Path,
    out: Path,
    *,
    storage: Storage | None = None,
    fences: Sequence[Fence] = (),
    now: Callable[[], str] = utc_now,
    progress: Progress = lambda _done, _all: None,
) -> tuple[SalvagedLog, ...]:
    """Makes ``out`` a log folder with all that is good in ``folder``.

    Raises `UsageError` unless ``out`` is an empty folder, or none yet, outside of ``folder``.
    """
    storage = storage or RealStorage()
    if storage.listdir(out) or out == folder or folder in out.parents:
        raise UsageError(
            f"{out} is not an empty folder beside the log.", hint="Name one that does not exist."
        )
    storage.make_folder(out)
    seen = Fenced(storage, folder, fences)
    sources = [_Source(seen, folder, log) for log in LOGS]
    total = sum(source.bytes for source in sources)
    done = 0
    found = []
    for source in sources:
        writer = _Writer(storage, out, source.log, now)
        for record, size in source.records():
            writer.take(record)
            done += size
            progress(done, total)
        found.append(writer.finish(source.mark))
    return tuple(found)


class _Place(NamedTuple):
    """A good line. Sorts by position; of two at the same, first the one that follows its predecessor."""

    position: int
    astray: bool
    number: int
    offset: int
    size: int


class _Source:
    """The good lines of one log, whatever is between them."""

    def __init__(self, seen: Readable, folder: Path, log: str) -> None:
        self.log = log
        self._seen = seen
        self._folder = folder
        self._numbers = segment_numbers(log, seen.listdir(folder))
        self.bytes = sum(seen.size(self._path(number)) for number in self._numbers)
        self.mark = self._mark()

    def records(self) -> Iterator[tuple[Record, int]]:
        """(record, bytes) in the order of positions, each once; moved lines stand where they belong."""
        last = 0
        for number in self._numbers:
            most = ceiling(self._first(number, last), self._seen.size(self._path(number)))
            for place in sorted(self._places(number)):
                if last < place.position <= most:
                    yield self._record(place), place.size
                    last = place.position

    def _places(self, number: int) -> Iterator[_Place]:
        prev = ""
        path = self._path(number)
        for offset, line in pieces(lambda at, size: self._seen.read(path, at, size), 0, self._end(number)):
            try:
                record = unseal(line)
            except LineDamaged:
                continue
            yield _Place(record.position, prev not in ("", record.prev), number, offset, len(line))
            prev = record.h

    def _record(self, place: _Place) -> Record:
        return unseal(self._seen.read(self._path(place.number), place.offset, place.size))

    def _first(self, number: int, last: int) -> int:
        header = self._header(number)
        return max(header.first, last + 1) if header else last + 1

    def _end(self, number: int) -> int:
        """Where the valid bytes end: as the next segment's header says, if there is one to ask."""
        size, following = self._seen.size(self._path(number)), self._header(number + 1)
        return min(size, following.previous_bytes) if following else size

    def _header(self, number: int) -> Header | None:
        if number not in self._numbers:
            return None
        head, newline, _ = self._seen.read(self._path(number), 0, LINE_BYTES).partition(b"\n")
        try:
            return unseal_as(Header, head + newline)
        except LineDamaged:
            return None

    def _mark(self) -> int:
        try:
            anchor = read_anchor(self._seen, self._folder, self.log)
        except LineDamaged:
            return 0
        return anchor.position if anchor else 0

    def _path(self, number: int) -> Path:
        return self._folder / segment_name(self.log, number)


class _Writer:
    """A new log, line by line; durable when it is finished."""

    def __init__(self, storage: Storage, out: Path, log: str, now: Callable[[], str]) -> None:
        self._storage = storage
        self._out = out
        self._log = log
        self._now = now
        self._file: AppendFile | None = None
        self._buffer = bytearray()
        self._number = self._size = self._position = self._records = 0
        self._prev = GENESIS
        self._lost: list[tuple[int, int]] = []

    def take(self, record: Record) -> None:
        """The next good record; what is missing before it is marked as lost."""
        self._lose_until(record.position)
        self._records += 1
        self._put(record)

    def finish(self, mark: int) -> SalvagedLog:
        """Everything up to ``mark`` has its line; makes all of it durable."""
        self._lose_until(mark + 1)
        if self._file is not None:
            self._close()
            anchor = Anchor(
                anchor=self._log,
                position=self._position,
                segment=self._number,
                bytes=self._size,
                at=self._now(),
                closed=True,
                tail=self._prev,
            )
            write_whole(self._storage, anchor_path(self._out, self._log), seal(anchor))
        return SalvagedLog(log=self._log, records=self._records, lost=tuple(self._lost))

    def _lose_until(self, position: int) -> None:
        first = self._position + 1
        if first < position:
            self._lost.append((first, position - 1))
        for lost in range(first, position):
            self._put(_lost_record(self._log, lost, self._now()))

    def _put(self, record: Record) -> None:
        if self._file is None or self._size > SEGMENT_BYTES:
            self._begin_segment(record.position)
        # Out of its atomic append on purpose: part of it may be lost, and batches matter to a torn tail only.
        self._write(seal(msgspec.structs.replace(record, prev=self._prev, h="", batch=None)))
        self._position = record.position

    def _begin_segment(self, first: int) -> None:
        header = Header(
            segment=self._number + 1,
            log=self._log,
            format=FORMAT,
            first=first,
            at=self._now(),
            previous_bytes=self._size,
            prev=self._prev,
        )
        self._close()
        self._number, self._size = header.segment, 0
        self._file = self._storage.create(self._out / segment_name(self._log, header.segment))
        self._write(seal(header))

    def _write(self, line: bytes) -> None:
        self._buffer += line
        self._size += len(line)
        self._prev = seal_of(line)
        if len(self._buffer) > BUFFER_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._file is not None and self._buffer:
            append_all(self._file, bytes(self._buffer))
            self._buffer.clear()

    def _close(self) -> None:
        self._flush()
        if self._file is not None:
            self._file.fsync()
            self._file.close()
            self._storage.fsync_dir(self._out)


def _lost_record(log: str, position: int, at: str) -> Record:
    event = draft(RecordLost(), project="", source="salvage", id=f"record_lost:{log}:{position}")
    return Record(
        position=position,
        id=event.id,
        at=at,
        project=event.project,
        source=event.source,
        type=event.type,
        version=event.version,
        data=msgspec.Raw(event.data),
        prev="",
    )
