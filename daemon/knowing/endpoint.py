"""One bounded HTTP exchange with a service that was configured: a model, a reranker, a tracker.

Refuses other schemes than http and https, redirects (a key would go along), answers over `ANSWER_BYTES`, and
to wait longer than it was told. Whatever goes wrong is an `Away` with the reason in it, and no secret.
"""

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, NoReturn

import msgspec

from navlog.daemon.outgoing import open_url, whole
from navlog.schemas.errors import Degraded, UsageError

ANSWER_BYTES = 8 * 1024 * 1024
KEY_BYTES = 4096
RETRY_AFTER_S = 3600.0  # nobody is believed who asks for a longer pause
_BUSY = (429, 503)


class Away(Degraded):
    """The service did not answer, or said that it will not now; ``after_s`` is when it may be asked again."""

    def __init__(self, message: str, *, after_s: float = 0.0) -> None:
        super().__init__(message, hint="navlog goes on without it.")
        self.after_s = after_s


class Answer(NamedTuple):
    """``status`` 304 has no body. ``etag`` is "" where none was sent."""

    status: int
    body: bytes
    etag: str = ""


def exchange(url: str, timeout_s: float, headers: Mapping[str, str], body: bytes | None = None) -> Answer:
    """GET, or POST with a body; raises `Away`, and `UsageError` for a URL that is none."""
    if not url.startswith(("http://", "https://")):
        raise UsageError(f"{url[:200]!r} is no http or https address.", hint="docs/settings.md, [knowledge]")
    named = {"User-Agent": "navlog", "Content-Type": "application/json", **headers}
    until = time.monotonic() + timeout_s
    try:
        request = urllib.request.Request(url, data=body, headers=named)  # noqa: S310 - the scheme was looked at
        with open_url(request, timeout=timeout_s) as answer:
            return Answer(answer.status, whole(answer, until, ANSWER_BYTES), answer.headers.get("ETag") or "")
    except urllib.error.HTTPError as fault:
        with fault:
            if fault.code == http.client.NOT_MODIFIED:
                return Answer(fault.code, b"", fault.headers.get("ETag") or "")
            _refused(url, fault)
    except (OSError, http.client.HTTPException, ValueError) as fault:
        raise Away(f"{_place(url)} does not answer: {getattr(fault, 'reason', None) or fault}") from fault


def post(url: str, payload: object, timeout_s: float, key: str = "") -> bytes:
    """JSON to the service; the body of its answer. Raises as `exchange`."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return exchange(url, timeout_s, headers, msgspec.json.encode(payload)).body


def read_key(path: str) -> str:
    """The key in the file of that name; "" for no name. Raises `UsageError`."""
    if not path:
        return ""
    try:
        with Path(path).expanduser().open("rb") as file:
            return file.read(KEY_BYTES).decode("ascii").strip()
    except (OSError, UnicodeDecodeError) as fault:
        raise UsageError(f"The key file {path} cannot be read: {fault}", hint="docs/settings.md") from fault


def _refused(url: str, fault: urllib.error.HTTPError) -> NoReturn:
    after = fault.headers.get("Retry-After") or ""
    wait = min(float(after), RETRY_AFTER_S) if after.isdecimal() else 0.0
    raise Away(
        f"{_place(url)} says {fault.code} {fault.reason}",
        after_s=wait or (60.0 if fault.code in _BUSY else 0.0),
    ) from fault


def _place(url: str) -> str:
    """Scheme and host: a path or a query may hold what is nobody's business."""
    return "/".join(url.split("/")[:3]).rpartition("@")[2]
