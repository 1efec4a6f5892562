"""Asks the daemon over its socket: one connection a question, bounded silence, typed answers.

Imports no event loop and nothing heavy: it is what `navlog status` waits for. Starts no daemon.
"""

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TypeVar

import msgspec

from navlog.daemon.build import VERSION
from navlog.daemon.home import Home, check_socket_path
from navlog.daemon.verbs import error_of
from navlog.schemas.control import Nothing
from navlog.schemas.errors import DaemonAway, SocketForbidden, TimedOut, UsageError
from navlog.schemas.wire import PROTOCOL, Progress, Reply, Request

CONNECT_S = 2.0
ANSWER_S = 60.0
NOBODY_LISTENS = (FileNotFoundError, ConnectionRefusedError)  # the cause of a `DaemonAway`: none runs
T = TypeVar("T")
OnProgress = Callable[[Progress], None]


def ask(
    home: Home,
    verb: str,
    kind: type[T],
    args: msgspec.Struct | None = None,
    *,
    silence_s: float | None = ANSWER_S,
    on_progress: OnProgress | None = None,
) -> T:
    """The verb's answer as ``kind``; raises what the daemon raised, `DaemonAway`, `TimedOut` or `UsageError`.

    ``silence_s``: the longest wait for the next line; None: as long as it takes.
    """
    request = Request(
        verb=verb,
        navlog=PROTOCOL,
        build=VERSION,
        home=str(home.data),
        args=msgspec.Raw(_encoded(args or Nothing())),
    )
    with connect(home) as channel:
        channel.settimeout(silence_s)
        for reply in _converse(channel, msgspec.json.encode(request) + b"\n"):
            if reply.error:
                raise error_of(reply.error)
            if bytes(reply.result):
                return msgspec.json.decode(reply.result, type=kind)
            if reply.progress and on_progress:
                on_progress(reply.progress)
    raise DaemonAway(
        "The daemon went away before it answered.",
        safe="Nothing acknowledged is lost.",
        hint="Ask again; its log says why:  navlog doctor",
    )


def _encoded(args: msgspec.Struct) -> bytes:
    """What was typed, or the folder it was typed in, may hold bytes that are no text."""
    try:
        return msgspec.json.encode(args)
    except UnicodeEncodeError as fault:
        odd = fault.object[fault.start : fault.end].encode("utf-8", "surrogateescape")
        raise UsageError(
            f"What is asked holds bytes that are no UTF-8: {odd!r}.",
            hint="Files of such names are found by words and symbols; no project's folder can have one.",
        ) from fault


def connect(home: Home) -> socket.socket:
    """A connection to the daemon; raises `DaemonAway` saying why there is none."""
    check_socket_path(home.socket)
    try:
        channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    except OSError as fault:
        raise _away(home, fault) from fault
    channel.settimeout(CONNECT_S)
    try:
        channel.connect(os.fspath(home.socket))
    except OSError as fault:
        channel.close()
        raise _away(home, fault) from fault
    return channel


def _away(home: Home, fault: OSError) -> DaemonAway:
    if isinstance(fault, NOBODY_LISTENS):
        return DaemonAway("No daemon is running.", hint="Start it:  navlog up")
    if isinstance(fault, PermissionError):
        return SocketForbidden(
            f"This process may not connect to {home.socket}: {fault.strerror}.",
            hint="A sandbox forbids it, or the socket is another user's:  ls -l "
            f"{home.socket}; ask from outside of the sandbox",
        )
    return DaemonAway(f"The daemon does not accept connections: {fault}.", hint="Look:  navlog doctor")


def _converse(channel: socket.socket, request: bytes) -> Iterator[Reply]:
    try:
        _send(channel, request)
        with channel.makefile("rb") as lines:
            for line in lines:
                yield msgspec.json.decode(line, type=Reply)
    except TimeoutError:
        raise TimedOut("The daemon was silent for too long.", hint="Look at it:  navlog status") from None
    except ConnectionError:
        return


def _send(channel: socket.socket, request: bytes) -> None:
    with suppress(BrokenPipeError):  # refused before it was read whole: the answer says why
        channel.sendall(request)
