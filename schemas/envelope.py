"""One event, one line: the shapes around a payload.

The byte format is specified in docs/log-format.md.
"""

import msgspec


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """An event somebody asks the journal to append; the journal adds position, time and seal.

    ``data`` is the payload as JSON bytes. ``id`` is the idempotency key: the same id appended again is
    a no-op. ``occurred_at`` and the journal's own ``at`` are RFC 3339 in UTC. ``cause`` is the id of the
    event that led to this one, ``trace`` the id that runs from a hook to its answer.
    """

    id: str
    project: str
    source: str
    type: str
    data: bytes
    version: int = 1
    tags: tuple[str, ...] = ()
    occurred_at: str | None = None
    cause: str | None = None
    trace: str | None = None
    critical: bool = False


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A durable event as read from the log; the field order is the order on the line.

    ``data`` is the payload's JSON, verbatim. ``batch`` is [k, n]: the k-th of an atomic append of n.
    ``prev`` and ``h`` are 16 hex digits each: the seal of the line before and of this one.
    """

    position: int
    id: str
    at: str
    project: str
    source: str
    type: str
    version: int
    tags: tuple[str, ...] = ()
    data: msgspec.Raw = msgspec.Raw(b"{}")
    occurred_at: str | None = None
    cause: str | None = None
    trace: str | None = None
    batch: tuple[int, int] | None = None
    critical: bool = False
    prev: str = ""
    h: str = ""
