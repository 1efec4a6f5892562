"""`up --foreground`: this process becomes the daemon."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import msgspec

from navlog.daemon.home import Home
from navlog.daemon.launch import Ready
from navlog.daemon.verbs import fault_of
from navlog.schemas.errors import NavlogError


def be_the_daemon(place: Home, ready_fd: int | None) -> None:
    """Runs the service in this process until it ends; says into ``ready_fd`` how the start went."""
    with _absent("rich"):  # structlog would load 5 MB for tracebacks that nobody sees here
        from navlog.daemon.compose import compose  # noqa: PLC0415  the rooms are heavy
        from navlog.daemon.service import serve  # noqa: PLC0415

    pipe = None
    if ready_fd is not None:
        os.set_inheritable(ready_fd, False)
        pipe = os.fdopen(ready_fd, "wb")
    os.chdir("/")  # no project's file system is kept busy by us

    def announce(error: NavlogError | None = None) -> None:
        if pipe and not pipe.closed:
            fault = fault_of(error) if error else None
            pipe.write(msgspec.json.encode(Ready(pid=os.getpid(), error=fault)) + b"\n")
            pipe.close()

    try:
        outcome = serve(place, os.environ, compose, target=_target(ready_fd), announce=announce)
    except NavlogError as error:
        announce(error)
        raise
    if outcome.abandoned:
        os._exit(0)  # everything is closed; a handler nobody waits for must not keep the process


def _target(ready_fd: int | None) -> Literal["file", "stderr", "terminal"]:
    if ready_fd is not None:
        return "file"
    return "terminal" if sys.stderr.isatty() else "stderr"


@contextmanager
def _absent(package: str) -> Iterator[None]:
    """What is imported meanwhile does without ``package``; afterwards it can be had again."""
    held = sys.modules.get(package)
    sys.modules[package] = None  # type: ignore[assignment]  # how the import system knows what is not there
    try:
        yield
    finally:
        del sys.modules[package]
        if held:
            sys.modules[package] = held
