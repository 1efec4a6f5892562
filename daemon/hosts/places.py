"""Paths as hosts write them -> paths of the project. By their letters alone: looks at no disk.

What lies outside the project, or is a pattern, is no path of it.
"""

import posixpath
from collections.abc import Iterable

from navlog.daemon.hosts.heard import Place

MOST = 200  # paths of one event
_PATTERN = frozenset("*?[]{}$`<>|\n\0")


def inside(place: Place, paths: Iterable[str], within: str = "") -> list[str]:
    """The paths that lie in the project, each once, in order; ``within``: the folder they are said from."""
    base = posixpath.join(place.cwd, _moved(place, within)) if within else place.cwd
    found = (_one(place, base, path) for path in paths)
    return list(dict.fromkeys(path for path in found if path))[:MOST]


def _one(place: Place, base: str, path: str) -> str:
    if not path or len(path) > 4096 or _PATTERN & set(path) or path.startswith("~"):
        return ""
    whole = posixpath.normpath(posixpath.join(base, _moved(place, path)))
    root = place.root.rstrip("/") + "/"
    return whole[len(root) :] if whole.startswith(root) else ""


def _moved(place: Place, path: str) -> str:
    """The host may know the folder by another name, through a link."""
    if place.said != place.cwd and (path == place.said or path.startswith(place.said.rstrip("/") + "/")):
        return place.cwd + path[len(place.said) :]
    return path
