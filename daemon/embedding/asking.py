"""A JSON question over HTTP, bounded in time and size: the standard library is enough.

Redirects are not followed: a text goes where the settings say, and nowhere else.
"""

from collections.abc import Mapping
from http.client import HTTPException, HTTPResponse
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import msgspec

from navlog.schemas.errors import EmbeddingFailed, UsageError

REPLY_BYTES = 64 * 1024 * 1024


class _Stay(HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Follows nothing."""


_open = build_opener(_Stay).open


def post(url: str, body: object, headers: Mapping[str, str], timeout: float) -> bytes:
    """What ``url`` answers to ``body`` as JSON; raises `EmbeddingFailed`."""
    if urlsplit(url).scheme not in ("http", "https"):
        raise UsageError(f"{url!r} is no address of an embedder.", hint="See [embed] url.")
    request = Request(  # noqa: S310 - the scheme is looked at above
        url, data=msgspec.json.encode(body), headers={"Content-Type": "application/json", **headers}
    )
    try:
        with _open(request, timeout=timeout) as reply:
            return _bounded(reply)
    except HTTPError as fault:
        said = fault.read(300).decode("utf-8", "replace").strip()
        fault.close()
        raise _refused(url, fault.code, fault.headers.get("Retry-After", ""), said) from None
    except (URLError, HTTPException, OSError) as fault:
        raise EmbeddingFailed(
            f"{url} did not answer: {getattr(fault, 'reason', fault)}", hint="Does the embedder run?"
        ) from fault


def _bounded(reply: HTTPResponse) -> bytes:
    data = reply.read(REPLY_BYTES + 1)
    if len(data) > REPLY_BYTES:
        raise EmbeddingFailed("The embedder's reply is too long.", hint="Ask for fewer texts at once.")
    return data


def _refused(url: str, code: int, wait: str, said: str) -> EmbeddingFailed:
    if code == 429:
        retry_s = float(wait) if wait.isdecimal() else 0.0
        return EmbeddingFailed(f"{url} takes no more for now.", hint="Ask again later.", retry_s=retry_s)
    hint = "Look at [embed] key_env." if code in (401, 403) else "Look at [embed] url and model."
    return EmbeddingFailed(f"{url} answered {code}: {said[:200]}", hint=hint)
