"""A document's links as keys.

``=a/b.md`` is exactly that file; ``wiki:name`` a document of that name anywhere; ``name:b.py`` a file of that
name, meant only when a single one fits. ``tail:a/b.py`` in an ask narrows ``name:b.py`` to paths that end so.
"""

import re
from collections.abc import Collection, Iterator
from urllib.parse import unquote

from navlog.projections.resolving.javascript import inside
from navlog.schemas.events import Link

PAGES = (".md", ".mdx", ".markdown", ".rst", ".txt", ".adoc")
FRONT_PAGES = ("README.md", "index.md", "README.rst", "index.rst")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_LINE = re.compile(r":[0-9]+(?:[:-][0-9]+)?$|#.*$")
_PATHLIKE = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*", re.ASCII)


def answers(path: str) -> Iterator[str]:
    """The keys by which documents find the file at ``path``, beside the path itself."""
    name = path.rpartition("/")[2]
    yield "name:" + name
    if name.endswith(PAGES):
        yield "wiki:" + name.rpartition(".")[0].lower()


def asks(path: str, link: Link) -> tuple[str, ...]:
    """The keys of one link, best first; none for what lies outside the project."""
    if link.kind == "wiki":
        return ("wiki:" + link.target.partition("#")[0].partition("|")[0].strip().lower(),)
    if link.kind == "code":
        return _code(path, link.target)
    return _link(path, link.target)


def choose(path: str, key: str, found: Collection[str]) -> str | None:
    """The only file that fits, or nothing."""
    tail = "/" + key.partition(":")[2]
    fitting = [other for other in found if other != path and (key[0] == "w" or ("/" + other).endswith(tail))]
    return fitting[0] if len(fitting) == 1 else None


def answering(key: str) -> str:
    """The key under which answers to ``key`` stand."""
    return "name:" + key.rpartition("/")[2] if key.startswith("tail:") else key


def _link(path: str, target: str) -> tuple[str, ...]:
    bare = unquote(re.split("[#?]", target, maxsplit=1)[0])
    if not bare or _SCHEME.match(bare) or bare.startswith("//"):
        return ()
    place = bare.strip("/") if bare.startswith("/") else inside(path, bare)
    if not place:
        return ()
    return ("=" + place, f"={place}.md", *(f"={place}/{page}" for page in FRONT_PAGES))


def _code(path: str, target: str) -> tuple[str, ...]:
    bare = _LINE.sub("", target).removeprefix("./")
    if not _PATHLIKE.fullmatch(bare) or not ("/" in bare or "." in bare[1:-1]):
        return ()
    near = inside(path, bare)
    places = dict.fromkeys(place for place in (bare, near) if place)
    return (*("=" + place for place in places), "tail:" + bare if "/" in bare else "name:" + bare)
