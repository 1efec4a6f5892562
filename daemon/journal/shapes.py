"""What the journal is asked and what it answers."""

from typing import Literal

import msgspec


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """Matches an event of one of ``types`` (any, when none is named) that bears all of ``tags``."""

    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    def matches(self, type_: str, tags: tuple[str, ...]) -> bool:
        return (not self.types or type_ in self.types) and set(self.tags) <= set(tags)


class Condition(msgspec.Struct, frozen=True, kw_only=True):
    """The append goes through only if nothing after position ``after`` matches one of ``items``.

    Without items everything matches: then nothing at all may have been appended since.
    """

    items: tuple[Item, ...] = ()
    after: int = 0


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """The positions of what was appended; ``repeated`` are the ids that were there already.

    Where nothing was new, ``first`` and ``last`` span the events that were there: a retry gets the answer
    that got lost.
    """

    first: int
    last: int
    repeated: tuple[str, ...] = ()


Kind = Literal["damaged", "broken", "missing", "header", "anchor"]


class Damage(msgspec.Struct, frozen=True, kw_only=True):
    """One place where the log is not what was written.

    ``kind``: damaged (bytes), broken (the chain), missing (a segment or its end), header, anchor.
    ``position`` is that of the record that stood or should stand there, 0 where nobody can say.
    """

    segment: str
    offset: int
    position: int
    kind: Kind
    why: str


class Repair(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes that were taken out of the log, and where they are kept (a path relative to the log's folder)."""

    segment: str
    offset: int
    length: int
    quarantine: str
    why: str


class Fence(msgspec.Struct, frozen=True, kw_only=True):
    """A durable prefix of a log: the first ``bytes`` of ``segment`` and all segments before it."""

    log: str
    segment: int
    bytes: int
    position: int


class JournalState(msgspec.Struct, frozen=True, kw_only=True):
    """How a log is. ``mark`` is the high-water mark kept outside of it; durations are in seconds.

    ``poisoned`` names the failed write that closed a segment, until a new one is open, ``remedy`` what to do
    then; ``read_only`` why writes are refused for good; ``fatal`` that the process should end with 75.
    """

    log: str
    position: int
    segments: int
    bytes: int
    mark: int
    fsyncs: int
    slow_fsyncs: int
    last_fsync_s: float
    poisoned: str = ""
    remedy: str = ""
    read_only: str = ""
    fatal: bool = False
    damage: tuple[Damage, ...] = ()
    repairs: tuple[Repair, ...] = ()
