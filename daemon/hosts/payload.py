"""A host's payload: JSON of any shape, read without a surprise.

What is missing or of another type is "" or empty: a host that changes a field costs that field, no more.
"""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec

from navlog.schemas.errors import RequestRefused

# Of a payload that was too long the client sends the beginning: the fields that say which call it was.
HEAD = "navlog_head"
_FIELD = re.compile(r'"([a-z][a-z_-]{1,30})"\s*:\s*("(?:[^"\\]|\\.){0,4096}")')


class Payload:
    """An object of the host's."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.fields = fields

    def text(self, *names: str) -> str:
        """The first of the fields that is a text and not empty."""
        found = (self.fields.get(name) for name in names)
        return next((value for value in found if isinstance(value, str) and value), "")

    def number(self, name: str) -> int:
        """A count or a duration, whole and not negative."""
        value = self.fields.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return 0
        return int(value) if 0 <= value < 1 << 53 else 0

    def of(self, name: str) -> "Payload":
        """The object in a field."""
        value = self.fields.get(name)
        return Payload(value if isinstance(value, dict) else {})

    def any(self, name: str) -> Any:
        """The field as it is."""
        return self.fields.get(name)


def read_payload(raw: bytes | msgspec.Raw) -> Payload:
    """The payload; raises `RequestRefused` for what is not a JSON object.

    Half a surrogate pair, which JavaScript writes and JSON cannot mean, becomes U+FFFD.
    """
    data = bytes(raw)
    try:
        value = _decode(data)
    except (ValueError, RecursionError) as fault:
        raise RequestRefused(f"The hook's payload is no JSON: {fault}.") from fault
    if not isinstance(value, dict):
        raise RequestRefused("The hook's payload is no JSON object.")
    return Payload(_mended(value[HEAD]) if isinstance(value.get(HEAD), str) else value)


def _mended(head: str) -> dict[str, Any]:
    """The texts that are whole in a payload's beginning; of two with one name the first: the outer one."""
    found: dict[str, Any] = {}
    for name, value in _FIELD.findall(head):
        with suppress(ValueError):
            found.setdefault(name, _whole(json.loads(value)))
    return found


def _decode(data: bytes) -> Any:
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return _whole(json.loads(data.decode(errors="replace")))


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_whole(one) for one in value]
    if isinstance(value, dict):
        return {_whole(name): _whole(one) for name, one in value.items()}
    return value
