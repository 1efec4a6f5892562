"""Where a relative target lies, as text."""

import posixpath
from collections.abc import Iterator


def inside(path: str, target: str) -> str | None:
    """``target`` as seen from the file at ``path``, from the root; None when it leaves the project."""
    place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    if place == ".." or place.startswith(("../", "/")):
        return None
    return "" if place == "." else place


def above(path: str) -> Iterator[str]:
    """The folders around ``path``, the innermost first, each with its slash; "" is the root."""
    end = path.rfind("/")
    while end >= 0:
        yield path[: end + 1]
        end = path.rfind("/", 0, end)
    yield ""
