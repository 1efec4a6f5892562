"""The readable log: its segments, up to the durable position.

Reads prove every line they take from a file; the newest records come from memory (`recent`). Damage met on
the way is noted and stepped over: it hides nothing but itself. One thread publishes; any number read. Never
writes a byte.
"""

import threading
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import msgspec

from navlog.daemon.journal.layout import segment_name
from navlog.daemon.journal.recent import Recent
from navlog.daemon.journal.scan import Chain, Read, ceiling, walk
from navlog.daemon.journal.shapes import Damage, Fence, Item
from navlog.daemon.journal.storage import Readable
from navlog.daemon.journal.table import LOST, Lookup, id_key, tag_key, type_key
from navlog.schemas.envelope import GENESIS, Record, unseal
from navlog.schemas.errors import LineDamaged, LogDamaged


class Segment(msgspec.Struct, kw_only=True):
    """A file of the log. Valid are its first ``size`` bytes; records begin at ``start``.

    ``last`` is the highest position in it (``first`` - 1 while there is none), ``tail`` the seal of its
    last line.
    """

    number: int
    first: int
    start: int
    size: int
    last: int
    tail: str
    table: Lookup


class Catalog:
    """The segments of one log, oldest first."""

    def __init__(self, storage: Readable, folder: Path, log: str) -> None:
        self.log = log
        self.segments: list[Segment] = []
        self.recent = Recent()
        self._storage = storage
        self._folder = folder
        self._damage: dict[tuple[str, int], Damage] = {}
        self._noting = threading.Lock()

    @property
    def position(self) -> int:
        """The last durable position."""
        return self.segments[-1].last if self.segments else 0

    @property
    def tail(self) -> str:
        """The seal of the last line, the genesis where there is none."""
        return self.segments[-1].tail if self.segments else GENESIS

    @property
    def fence(self) -> Fence:
        """What is durable now."""
        newest = self.segments[-1] if self.segments else None
        return Fence(
            log=self.log,
            segment=newest.number if newest else 0,
            bytes=newest.size if newest else 0,
            position=newest.last if newest else 0,
        )

    @property
    def damage(self) -> tuple[Damage, ...]:
        """Every damaged place met so far, in the order of the log."""
        with self._noting:
            return tuple(self._damage[place] for place in sorted(self._damage))

    def note(self, damage: Damage) -> None:
        """Remembers a damaged place, once."""
        with self._noting:
            self._damage.setdefault((damage.segment, damage.offset), damage)

    def path(self, number: int) -> Path:
        """Where a segment lies."""
        return self._folder / segment_name(self.log, number)

    # --- reading ----------------------------------------------------------------------------------------

    def read(self, after: int = 0, limit: int | None = None) -> Iterator[Record]:
        """The records after a position, up to what is durable now."""
        until = self.position
        count = max(0, until - after)
        held = self.recent.read(after, count if limit is None else min(limit, count))
        return islice(self._records(after, until), limit) if held is None else iter(held)

    def select(self, items: Sequence[Item], after: int = 0) -> Iterator[Record]:
        """The records after a position that match one of ``items``; without items, all of them."""
        if not items:
            return self.read(after)
        until = self.position
        held = self.recent.read(after, max(0, until - after))
        if held is None:
            return self._matching(items, after, until)
        return (one for one in held if any(item.matches(one.type, one.tags) for item in items))

    def find(self, id_: str) -> Record | None:
        """The record with this id; the newest segments are looked at first."""
        key = id_key(id_)
        for segment in reversed(self.segments):
            for position in segment.table.with_id(key):
                record = self._record(segment, position)
                if record is not None and record.id == id_:
                    return record
        return None

    def at(self, position: int) -> Record | None:
        """The record at a position; None where there is none that can be read."""
        for segment in reversed(self.segments):
            if segment.first <= position <= segment.last:
                return self._record(segment, position)
        return None

    def _records(self, after: int, until: int) -> Iterator[Record]:
        segments = list(self.segments)
        firsts = [segment.first for segment in segments]
        for segment in segments[max(bisect_right(firsts, after + 1) - 1, 0) :]:
            if segment.last > after:
                yield from self._of(segment, after, until)

    def _of(self, segment: Segment, after: int, until: int) -> Iterator[Record]:
        end = segment.size
        for step in walk(self._reader(segment), *self._span(segment, after, end)):
            if step.fault:
                self._note(segment, step.offset, step.position, step.fault, broken=step.record is not None)
            if step.record is None or not step.kept:
                continue
            if step.record.position > until:
                return
            yield step.record

    def _span(self, segment: Segment, after: int, end: int) -> tuple[int, int, Chain]:
        """Where to walk for the records after a position, and what must come first there."""
        limit = ceiling(segment.first, end)
        for position in range(max(after + 1, segment.first), segment.last + 1):
            if (offset := segment.table.offset(position)) != LOST:
                return offset, end, Chain(position - 1, None, limit)
        return end, end, Chain(segment.last, None, limit)

    def _matching(self, items: Sequence[Item], after: int, until: int) -> Iterator[Record]:
        for segment in list(self.segments):
            if segment.last <= after:
                continue
            for position in sorted(set().union(*(_candidates(segment, item, after) for item in items))):
                record = self._record(segment, position) if position <= until else None
                if record and any(item.matches(record.type, record.tags) for item in items):
                    yield record

    def _record(self, segment: Segment, position: int) -> Record | None:
        # The writer fills the table first and publishes then: what is beyond `last` is not there yet.
        if position > segment.last or (offset := segment.table.offset(position)) == LOST:
            return None
        end = segment.size
        if position < segment.last and (following := segment.table.offset(position + 1)) != LOST:
            end = following
        line, newline, _ = self._read(segment, offset, end - offset).partition(b"\n")
        try:
            return unseal(line + newline)
        except LineDamaged as fault:
            self._note(segment, offset, position, fault.message)
            return None

    def _reader(self, segment: Segment) -> Read:
        return lambda offset, size: self._read(segment, offset, size)

    def _read(self, segment: Segment, offset: int, size: int) -> bytes:
        """Bytes of a segment; raises `LogDamaged` where the disk does not give them."""
        try:
            return self._storage.read(self.path(segment.number), offset, size)
        except OSError as fault:
            name = segment_name(self.log, segment.number)
            raise LogDamaged(
                f"{name} cannot be read at byte {offset}: {fault}",
                segment=name,
                offset=offset,
                hint="Look at the disk; navlog salvage copies what can be read.",
            ) from fault

    def _note(self, segment: Segment, offset: int, position: int, why: str, *, broken: bool = False) -> None:
        self.note(
            Damage(
                segment=segment_name(self.log, segment.number),
                offset=offset,
                position=position,
                kind="broken" if broken else "damaged",
                why=why,
            )
        )


def _candidates(segment: Segment, item: Item, after: int) -> set[int]:
    """Positions that may match: hashes are compared, the record decides."""
    found: set[int] | None = None
    if item.types:
        found = set().union(*(segment.table.with_key(type_key(type_), after) for type_ in item.types))
    for tag in item.tags:
        bearing = segment.table.with_key(tag_key(tag), after)
        found = set(bearing) if found is None else found.intersection(bearing)
    return set(range(max(segment.first, after + 1), segment.last + 1)) if found is None else found
