"""The socket: one JSON object a line, or plain HTTP when a connection begins like it; owner only.

Keeps no state of its own but the open connections, `CONNECTIONS` at most. One request at a time a connection;
what is not a request gets a clear error and the connection goes on where that is possible.
"""

import asyncio
import os
import re
import socket
import struct
import sys
from collections.abc import Iterable
from typing import cast

import msgspec
import structlog

from navlog.daemon.build import VERSION
from navlog.daemon.dispatch import Dispatcher
from navlog.daemon.http import Http
from navlog.daemon.streams import skip
from navlog.daemon.verbs import fault_of, read_args, usable_trace
from navlog.schemas.errors import Degraded, NavlogError, RequestRefused
from navlog.schemas.wire import PROTOCOL, Progress, Reply, Request

REQUEST_BYTES = 4 * 1024 * 1024
CONNECTIONS = 256  # beyond them the one that has been idle longest is closed
# What a client of another protocol may always ask: who are you, and go away.
TIMELESS = frozenset({"status", "down"})
_HTTP_LINE = re.compile(rb"[A-Z]+ \S+ HTTP/1\.[01]\r?\n")
log = structlog.get_logger()


class Server:
    """Serves one listening socket until `close`."""

    def __init__(self, dispatcher: Dispatcher, http: Http, home: str) -> None:
        self._dispatcher = dispatcher
        self._http = http
        self._home = home
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self._idle: dict[asyncio.Task[None], None] = {}  # those between two requests, the longest idle first
        self._closing = False

    async def start(self, listening: socket.socket) -> None:
        """Begins to accept; the socket's file is the caller's."""
        if sys.version_info >= (3, 13):  # from there on asyncio would unlink even a passed socket
            self._server = await asyncio.start_unix_server(
                self._connected, sock=listening, limit=REQUEST_BYTES, cleanup_socket=False
            )
        else:
            self._server = await asyncio.start_unix_server(
                self._connected, sock=listening, limit=REQUEST_BYTES
            )

    async def close(self, grace_s: float) -> None:
        """Accepts no more, lets running requests end within ``grace_s``, then cuts the rest."""
        self._closing = True
        if self._server:
            self._server.close()
        await _cancel(self._idle)
        if self._connections:
            await asyncio.wait(self._connections, timeout=grace_s)
        await _cancel(self._connections)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = cast("asyncio.Task[None]", asyncio.current_task())
        self._connections.add(task)
        try:
            if await self._admit(writer):
                await self._converse(task, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the other side is gone, or we are closing: nobody is left to tell
        finally:
            self._connections.discard(task)
            self._idle.pop(task, None)
            writer.close()

    async def _admit(self, writer: asyncio.StreamWriter) -> bool:
        peer = peer_uid(writer.get_extra_info("socket"))
        if peer != os.geteuid():
            self._dispatcher.metrics.refused_peers.inc()
            log.warning("peer_refused", uid=peer)
            return False
        return len(self._connections) <= CONNECTIONS or await self._make_room(writer)

    async def _make_room(self, writer: asyncio.StreamWriter) -> bool:
        """A client that leaks connections must not lock out hooks, nor who wants to end the daemon."""
        longest_idle = next(iter(self._idle), None)
        log.warning("connections_full", limit=CONNECTIONS, dropped=longest_idle is not None)
        if longest_idle is None:
            await _send_error(
                writer, Degraded(f"{CONNECTIONS} requests are being answered.", hint="Ask again.")
            )
            return False
        del self._idle[longest_idle]
        longest_idle.cancel()
        return True

    async def _converse(
        self, task: asyncio.Task[None], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        while not self._closing:
            self._idle[task] = None
            line = await _read_line(reader, writer)
            self._idle.pop(task, None)
            if not line:
                return
            if _HTTP_LINE.fullmatch(line):
                await self._http.serve(line, reader, writer)
                return
            if line.strip():
                await self._answer(line, writer)

    async def _answer(self, line: bytes, writer: asyncio.StreamWriter) -> None:
        trace = ""
        try:
            request = _decode(line)
            trace = usable_trace(request.trace)
            self._check(request)

            async def tell(progress: Progress) -> None:
                await _send(writer, Reply(navlog=PROTOCOL, build=VERSION, trace=trace, progress=progress))

            result = await self._dispatcher.run(
                request.verb, lambda verb: read_args(verb, request.args), trace, tell
            )
        except NavlogError as error:
            await _send_error(writer, error, trace)
        else:
            await _send(
                writer, Reply(navlog=PROTOCOL, build=VERSION, trace=trace, result=msgspec.Raw(result))
            )

    def _check(self, request: Request) -> None:
        if request.navlog not in (0, PROTOCOL) and request.verb not in TIMELESS:
            raise RequestRefused(
                f"The client speaks protocol {request.navlog}, this daemon {PROTOCOL}.",
                hint="Replace the daemon by the newer build:  navlog up",
            )
        if request.home and request.home != self._home:
            raise RequestRefused(
                f"The daemon on this socket keeps {self._home}, not {request.home}.",
                hint="Give each data home a socket folder of its own: set XDG_RUNTIME_DIR.",
            )


def peer_uid(connection: socket.socket) -> int:
    """The user at the other end, as the kernel saw it when the connection was made: unix(7)."""
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", credentials)[1])


def _decode(line: bytes) -> Request:
    try:
        return msgspec.json.decode(line, type=Request)
    except (msgspec.DecodeError, RecursionError) as fault:
        raise RequestRefused(
            f"This is not a request: {fault}.", hint='One JSON object a line:  {"verb": "status"}'
        ) from fault


async def _cancel(tasks: Iterable[asyncio.Task[None]]) -> None:
    waited = tuple(tasks)
    for task in waited:
        task.cancel()
    if waited:
        await asyncio.wait(waited, timeout=1.0)


async def _send_error(writer: asyncio.StreamWriter, error: NavlogError, trace: str = "") -> None:
    await _send(writer, Reply(navlog=PROTOCOL, build=VERSION, trace=trace, error=fault_of(error)))


async def _send(writer: asyncio.StreamWriter, reply: Reply) -> None:
    writer.write(msgspec.json.encode(reply) + b"\n")
    await writer.drain()


async def _read_line(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    """One line with its newline; b"" at the end. A line that is too long is refused and skipped."""
    while True:
        try:
            return await reader.readuntil(b"\n")
        except asyncio.IncompleteReadError as rest:
            return rest.partial
        except asyncio.LimitOverrunError:
            await _send_error(writer, _too_long())
        if not await skip(reader, until=b"\n"):
            return b""


def _too_long() -> RequestRefused:
    return RequestRefused(
        f"A request has at most {REQUEST_BYTES:,} bytes; this one is longer.",
        hint="Send less at a time, or a path instead of a text.",
    )
