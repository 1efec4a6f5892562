"""One event, one line: the shapes around a payload, and the seal that proves a line.

Pure: bytes in, structs out, and back. Knows nothing of files, and refuses to guess: a line is classified by
its framing and its hash, never by what a parser says of it. The byte format is specified in
docs/log-format.md.
"""

from hashlib import blake2b
from typing import TypeVar

import msgspec

from navlog.schemas.errors import LineDamaged, StartRefused, UsageError
from navlog.schemas.events import Event
from navlog.schemas.overlays import Overlay

FORMAT = 1
LINE_BYTES = 1024 * 1024  # with its newline: a reader never has to hold more
NESTING = 64  # how deep a payload may nest: far below what any parser's stack allows
GENESIS = "0" * 16  # the ``prev`` of a log's first line


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
    data: msgspec.Raw
    occurred_at: str | None = None
    cause: str | None = None
    trace: str | None = None
    batch: tuple[int, int] | None = None
    critical: bool = False
    prev: str
    h: str = ""


class Header(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The first line of a segment.

    ``first`` is the position of its first record, ``previous_bytes`` how much of the segment before is valid
    (bytes beyond are void), ``prev`` the seal of that segment's last valid line.
    """

    segment: int
    log: str
    format: int
    first: int
    at: str
    previous_bytes: int
    prev: str
    h: str = ""


class Anchor(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The high-water mark beside a log: what was durable for certain when it was written.

    ``bytes`` is the length of ``segment``, ``tail`` the seal of its last line; ``closed`` says that the log
    was stopped cleanly there.
    """

    anchor: str
    position: int
    segment: int
    bytes: int
    at: str
    closed: bool
    tail: str
    h: str = ""


Sealed = TypeVar("Sealed", Record, Header, Anchor)

# --- seals ----------------------------------------------------------------------------------------------

_FRAME = b',"h":"'
_END = b'"}\n'
_SEAL = len(_FRAME) + 16 + len(_END)
_encode = msgspec.json.Encoder().encode
_RECORD = msgspec.json.Decoder(Record)


def seal(line: Record | Header | Anchor) -> bytes:
    """The line's bytes with its seal and newline; ``h`` of the struct is not looked at."""
    body = _encode(line)
    body = body[: 1 - _SEAL] if line.h else body[:-1]
    return b"%b%b%b%b" % (body, _FRAME, digest_of(body), _END)


def seal_of(line: bytes) -> str:
    """The 16 hex digits of a sealed line."""
    return line[-len(_END) - 16 : -len(_END)].decode("latin-1")


def is_sealed(line: bytes) -> bool:
    """Whether framing and hash hold: these bytes are what was written."""
    return (
        line[-_SEAL : len(_FRAME) - _SEAL] == _FRAME
        and line[-len(_END) :] == _END
        and line[len(_FRAME) - _SEAL : -len(_END)] == digest_of(memoryview(line)[:-_SEAL])
    )


def unseal(line: bytes) -> Record:
    """The record of one line, newline included; raises `LineDamaged`."""
    if not is_sealed(line):
        raise LineDamaged(_why(line))
    try:
        return _RECORD.decode(line)
    except _UNREADABLE as fault:
        raise LineDamaged(f"the seal holds, but this is no record: {fault}") from None


def unseal_as(shape: type[Sealed], line: bytes) -> Sealed:
    """The header or anchor of one line; raises `LineDamaged`, or `StartRefused` for a newer format."""
    if not is_sealed(line):
        raise LineDamaged(_why(line))
    try:
        found = msgspec.json.decode(line, type=shape)
    except _UNREADABLE as fault:
        raise LineDamaged(f"the seal holds, but this is no {shape.__name__.lower()}: {fault}") from None
    if isinstance(found, Header) and found.format > FORMAT:
        raise StartRefused(
            f"The log is written in format {found.format}; this navlog knows {FORMAT}.",
            hint="Install the navlog that wrote it, or a newer one.",
        )
    return found


_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def digest_of(body: bytes | memoryview) -> bytes:
    """The 16 hex digits that seal ``body``."""
    return blake2b(body, digest_size=8).hexdigest().encode()


def _why(line: bytes) -> str:
    if not line.endswith(b"\n"):
        return "the line has no end"
    if line[-_SEAL : len(_FRAME) - _SEAL] != _FRAME or not line.endswith(_END):
        return "the line has no seal"
    return "the seal does not match the bytes"


# --- drafts ---------------------------------------------------------------------------------------------


def draft(
    event: Event | Overlay,
    *,
    project: str,
    source: str,
    id: str,  # noqa: A002 - the field's name on the line
    tags: tuple[str, ...] = (),
    occurred_at: str | None = None,
    cause: str | None = None,
    trace: str | None = None,
    critical: bool = False,
) -> Draft:
    """``event`` ready for the journal; raises `UsageError` for text that cannot stand in JSON."""
    try:
        data = _encode(event)
    except (UnicodeEncodeError, RecursionError) as fault:
        raise UsageError(f"The payload of {event.TYPE} cannot be written as JSON: {fault}") from fault
    return Draft(
        id=id,
        project=project,
        source=source,
        type=event.TYPE,
        version=event.VERSION,
        data=data,
        tags=tags,
        occurred_at=occurred_at,
        cause=cause,
        trace=trace,
        critical=critical,
    )
