"""A JSON question over HTTP, bounded in time and size: the standard library is enough.

Redirects are not followed: a text goes where the settings say, and nowhere else.
"""

import time
from collections.abc import Mapping
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request

import msgspec

from navlog.daemon.outgoing import open_url, whole
from navlog.schemas.errors import EmbeddingFailed, UsageError

REPLY_BYTES = 64 * 1024 * 1024


def post(url: str, body: object, headers: Mapping[str, str], timeout: float) -> bytes:
    """What ``url`` answers to ``body`` as JSON; raises `EmbeddingFailed`."""
    if urlsplit(url).scheme not in ("http", "https"):
        raise UsageError(f"{told(url)!r} is no address of an embedder.", hint="See [embed] url.")
    request = Request(  # noqa: S310 - the scheme is looked at above
        url, data=msgspec.json.encode(body), headers={"Content-Type": "application/json", **headers}
    )
    until = time.monotonic() + timeout
    try:
        with open_url(request, timeout=timeout) as reply:
            return whole(reply, until, REPLY_BYTES)
    except HTTPError as fault:
        said = fault.read(300).decode("utf-8", "replace").strip()
        fault.close()
        raise _refused(told(url), fault.code, fault.headers.get("Retry-After", ""), said) from None
    except ValueError as fault:
        raise EmbeddingFailed(
            f"{told(url)} cannot be read: {fault}", hint="Look at [embed] url; ask for fewer texts at once."
        ) from None
    except (URLError, HTTPException, OSError) as fault:
        raise EmbeddingFailed(
            f"{told(url)} did not answer: {getattr(fault, 'reason', fault)}", hint="Does the embedder run?"
        ) from fault


def told(url: str) -> str:
    """The address as it may be told: what stands before the host is a secret."""
    place = urlsplit(url)
    return place._replace(netloc=place.netloc.rpartition("@")[2]).geturl()


def _refused(url: str, code: int, wait: str, said: str) -> EmbeddingFailed:
    if code == 429:
        retry_s = float(wait) if wait.isdecimal() else 0.0
        return EmbeddingFailed(f"{url} takes no more for now.", hint="Ask again later.", retry_s=retry_s)
    hint = "Look at [embed] key_env." if code in (401, 403) else "Look at [embed] url and model."
    return EmbeddingFailed(f"{url} answered {code}: {said[:200]}", hint=hint)
