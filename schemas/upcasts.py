"""Old payloads read as today's: pure functions dict -> dict by (type, version), each one step up.

Stored bytes are never rewritten. There is no older version yet, so the table is empty.
"""

from collections.abc import Callable, Mapping
from typing import Any

Payload = dict[str, Any]
UPCASTS: Mapping[tuple[str, int], Callable[[Payload], Payload]] = {}


def upcast(type_: str, version: int, payload: Payload, *, to: int) -> Payload:
    """``payload`` of ``version`` as version ``to``; raises KeyError where a step is missing."""
    for step in range(version, to):
        payload = UPCASTS[type_, step](payload)
    return payload
