"""What one segment holds: where each record lies, and which positions bear an id, a type or a tag.

Keys are 64-bit hashes: a hit has to be confirmed by reading the record. In memory, so only for the segment
that is being written (at most `Log.segment_bytes`); sealed ones have `navlog.daemon.journal.index`.
"""

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Protocol

from navlog.schemas.envelope import Record

Critical = tuple[int, str, int]  # position, type, version
LOST = 0xFFFF_FFFF  # the offset of a record that cannot be read


class Lookup(Protocol):
    """What the reader asks, of a table in memory or an index on disk. Positions ascend."""

    first: int

    @property
    def critical(self) -> Sequence[Critical]:
        """The events that no release may write behind without knowing them."""

    def __len__(self) -> int:
        """How many positions it covers, lost ones included."""

    def offset(self, position: int) -> int:
        """Where the record begins, or LOST."""

    def with_id(self, key: int) -> Sequence[int]:
        """Positions that may bear the id with this hash."""

    def with_key(self, key: int, after: int) -> Sequence[int]:
        """Positions after ``after`` that may bear the type or tag with this hash."""


class Table:
    """A `Lookup` that grows. One thread adds; others may look, up to the durable position."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.offsets = array("I")
        self.ids: dict[int, int] = {}
        self.keys: dict[int, int | array[int]] = {}  # most tags stand on one record: no array for it
        self.critical: list[Critical] = []

    def __len__(self) -> int:
        return len(self.offsets)

    def add(self, record: Record, offset: int) -> None:
        """``record`` lies at ``offset``; positions skipped since the last one are lost."""
        ordinal = record.position - self.first
        self.offsets.extend([LOST] * (ordinal - len(self.offsets)))
        self.ids.setdefault(id_key(record.id), ordinal)
        for key in (type_key(record.type), *map(tag_key, record.tags)):
            bearing = self.keys.get(key)
            if bearing is None:
                self.keys[key] = ordinal
            elif isinstance(bearing, int):
                self.keys[key] = array("I", (bearing, ordinal))
            else:
                bearing.append(ordinal)
        if record.critical:
            self.critical.append((record.position, record.type, record.version))
        self.offsets.append(offset)

    def offset(self, position: int) -> int:
        return self.offsets[position - self.first]

    def with_id(self, key: int) -> Sequence[int]:
        ordinal = self.ids.get(key)
        return () if ordinal is None else (self.first + ordinal,)

    def with_key(self, key: int, after: int) -> Sequence[int]:
        bearing = self.bearing(key)
        return [self.first + ordinal for ordinal in bearing[bisect_right(bearing, after - self.first) :]]

    def bearing(self, key: int) -> "array[int]":
        """The ordinals of all records with this type or tag."""
        found = self.keys.get(key, _NONE)
        return array("I", (found,)) if isinstance(found, int) else found


_NONE = array("I")


@lru_cache(maxsize=1024)  # asked for at the append, and again once it is durable
def id_key(id_: str) -> int:
    """The hash an id is looked up by."""
    return _hash(b"i" + id_.encode())


@lru_cache(maxsize=1024)
def type_key(type_: str) -> int:
    """The hash a type is looked up by."""
    return _hash(b"t" + type_.encode())


@lru_cache(maxsize=1024)
def tag_key(tag: str) -> int:
    """The hash a tag is looked up by."""
    return _hash(b"g" + tag.encode())


def _hash(data: bytes) -> int:
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little")
