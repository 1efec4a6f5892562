"""Walks the lines of a segment and says of each whether it is what was written, where it was written.

Reads in blocks and holds one line at a time, whatever the file holds. Decides nothing: what a fault means
is the business of recovery, verify and the reader.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from navlog.schemas.envelope import LINE_BYTES, Record, unseal
from navlog.schemas.errors import LineDamaged

Read = Callable[[int, int], bytes]  # (offset, size) -> bytes
BLOCK = 1024 * 1024
SHORTEST = 64  # bytes no line can do without: bounds how far a position can lie


class Step(NamedTuple):
    """One line. ``record`` is None where the bytes are damaged; ``fault`` is "" where all is well.

    ``position`` is the record's, or where the damaged one should stand. ``kept``: a record that can be
    read, at a position after the one before.
    """

    offset: int
    line: bytes
    position: int
    record: Record | None
    fault: str
    kept: bool


class Chain:
    """What the next record has to be: one position on, bearing the seal of the line before, in its batch."""

    def __init__(self, position: int, prev: str | None, ceiling: int) -> None:
        self.position = position
        self.prev = prev  # None: unknown, after damage
        self.batch: tuple[int, int] | None = None
        self._ceiling = ceiling
        self._lost = 0

    def lose(self) -> int:
        """A line was damaged, the next cannot be held against it. Returns where it should have stood."""
        self.prev = None
        self._lost += 1
        return self.position + self._lost

    def fault_of(self, record: Record) -> str:
        """Why ``record`` does not follow, or ""."""
        if record.position <= self.position:
            return f"position {record.position} after {self.position}: duplicated or moved"
        if record.position > self._ceiling:
            return f"position {record.position} cannot lie in this segment"
        if self.prev is None:
            return ""
        if record.position != self.position + 1:
            return f"position {record.position} after {self.position}: records are missing"
        if record.prev != self.prev:
            return "it does not bear the seal of the line before"
        return "" if self._fits_batch(record.batch) else "it does not follow in its batch"

    def follow(self, record: Record) -> bool:
        """Moves on to ``record`` where it lies ahead; returns whether it did."""
        if not self.position < record.position <= self._ceiling:
            return False
        self.position, self.prev, self.batch = record.position, record.h, record.batch
        self._lost = 0
        return True

    @property
    def in_batch(self) -> bool:
        """Whether the last record's batch is not complete."""
        return self.batch is not None and self.batch[0] < self.batch[1]

    def _fits_batch(self, batch: tuple[int, int] | None) -> bool:
        if self.batch is not None and self.in_batch:
            return batch == (self.batch[0] + 1, self.batch[1])
        return batch is None or batch[0] == 1


def walk(read: Read, start: int, end: int, chain: Chain) -> Iterator[Step]:
    """Every line between two offsets."""
    for offset, line in pieces(read, start, end):
        try:
            record = unseal(line)
        except LineDamaged as fault:
            yield Step(offset, line, chain.lose(), None, fault.message, False)
            continue
        why = chain.fault_of(record)
        yield Step(offset, line, record.position, record, why, chain.follow(record))


def pieces(read: Read, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """(offset, line with newline). A piece without one is the unfinished end, or part of an overlong line."""
    offset, at, rest = start, start, b""
    while at < end:
        block = read(at, min(BLOCK, end - at))
        if not block:
            break
        at += len(block)
        *whole, rest = (rest + block).split(b"\n")
        for line in whole:
            yield offset, line + b"\n"
            offset += len(line) + 1
        if len(rest) > LINE_BYTES:
            yield offset, rest
            offset, rest = at, b""
    if rest:
        yield offset, rest


def ceiling(first: int, size: int) -> int:
    """No record of a segment of ``size`` bytes that begins at ``first`` can have a higher position."""
    return first + size // SHORTEST
