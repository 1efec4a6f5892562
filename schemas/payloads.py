"""What a payload may be, and what it is: bytes -> today's structs.

Stored bytes are never rewritten; what this release does not know is handed on as `Unknown`, to be counted and
skipped. Refuses nothing that is in the log already.
"""

from typing import Any, Literal

import msgspec

from navlog.schemas.envelope import NESTING, Record
from navlog.schemas.errors import UsageError
from navlog.schemas.events import EVENTS, Event
from navlog.schemas.overlays import OVERLAYS, Overlay
from navlog.schemas.upcasts import upcast

PAYLOADS: dict[str, type[Event] | type[Overlay]] = {**EVENTS, **OVERLAYS}


class Unknown(msgspec.Struct, frozen=True, kw_only=True):
    """What this release cannot read. ``why``: no such type, a newer version, or another shape of payload."""

    type: str
    version: int
    why: Literal["type", "version", "shape"]
    critical: bool = False


def decode_payload(record: Record) -> Event | Overlay | Unknown:
    """The payload as this release's struct, upcast where it is older. Never raises for what is in a log."""
    if not is_known(record.type, record.version):
        return _unknown(record, "version" if record.type in PAYLOADS else "type")
    shape = PAYLOADS[record.type]
    try:
        if record.version == shape.VERSION:
            return _DECODERS[record.type].decode(record.data)  # type: ignore[no-any-return]
        payload = upcast(record.type, record.version, _PLAIN.decode(record.data), to=shape.VERSION)
        return msgspec.convert(payload, shape)
    except _MISSHAPEN:
        return _unknown(record, "shape")


def is_known(type_: str, version: int) -> bool:
    """Whether this release can read events of this type and version."""
    return type_ in PAYLOADS and 1 <= version <= PAYLOADS[type_].VERSION


def check_payload(data: bytes) -> None:
    """Raises `UsageError` unless ``data`` is one JSON value, in UTF-8, on one line, not nested too deep."""
    try:
        data.isascii() or data.decode()
        _RAW.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise UsageError(f"The payload is not JSON: {fault}") from fault
    if b"\n" in data:
        raise UsageError("The payload is not on one line.", hint="Encode it without indentation.")
    if _nests_deeper(data, NESTING):
        raise UsageError(f"The payload nests deeper than {NESTING} levels.")


_DECODERS: dict[str, msgspec.json.Decoder[Any]] = {
    name: msgspec.json.Decoder(shape) for name, shape in PAYLOADS.items()
}
_PLAIN = msgspec.json.Decoder(dict[str, Any])
_RAW = msgspec.json.Decoder(msgspec.Raw)
_MISSHAPEN = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, KeyError, TypeError, ValueError)
_BRACKETS = bytes.maketrans(b"{}", b"[]")
_OTHERS = bytes(set(range(256)) - set(b"[]{}"))


def _unknown(record: Record, why: Literal["type", "version", "shape"]) -> Unknown:
    return Unknown(type=record.type, version=record.version, why=why, critical=record.critical)


def _nests_deeper(data: bytes, levels: int) -> bool:
    """Peels one level of brackets a round: no recursion, whatever the input."""
    if data.count(b"[") + data.count(b"{") <= levels:
        return False
    unescaped = data.replace(rb"\\", b"").replace(rb"\"", b"")
    brackets = b"".join(unescaped.split(b'"')[::2]).translate(_BRACKETS, _OTHERS)
    for _ in range(levels):
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"")
    return bool(brackets)
