"""Which build of navlog this is: what client and daemon tell each other, and which of two is newer."""

import re

VERSION = "0.1.0"


def newer(one: str, other: str) -> bool:
    """Whether build ``one`` is newer than ``other``; a build nobody can read is never newer."""
    return _release(one) > _release(other)


def _release(build: str) -> tuple[int, ...]:
    found = re.match(r"\d+(\.\d+)*", build)
    return tuple(int(part) for part in found[0].split(".")) if found else ()
