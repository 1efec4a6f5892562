"""What the projection ``msu`` remembers between batches, and what a batch changes.

A cache of the tables: which changes are owed a record, and which projects have been looked at as a whole.
"""

import msgspec

from navlog.projections.embedding import Vectors
from navlog.schemas.slices import MsuFormed

Place = tuple[str, str]  # (project, path)


class Standing(msgspec.Struct, frozen=True):
    """A path: what the records say of it, and what it has now ("": nothing, each).

    ``cause`` is the id of the event that a record is owed for, "" when none is; ``at`` and ``position`` are
    that event's. ``previous`` is the path it had when the records last spoke of it, where that was another.
    """

    sliced: str = ""
    content: str = ""
    previous: str = ""
    cause: str = ""
    at: str = ""
    position: int = 0


class Entry(msgspec.Struct, frozen=True):
    """A record in the queue. ``at`` is in seconds since the epoch, ``vector`` the hashing embedder's.

    ``machine`` names the one that formed it, "" for this one.
    """

    position: int
    at: float
    msu: MsuFormed
    vector: Vectors
    machine: str = ""


class Row(msgspec.Struct, frozen=True):
    """A record on its way into the tables."""

    project: str
    at: str
    cause: str
    record: bytes
    entry: Entry


class Changes(msgspec.Struct):
    """``purged`` projects lose everything first. ``standing``: what is at a place now, None: nothing."""

    purged: set[str] = msgspec.field(default_factory=set)
    looked: set[str] = msgspec.field(default_factory=set)
    standing: dict[Place, Standing | None] = msgspec.field(default_factory=dict)
    texts: dict[str, str] = msgspec.field(default_factory=dict)
    formed: list[Row] = msgspec.field(default_factory=list)


class State:
    """``due``: the places that a record is owed for. ``looked``: the projects whose first look has ended."""

    def __init__(self) -> None:
        self.due: dict[Place, Standing] = {}
        self.looked: set[str] = set()
