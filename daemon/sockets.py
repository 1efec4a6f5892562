"""The listening socket: bound under a closed umask, removed only by who made it, or taken from systemd.

Refuses to remove a socket that somebody answers on. The caller holds the lock of the socket's folder, so a
file found here without an answer is a dead daemon's.
"""

import os
import shlex
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from navlog.schemas.errors import AlreadyRunning, UnsafeHome

BACKLOG = 128


@dataclass(frozen=True)
class Listening:
    """``passed``: systemd's, never removed. ``identity``: (device, inode) of the file we made."""

    socket: socket.socket
    path: Path
    passed: bool
    identity: tuple[int, int] | None

    def lost(self) -> bool:
        """Whether the file at our path is no longer ours: nobody can reach us, another may start."""
        return self.identity is not None and _identity(self.path) != self.identity


@contextmanager
def listen(path: Path, passed: socket.socket | None) -> Iterator[Listening]:
    """The socket to accept on; on leaving it is closed, and its file removed if we made it."""
    if passed is not None:
        with passed:
            yield Listening(passed, path, passed=True, identity=None)
        return
    _remove_stale(path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as ours:
        _bind(ours, path)
        ours.listen(BACKLOG)
        listening = Listening(ours, path, passed=False, identity=_identity(path))
        try:
            yield listening
        finally:
            if not listening.lost():
                path.unlink(missing_ok=True)


def _bind(ours: socket.socket, path: Path) -> None:
    before = os.umask(0o177)  # 0600 from its first moment on
    try:
        ours.bind(os.fspath(path))
    except OSError as fault:
        raise UnsafeHome(f"The socket {path} cannot be made: {fault.strerror or fault}.") from fault
    finally:
        os.umask(before)


def _remove_stale(path: Path) -> None:
    """Removes a socket nobody answers on; raises for one that lives and for a file that is no socket."""
    try:
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise UnsafeHome(f"{path} is not a socket.", hint=f"Look at it:  ls -l {shlex.quote(str(path))}")
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            probe.setblocking(False)
            probe.connect(os.fspath(path))
    except FileNotFoundError:
        return
    except ConnectionRefusedError:
        path.unlink(missing_ok=True)
        return
    except BlockingIOError:
        pass  # its queue is full: it lives
    raise AlreadyRunning(
        f"Something answers on {path} already.",
        safe="It goes on as before.",
        hint="See what:  navlog status    end it:  navlog down",
    )


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
