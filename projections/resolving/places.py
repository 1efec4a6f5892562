"""Where a relative target lies, as text."""

import posixpath


def inside(path: str, target: str) -> str | None:
    """``target`` as seen from the file at ``path``, from the root; None when it leaves the project."""
    place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    if place == ".." or place.startswith(("../", "/")):
        return None
    return "" if place == "." else place
