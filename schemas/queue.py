"""What the verbs of the queue take and give: listing records, showing one, following."""

from typing import Annotated

import msgspec

from navlog.schemas.slices import MsuFormed

Count = Annotated[int, msgspec.Meta(ge=1, le=1000)]


class MsuListArgs(msgspec.Struct, frozen=True, kw_only=True):
    """The hottest records of the last day; ``task``: those nearest to these words instead."""

    project: str | None = None
    limit: Count = 20
    task: str = ""


class MsuLine(msgspec.Struct, frozen=True, kw_only=True):
    """A record in short. ``score`` is its heat at the moment, or its nearness to the task.

    ``machine`` names another one that formed it and shares it, "" for this one.
    """

    msu: str
    position: int
    path: str
    summary: str
    score: float
    age_s: float
    tokens: int
    members: int
    machine: str = ""


class MsuListReply(msgspec.Struct, frozen=True, kw_only=True):
    """``position``: up to which event the records are formed; ``waiting``: changes without one yet."""

    project: str
    position: int
    waiting: int
    msus: list[MsuLine]


class MsuShowArgs(msgspec.Struct, frozen=True, kw_only=True):
    """``msu``: an id, its beginning, or a path: then the newest record of that path."""

    msu: str
    project: str | None = None


class MsuShowReply(msgspec.Struct, frozen=True, kw_only=True):
    """A record whole, with its texts by hash."""

    line: MsuLine
    record: MsuFormed
    texts: dict[str, str]


class MsuTailArgs(msgspec.Struct, frozen=True, kw_only=True):
    """The records beyond ``after``, the reader's own position; waits up to ``wait_s`` for the first."""

    project: str | None = None
    after: int | None = None
    limit: Count = 100
    wait_s: Annotated[float, msgspec.Meta(ge=0, le=25)] = 0.0


class MsuTailReply(msgspec.Struct, frozen=True, kw_only=True):
    """``after`` is where the reader goes on; given None, it is the end of the queue."""

    after: int
    msus: list[MsuLine]


READER = r"^[\w.:@-]{1,100}$"
Reader = Annotated[str, msgspec.Meta(pattern=READER)]


class MsuTakeArgs(msgspec.Struct, frozen=True, kw_only=True):
    """What ``reader`` is to be given next; ``done``: positions it was given before and has dealt with."""

    reader: Reader
    project: str | None = None
    done: list[int] = []
    limit: Count = 100
    wait_s: Annotated[float, msgspec.Meta(ge=0, le=25)] = 0.0


class MsuTakeReply(msgspec.Struct, frozen=True, kw_only=True):
    """What is not named as ``done`` within a minute is given again."""

    msus: list[MsuLine]
