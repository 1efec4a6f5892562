"""What the listener's tests share: a git without a user's configuration, small trees, ears."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from navlog.daemon.listener.hints import Hint
from navlog.daemon.listener.kernel import Kernel
from navlog.daemon.listener.listener import Listener
from navlog.schemas.settings import Listen

ISOLATED = {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@b",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@b",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
}


def run_git(root: Path, *args: str, say: bytes = b"") -> bytes:
    """What git prints; raises when it fails."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")} | ISOLATED
    return subprocess.run(
        ["git", *args],
        cwd=root,
        env=env,
        input=say,
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ).stdout


def make_repository(root: Path, files: Mapping[str, str] | None = None) -> Path:
    """A repository at ``root``, with ``files`` committed if there are any."""
    root.mkdir(parents=True, exist_ok=True)
    run_git(root, "init", "-q", "-b", "main", ".")
    if files:
        write(root, files)
        commit(root, "first")
    return root


def write(root: Path, files: Mapping[str, str]) -> None:
    """Writes texts by path."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def commit(root: Path, message: str) -> str:
    """Commits everything; returns the commit."""
    run_git(root, "add", "-A")
    run_git(root, "commit", "-q", "--allow-empty", "-m", message)
    return run_git(root, "rev-parse", "HEAD").decode().strip()


class Ears:
    """A listener without a thread, and what it said: events are real, time stands still unless told."""

    def __init__(self, root: Path, *, kernel: Kernel | None = None, settings: Listen | None = None) -> None:
        self.time = 1000.0
        self.hints: list[Hint] = []
        self.stirred = 0
        self.listener = Listener(
            self.hints.append, settings or Listen(), stirred=self._stir, kernel=kernel, now=lambda: self.time,
            threaded=False,
        )  # fmt: skip
        self.listener.add("p", root)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.listener.close()

    def _stir(self) -> None:
        self.stirred += 1

    def hear(self) -> set[str]:
        """The paths said to have changed, by all hints until nothing is left to say."""
        self.settle()
        hints, self.hints[:] = list(self.hints), []
        return {path for hint in hints for path in hint.changed}

    def settle(self) -> list[Hint]:
        """Lets time pass, in small steps, until everything that is due was said."""
        for _ in range(4):
            self.listener.turn()
            self.time += 0.15
        self.listener.turn()
        return self.hints

    def by_itself(self) -> set[str]:
        """The paths that are said when the listener is woken only when it asked to be: as its thread is."""
        while (due := self.listener.turn()) is not None and due < self.time + Listen().reconcile_every_s / 2:
            self.time = max(self.time, due)
        hints, self.hints[:] = list(self.hints), []
        return {path for hint in hints for path in hint.changed}

    def one(self) -> Hint:
        """The only hint, after settling; it is taken."""
        (hint,) = self.settle()
        self.hints.clear()
        return hint
