"""A sealed segment's table on disk: mapped, searched by bisection, never needed.

A start would otherwise read every segment, and a dict of a million ids takes 150 MB. Whatever is odd about an
index (its sum, its segment's length, time or last seal) makes it be built again from the segment, the truth.
"""

import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import msgspec

from navlog.daemon.journal.catalog import Catalog, Segment
from navlog.daemon.journal.layout import index_path, segment_name
from navlog.daemon.journal.storage import Readable, Storage, write_whole
from navlog.daemon.journal.table import LOST, Critical, Table

SUM = 8  # bytes at the end, over all before them
FORMAT = f"1-{sys.byteorder}"


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The first line. ``bytes``, ``stamp`` and ``tail`` tie the index to its segment."""

    format: str
    first: int
    bytes: int
    stamp: int
    tail: str
    records: int
    ids: int
    keys: int
    postings: int
    critical: tuple[Critical, ...] = ()


class Index:
    """A `Lookup` over the mapped file."""

    def __init__(self, head: Head, body: memoryview) -> None:
        self.first = head.first
        self.critical = head.critical
        self.head = head
        cut = _Cutter(body)
        self._offsets = cut.take("I", head.records)
        self._ids = cut.take("Q", head.ids)
        self._id_ordinals = cut.take("I", head.ids)
        self._keys = cut.take("Q", head.keys)
        self._starts = cut.take("I", head.keys + 1)
        self._postings = cut.take("I", head.postings)

    def __len__(self) -> int:
        return self.head.records

    def offset(self, position: int) -> int:
        return self._offsets[position - self.first]

    def with_id(self, key: int) -> Sequence[int]:
        found: list[int] = []
        at = bisect_left(self._ids, key)
        while at < len(self._ids) and self._ids[at] == key:
            found.append(self.first + self._id_ordinals[at])
            at += 1
        return found

    def with_key(self, key: int, after: int) -> Sequence[int]:
        at = bisect_left(self._keys, key)
        if at == len(self._keys) or self._keys[at] != key:
            return ()
        start, end = self._starts[at], self._starts[at + 1]
        start = bisect_right(self._postings, after - self.first, start, end)
        return [self.first + ordinal for ordinal in self._postings[start:end]]


def load_index(storage: Readable, folder: Path, log: str, number: int) -> Index | None:
    """The index, if it is whole; whether it fits its segment is for the caller to compare."""
    path = index_path(folder, log, number)
    try:
        content = memoryview(storage.read(path))  # not mapped yet: what is looked at there stays resident
        end = bytes(content[:65536]).index(b"\n") + 1
        head = msgspec.json.decode(content[:end], type=Head)
        whole = head.format == FORMAT and bytes(content[-SUM:]) == _sum(content[:-SUM])
        return Index(head, storage.view(path)[end:-SUM]) if whole else None
    except (OSError, ValueError, TypeError):  # msgspec's faults are ValueErrors
        return None


def index_sealed(storage: Storage, folder: Path, catalog: Catalog) -> None:
    """Gives every segment but the newest its index; one that cannot be written stays in memory."""
    for segment in catalog.segments[:-1]:
        if isinstance(segment.table, Table) and LOST not in segment.table.offsets:
            with suppress(OSError):
                _save(storage, folder, catalog.log, segment, segment.table)
                segment.table = load_index(storage, folder, catalog.log, segment.number) or segment.table


def _save(storage: Storage, folder: Path, log: str, segment: Segment, table: Table) -> None:
    body = _body(table)
    head = Head(
        format=FORMAT,
        first=segment.first,
        bytes=segment.size,
        stamp=storage.stamp(folder / segment_name(log, segment.number)),
        tail=segment.tail,
        records=len(table.offsets),
        ids=len(table.ids),
        keys=len(table.keys),
        postings=sum(len(table.bearing(key)) for key in table.keys),
        critical=tuple(table.critical),
    )
    path = index_path(folder, log, segment.number)
    storage.make_folder(path.parent)
    content = msgspec.json.encode(head) + b"\n" + body
    write_whole(storage, path, content + _sum(content))


class _Cutter:
    """Takes typed pieces off the front of a buffer."""

    def __init__(self, view: memoryview) -> None:
        self._view = view

    def take(self, kind: str, count: int) -> memoryview:
        size = count * (8 if kind == "Q" else 4)
        piece, self._view = self._view[:size], self._view[size:]
        return piece.cast("B").cast(kind)  # type: ignore[call-overload, no-any-return]


def _body(table: Table) -> bytes:
    ids = sorted((key << 32) | ordinal for key, ordinal in table.ids.items())
    keys = sorted(table.keys)
    starts, postings = array("I", [0]), array("I")
    for key in keys:
        postings.extend(table.bearing(key))
        starts.append(len(postings))
    return b"".join(
        (
            table.offsets.tobytes(),
            array("Q", (pair >> 32 for pair in ids)).tobytes(),
            array("I", (pair & 0xFFFF_FFFF for pair in ids)).tobytes(),
            array("Q", keys).tobytes(),
            starts.tobytes(),
            postings.tobytes(),
        )
    )


def _sum(content: bytes | memoryview) -> bytes:
    return blake2b(content, digest_size=SUM).digest()
