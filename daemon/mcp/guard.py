"""Who may speak to MCP over HTTP: this machine, by its own name, from no web page, with the token.

Stands before everything else, in plain ASGI, so that no default of a library decides it (R32): a page in a
browser can reach loopback under a name of its own, and a request may come from anybody on the machine.
"""

import hmac
import ipaddress
import os
import secrets
import stat
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from pathlib import Path
from typing import Any

from navlog.schemas.errors import UnsafeHome
from navlog.schemas.names import word

TOKEN = "mcp-token"  # noqa: S105 - a file's name, in the data home
METHODS = frozenset(("GET", "POST", "DELETE"))
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Guard:
    """``app`` hears of what is allowed alone; ``port`` is the one it listens on."""

    def __init__(self, app: App, token: str, port: int) -> None:
        self._app = app
        self._token = f"Bearer {token}".encode()
        self._hosts = frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]"))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection; the server's own start and stop go through."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] != "http":
            await _refuse(send, 403)
        elif status := self.refusal(scope):
            await _refuse(send, status)
        else:
            await self._app(scope, receive, send)

    def refusal(self, scope: Scope) -> int:
        """The status that refuses the request; 0 for none."""
        headers = _headers(scope)
        origin = headers.get("origin")
        if not _is_loopback(scope.get("client")) or headers.get("host") not in self._hosts:
            return 403
        if origin is not None and origin.removeprefix("http://") not in self._hosts:
            return 403
        if scope["method"] not in METHODS:
            return 405
        given = headers.get("authorization", "").encode("latin-1", "replace")
        return 0 if hmac.compare_digest(given, self._token) else 401


def token_of(data: Path) -> str:
    """The token, drawn once; raises `UnsafeHome` where others can read it."""
    path = data / TOKEN
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except FileExistsError:
        return _kept(path)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(32))
    return _kept(path)


def _kept(path: Path) -> str:
    found = path.lstat()
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise UnsafeHome(f"{path} can be read by others.", hint=f"Draw another one:  rm {word(path)}")
    return path.read_text(encoding="ascii").strip()


def _headers(scope: Scope) -> Mapping[str, str]:
    """One value a name: a header that comes twice is as good as a wrong one."""
    found: dict[str, str] = {}
    for name, value in scope.get("headers", ()):
        key = name.decode("latin-1").lower()
        found[key] = value.decode("latin-1") if key not in found else "\0"
    return found


def _is_loopback(client: Any) -> bool:
    try:
        return ipaddress.ip_address(client[0]).is_loopback
    except (TypeError, ValueError, IndexError):
        return False


async def _refuse(send: Send, status: int) -> None:
    headers = [(b"content-length", b"0"), (b"connection", b"close")]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
