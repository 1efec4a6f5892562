"""A real daemon in a folder of its own; whatever a test starts is ended by its pid."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from navlog.daemon.client import ask
from navlog.daemon.home import Home, find_home
from navlog.schemas.control import StatusReply
from navlog.schemas.errors import NavlogError

NAVLOG = (sys.executable, "-I", "-m", "navlog.daemon")


class Installation:
    """One data home with its environment; runs the command as a person would."""

    def __init__(self, folder: Path) -> None:
        (folder / "run").mkdir(mode=0o700)
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "NAVLOG_HOME": str(folder / "data"),
            "XDG_RUNTIME_DIR": str(folder / "run"),
            "XDG_CONFIG_HOME": str(folder / "config"),
        }
        self.home: Home = find_home(self.environ)

    def run(self, *arguments: str, timeout: float = 30) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*NAVLOG, *arguments],
            env=self.environ,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    def popen(self, *arguments: str, **more: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*NAVLOG, *arguments], env={**self.environ, **more}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def status(self) -> StatusReply:
        return ask(self.home, "status", StatusReply)


@pytest.fixture
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    one = Installation(tmp_path_factory.mktemp("d"))  # short: a socket's path has 107 bytes
    yield one
    with contextlib.suppress(NavlogError, ProcessLookupError):
        os.kill(one.status().pid, signal.SIGKILL)
