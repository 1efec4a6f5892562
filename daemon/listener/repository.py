"""Where a repository begins and where git keeps it, read from the files git itself goes by.

Runs no git: a repository that git refuses (another owner, damage) still has its boundary.
"""

import os
import stat
from pathlib import Path

import msgspec


class Repository(msgspec.Struct, frozen=True):
    """A worktree's ``root``, its own git folder, and the one it shares with its sibling worktrees."""

    root: Path
    git_dir: Path
    common_dir: Path


def nearest_boundary(folder: Path) -> Path | None:
    """The nearest folder at or above ``folder`` that has a ``.git`` of its own."""
    # Every answer asks this: most levels cost one look at a name that is not there.
    return next((at for at in (folder, *folder.parents) if _is_boundary(f"{at}/.git")), None)


def repository_at(root: Path) -> Repository | None:
    """The repository whose worktree is exactly ``root``; None where git would not see one."""
    git_dir = _git_dir(root / ".git")
    if git_dir is None or not _is_git_dir(git_dir):
        return None
    return Repository(root, git_dir, _common_dir(git_dir))


def _is_boundary(dot_git: str) -> bool:
    """A ``.git`` file always is one, even when its target is gone: what lies there is not the parent's."""
    try:
        return stat.S_ISREG(os.stat(dot_git).st_mode) or _is_git_dir(Path(dot_git))  # noqa: PTH116 - a Path costs more
    except OSError:
        return False


def _git_dir(dot_git: Path) -> Path | None:
    try:
        if dot_git.is_dir():
            return dot_git.resolve()
        text = dot_git.read_bytes()[:4096]
    except OSError:
        return None
    if not text.startswith(b"gitdir: "):
        return None
    target = text.removeprefix(b"gitdir: ").rstrip(b"\r\n").decode(errors="surrogateescape")
    return (dot_git.parent / target).resolve()


def _is_git_dir(folder: Path) -> bool:
    """git's own test: a HEAD, an object store and refs, the latter two perhaps in the common folder."""
    try:
        common = _common_dir(folder)
        head = folder / "HEAD"
        return (head.is_symlink() or head.is_file()) and all(
            (common / part).is_dir() for part in ("objects", "refs")
        )
    except OSError:
        return False


def _common_dir(git_dir: Path) -> Path:
    try:
        text = (git_dir / "commondir").read_bytes()
    except OSError:
        return git_dir
    return (git_dir / text.rstrip(b"\r\n").decode(errors="surrogateescape")).resolve()
