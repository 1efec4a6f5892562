"""Imports of JavaScript and TypeScript as keys.

``js:a/b`` is the module one gets for ``./b`` in the folder a: b.ts, b.js, b/index.ts and so on, in the order
of `SUFFIXES`. ``=a/b.css`` is exactly that file.
"""

from collections.abc import Collection, Iterator

from navlog.projections.resolving.manifests import Manifests
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


def asks(path: str, one: Import, manifests: Manifests) -> tuple[str, ...]:
    """The keys of an import, best first.

    What no manifest maps is a package of others, but for ``@/a/b`` and ``src/a/b``: bundlers map them by
    custom, so they are looked for by the end of the path.
    """
    module = one.module.partition("?")[0]  # bundlers take parameters: ./page.html?raw
    if module.startswith("."):
        return _relative(path, module, manifests)
    vias, places = manifests.script(path, module)
    keys = [key for place in places for key in at(place)]
    folder, slash, rest = module.partition("/")
    if slash and folder in _ALIASES:
        place = f"{_ALIASES[folder]}{rest}"
        keys += ["tail:" + place, "stem:" + _bare(place), f"stem:{place}/index"]
    return (*vias, *keys)


def at(place: str) -> tuple[str, ...]:
    """The keys of the module at ``place``, with its suffix or without."""
    # TypeScript writes ./b.js and means b.ts
    return "=" + place, "js:" + _bare(place)


def choose(path: str, found: Collection[str]) -> str | None:
    """The module meant, among those that answer."""
    return min((other for other in found if other != path), key=_rank, default=None)


def _relative(path: str, module: str, manifests: Manifests) -> tuple[str, ...]:
    place = inside(path, module)
    if place is None:
        return ()
    if module.rpartition("/")[2] not in ("", ".", ".."):
        return at(place)
    via, entries = manifests.folder(place)
    return (*at(place), via, *(key for entry in entries for key in at(entry)))


def _bare(place: str) -> str:
    return place.removesuffix(_suffix(place))


def _suffix(path: str) -> str:
    return max((suffix for suffix in SUFFIXES if path.endswith(suffix)), key=len, default="")


def _rank(path: str) -> tuple[bool, int, str]:
    suffix = _suffix(path)
    return path.removesuffix(suffix).rpartition("/")[2] == "index", SUFFIXES.index(suffix), path
