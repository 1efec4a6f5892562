"""What every HTTP question to a configured service keeps to: no redirects, an end in time and in size.

Knows no service and words no error: who asks says what a person does about it.
"""

import time
import urllib.request
from http.client import IncompleteRead
from typing import Any

PIECE = 64 * 1024


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        """None: not followed, for texts and keys would go along; urllib raises the answer as an error."""


open_url = urllib.request.build_opener(_Stay).open


def whole(reply: Any, until: float, most: int) -> bytes:
    """All of ``reply``, an `http.client.HTTPResponse`.

    ``until`` is a reading of `time.monotonic`: urllib's limit is for each read, and a server that sends a
    byte now and then would hold it for ever. Raises TimeoutError after it, ValueError for more than ``most``
    bytes, `IncompleteRead` for fewer than were announced.
    """
    pieces: list[bytes] = []
    size = 0
    while piece := reply.read1(PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > most:
            raise ValueError(f"more than {most} bytes")
        if time.monotonic() > until:
            raise TimeoutError("it answers too slowly")
    if reply.length:
        raise IncompleteRead(b"".join(pieces), reply.length)
    return b"".join(pieces)
