"""Which project a folder belongs to.

The nearest ``.git`` wins, so a linked worktree or a submodule is a project of its own. Refuses ``$HOME``,
``/`` and every folder that holds ``$HOME``: nobody means to index those.
"""

import hashlib
import os
import re
from pathlib import Path
from typing import Literal

import msgspec

from navlog.daemon.listener.repository import nearest_boundary, repository_at
from navlog.schemas.errors import ProjectRefused


class ProjectIdentity(msgspec.Struct, frozen=True, kw_only=True):
    """``key`` is the project's id: its name as a slug, and 8 hex digits of common dir and worktree."""

    root: Path
    name: str
    kind: Literal["git", "folder"]
    key: str
    common_dir: Path | None = None


def identify(cwd: Path) -> ProjectIdentity:
    """The project of ``cwd``, by its real path; raises `ProjectRefused`."""
    folder = _real(cwd)
    root = nearest_boundary(folder) or folder
    _refuse_home(root)
    found = repository_at(root)
    common = found.common_dir if found else None
    return ProjectIdentity(
        root=root,
        name=root.name,
        kind="git" if found else "folder",
        key=f"{_slug(root.name)}-{_digest(common or root, root)}",
        common_dir=common,
    )


def _real(cwd: Path) -> Path:
    try:
        folder = cwd.resolve(strict=True)
    except (OSError, RuntimeError) as fault:
        raise ProjectRefused(f"{cwd} is not there.", hint="Name an existing folder.") from fault
    return folder if folder.is_dir() else folder.parent


def _refuse_home(root: Path) -> None:
    home = Path(os.environ.get("HOME") or "/").resolve()
    if root == Path("/") or home.is_relative_to(root):
        raise ProjectRefused(
            f"{root} is not watched as a project: it holds everything you have.",
            hint="Name the project's own folder; if it is part of a repository of all of $HOME, "
            "`git init` in it makes it one of its own.",
        )


def _slug(name: str) -> str:
    """ASCII letters, digits and dashes, at most 40; a name without any is ``project``."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower())[:40].strip("-") or "project"


def _digest(common: Path, root: Path) -> str:
    return hashlib.sha256(os.fsencode(common) + b"\0" + os.fsencode(root)).hexdigest()[:8]
