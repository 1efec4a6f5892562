"""Relative imports of JavaScript and TypeScript as keys.

``js:a/b`` is the module one gets for ``./b`` in the folder a: b.ts, b.js, b/index.ts and so on, in the order
of `SUFFIXES`. ``=a/b.css`` is exactly that file.
"""

import posixpath
from collections.abc import Collection, Iterator

from navlog.schemas.events import Import

SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".d.mts", ".d.cts")


def is_module(path: str) -> bool:
    """Whether an import may leave the file's suffix out."""
    return path.endswith(SUFFIXES)


def answers(path: str) -> Iterator[str]:
    """The keys of the module at ``path``."""
    stem = path.removesuffix(_suffix(path))
    yield "js:" + stem
    if stem.rpartition("/")[2] == "index":
        yield "js:" + stem.rpartition("/")[0]


def asks(path: str, one: Import) -> tuple[str, ...]:
    """The keys of a relative import, best first; none for a package's name."""
    place = inside(path, one.module) if one.module.startswith(".") else None
    if place is None:
        return ()
    suffix = _suffix(place)
    # TypeScript writes ./b.js and means b.ts
    return ("=" + place, "js:" + (place.removesuffix(suffix) if suffix else place))


def choose(path: str, found: Collection[str]) -> str | None:
    """The module meant, among those that answer."""
    return min((other for other in found if other != path), key=_rank, default=None)


def inside(path: str, target: str) -> str | None:
    """``target`` as seen from the file at ``path``, from the root; None when it leaves the project."""
    place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    if place == ".." or place.startswith(("../", "/")):
        return None
    return "" if place == "." else place


def _suffix(path: str) -> str:
    return max((suffix for suffix in SUFFIXES if path.endswith(suffix)), key=len, default="")


def _rank(path: str) -> tuple[bool, int, str]:
    suffix = _suffix(path)
    return path.removesuffix(suffix).rpartition("/")[2] == "index", SUFFIXES.index(suffix), path
