"""A document's links as keys.

``=a/b.md`` is exactly that file; ``wiki:name`` a document of that name anywhere; what stands in backticks is
also looked for by the end of its path, see `navlog.projections.resolving.tails`.
"""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from navlog.projections.resolving.places import inside
from navlog.schemas.events import Link

PAGES = (".md", ".mdx", ".markdown", ".rst", ".txt", ".adoc")
FRONT_PAGES = ("README.md", "index.md", "README.rst", "index.rst")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_LINE = re.compile(r":[0-9]+(?:[:-][0-9]+)?$|#.*$")
_PATHLIKE = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*", re.ASCII)
# Without a folder, what stands in backticks is a file only by one of these: `os.path` is none.
_FILE = re.compile(
    r"\.(?:py|pyi|[cm]?[jt]sx?|vue|go|rs|java|kt|c|h|cc|cpp|hpp|cs|rb|php|sh|sql|lua|swift|md|rst|txt|toml|json"
    r"|ya?ml|cfg|ini|html?|css|scss|xml)$"
)


def answers(path: str) -> Iterator[str]:
    """The key by which wiki links find a document."""
    name = path.rpartition("/")[2]
    if name.endswith(PAGES):
        yield "wiki:" + name.rpartition(".")[0].lower()


def asks(path: str, link: Link) -> tuple[str, ...]:
    """The keys of one link, best first; none for what lies outside the project."""
    if link.kind == "wiki":
        return ("wiki:" + link.target.partition("#")[0].partition("|")[0].strip().lower(),)
    if link.kind == "code":
        return _code(path, link.target)
    return _link(path, link.target)


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
    if not _PATHLIKE.fullmatch(bare) or not ("/" in bare or _FILE.search(bare)):
        return ()
    near = inside(path, bare)
    places = dict.fromkeys(place for place in (bare, near) if place)
    return (*("=" + place for place in places), "tail:" + bare)
