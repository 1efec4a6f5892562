"""A real daemon in a folder of its own; whatever a test starts is ended by its pid."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from navlog.daemon.check import Check
from navlog.daemon.client import ask
from navlog.daemon.doctor import examine
from navlog.daemon.home import Home, find_home
from navlog.schemas.control import Indexed, ProjectAdd, ProjectInfo, ProjectName, StatusReply
from navlog.schemas.errors import NavlogError
from navlog.schemas.wire import ContextArgs, ContextReply

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
        self.foreground = (*NAVLOG, "up", "--foreground")
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

    def context(self, task: str, root: Path) -> ContextReply:
        return ask(self.home, "context", ContextReply, ContextArgs(task=task, project=str(root)))

    def index(self, root: Path) -> ProjectInfo:
        """Registers the project with the running daemon and waits until it answers."""
        project = ask(self.home, "project-add", ProjectInfo, ProjectAdd(path=str(root)))
        return ask(self.home, "indexed", Indexed, ProjectName(project=project.id)).project

    def doctor(self, name: str) -> list[Check]:
        return [check for check in examine(self.home, self.environ) if check.name == name]


@contextlib.contextmanager
def running(folders: pytest.TempPathFactory) -> Iterator[Installation]:
    """An installation; the daemon it has at the end is killed."""
    one = Installation(folders.mktemp("d"))  # short: a socket's path has 107 bytes
    yield one
    with contextlib.suppress(NavlogError, ProcessLookupError):
        os.kill(one.status().pid, signal.SIGKILL)


@pytest.fixture
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with running(tmp_path_factory) as one:
        yield one
