"""What the listener's tests share: a git that knows no user's configuration, small trees, and a fake kernel."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

ISOLATED = {
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b",
    "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b", "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
}  # fmt: skip


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
