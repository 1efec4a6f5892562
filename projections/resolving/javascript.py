"""Imports of JavaScript and TypeScript as keys.

``js:a/b`` is the module one gets for ``./b`` in the folder a: b.ts, b.js, b/index.ts and so on, in the order
of `SUFFIXES`. ``=a/b.css`` is exactly that file.
"""

from collections.abc import Collection, Iterator

from navlog.projections.resolving.places import inside
from navlog.schemas.events import Import

SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".d.mts", ".d.cts")

_ALIASES = {"@": "src/", "~": "src/", "src": "src/"}


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
    """The keys of an import, best first; none for a package's name.

    ``@/a/b`` and ``src/a/b`` are looked for by the end of the path: what tsconfig's ``paths`` and ``baseUrl``
    make of them is not among the facts, but they mean files of the project by custom.
    """
    if one.module.startswith("."):
        return _relative(path, one.module)
    folder, slash, rest = one.module.partition("/")
    if slash and folder in _ALIASES:
        return ("stem:" + _bare(f"{_ALIASES[folder]}{rest}"),)
    return ()


def choose(path: str, found: Collection[str]) -> str | None:
    """The module meant, among those that answer."""
    return min((other for other in found if other != path), key=_rank, default=None)


def _relative(path: str, module: str) -> tuple[str, ...]:
    place = inside(path, module)
    # TypeScript writes ./b.js and means b.ts
    return () if place is None else ("=" + place, "js:" + _bare(place))


def _bare(place: str) -> str:
    return place.removesuffix(_suffix(place))


def _suffix(path: str) -> str:
    return max((suffix for suffix in SUFFIXES if path.endswith(suffix)), key=len, default="")


def _rank(path: str) -> tuple[bool, int, str]:
    suffix = _suffix(path)
    return path.removesuffix(suffix).rpartition("/")[2] == "index", SUFFIXES.index(suffix), path
