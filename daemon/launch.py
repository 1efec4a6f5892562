"""Starts the daemon detached, or waits for the one that somebody else is starting.

Any number of starts at once end with one daemon: the lock decides, and who loses waits for the winner's
socket. An older daemon gives way to a newer build. Knows nothing of what the daemon does.
"""

import os
import select
import sys
import time
from collections.abc import Mapping
from contextlib import suppress

import msgspec

from navlog.daemon.build import VERSION, newer
from navlog.daemon.client import ask
from navlog.daemon.holding import refuse_elsewhere
from navlog.daemon.home import Home, hold, prepare
from navlog.daemon.verbs import error_of
from navlog.schemas.control import StatusReply, Stopping
from navlog.schemas.errors import AlreadyRunning, DaemonAway, Internal, NavlogError, TimedOut
from navlog.schemas.wire import Fault

READY_S = 120.0
STOP_S = 60.0
POLL_S = 0.05
ENDING_S = 0.5
READY_FD = 3
STDERR_BYTES = 1024 * 1024


class Ready(msgspec.Struct, frozen=True, kw_only=True):
    """The one line a starting daemon writes into the pipe: it answers, or why it does not."""

    pid: int
    error: Fault | None = None


def ensure_daemon(home: Home, environ: Mapping[str, str]) -> tuple[StatusReply, bool]:
    """A running daemon of this build or a newer one, and whether this call started it."""
    deadline = time.monotonic() + READY_S
    started = False
    while time.monotonic() < deadline:
        with suppress(DaemonAway):
            status = ask(home, "status", StatusReply)
            if not newer(VERSION, status.version):
                return status, started
            stop_daemon(home)
        started = _start_in_turn(home, environ)
        if not started:
            refuse_elsewhere(home)
    raise TimedOut(f"No daemon answered within {READY_S:g} s.", hint=f"Its log:  {home.daemon_log}")


def daemon_command() -> tuple[str, ...]:
    """What `start` runs: this interpreter, cut off from the caller's Python settings."""
    return (sys.executable, "-I", "-m", "navlog.daemon", "up", "--foreground", "--ready-fd", str(READY_FD))


def _start_in_turn(home: Home, environ: Mapping[str, str]) -> bool:
    """Starts the daemon unless another process is just doing that, or one is ending; else waits a little."""
    prepare(home)
    try:
        turn = hold(home.data)  # only so that twenty starts do not make twenty processes
    except AlreadyRunning:
        time.sleep(POLL_S)
        return False
    try:
        start(home, environ)
    except AlreadyRunning:
        time.sleep(ENDING_S)
        return False
    finally:
        os.close(turn)
    return True


def stop_daemon(home: Home) -> Stopping:
    """Asks the daemon to end and waits until its process has; raises `DaemonAway` when none runs."""
    stopping = ask(home, "down", Stopping)
    with suppress(ProcessLookupError):
        process = os.pidfd_open(stopping.pid)
        try:
            gone, _, _ = select.select([process], [], [], STOP_S)
        finally:
            os.close(process)
        if not gone:
            raise TimedOut(
                f"The daemon (pid {stopping.pid}) still writes down what it has.",
                safe="Nothing is lost while it does.",
                hint="Look again:  navlog status",
            )
    return stopping


def start(home: Home, environ: Mapping[str, str], command: tuple[str, ...] = ()) -> int:
    """Starts a daemon in a session of its own and waits until it answers; its pid.

    Raises what the daemon refused to start with.
    """
    prepare(home)
    receive, send = os.pipe2(os.O_CLOEXEC)
    try:
        pid = _spawn(home, environ, send, command or daemon_command())
    finally:
        os.close(send)
    with open(receive, "rb") as pipe:  # noqa: PTH123  a descriptor, not a path
        ready = _read_ready(pipe.fileno())
    if ready is None:
        raise _crashed(home, pid)
    if ready.error:
        os.waitpid(pid, 0)
        raise error_of(ready.error)
    return ready.pid


def _spawn(home: Home, environ: Mapping[str, str], send: int, command: tuple[str, ...]) -> int:
    errors = os.fspath(home.daemon_stderr)
    large = home.daemon_stderr.exists() and home.daemon_stderr.stat().st_size > STDERR_BYTES
    how = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if large else os.O_APPEND)
    return os.posix_spawn(
        command[0],
        command,
        environ,
        file_actions=[
            (os.POSIX_SPAWN_DUP2, send, READY_FD),
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, errors, how, 0o600),
        ],
        setsid=True,
    )


def _read_ready(pipe: int) -> Ready | None:
    """The daemon's line; None when it ended without one; raises `TimedOut`."""
    said = b""
    deadline = time.monotonic() + READY_S
    while not said.endswith(b"\n"):
        readable, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
        if not readable:
            raise TimedOut("The daemon is still starting.", hint="Look again:  navlog status")
        part = os.read(pipe, 65536)
        if not part:
            return None
        said += part
    return msgspec.json.decode(said, type=Ready)


def _crashed(home: Home, pid: int) -> NavlogError:
    _, status = os.waitpid(pid, 0)
    last = home.daemon_stderr.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
    code, word = os.waitstatus_to_exitcode(status), "".join(last) or "no word"
    return Internal(
        f"The daemon ended while starting ({code}): {word}",
        hint=f"All it printed:  {home.daemon_stderr}",
    )
