"""From what a file says (imports, links, its own name) to the files of the project that are meant.

Pure: strings in, strings out. A file ASKS with keys and ANSWERS to keys; both sides are computed from one
file alone, so when a file appears or vanishes exactly those that asked for its keys are looked at again.
Refuses to guess: where several files fit equally badly, nothing is meant.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from navlog.projections.resolving import documents, families, javascript, python, rust, testing
from navlog.projections.resolving.families import Asked, Asks
from navlog.projections.resolving.manifests import Manifests, kind_of_manifest
from navlog.projections.resolving.places import inside
from navlog.schemas.events import Import, OutlineRecorded


class Need(NamedTuple):
    """One thing a file asks for.

    ``kind``: import, link or test; ``line``, ``form`` and ``written`` as the outline has them; ``name`` and
    ``alias`` of what is imported, or "". ``keys``: the first that anything answers to decides.
    """

    kind: str
    line: int
    form: str
    written: str
    name: str
    alias: str
    keys: tuple[str, ...]


_Guided = Callable[[str, Import, Manifests], Asked]


def _javascript(path: str, one: Import, manifests: Manifests) -> Asked:
    keys = javascript.asks(path, one, manifests)
    for name, alias in one.names or [("", one.alias)]:
        yield name, alias, keys


def _manifest(path: str, one: Import, manifests: Manifests) -> Asked:
    """A manifest's own pointers: its entries, the manifests it names, the functions it makes commands of."""
    kind = kind_of_manifest(path)
    if kind == "py" and one.form == "dynamic":
        yield from python.asks(path, one, manifests)
    elif keys := _pointed(path, kind, one):
        yield "", one.alias, keys


def _pointed(path: str, kind: str, one: Import) -> tuple[str, ...]:
    place = inside(path, one.module)
    if place is None or not kind:
        return ()
    if one.form == "entry":
        return javascript.at(place)
    if one.form == "extends":
        return f"={place}", f"={place}.json"
    if one.form == "alias" and kind in ("crate", "go"):
        return (f"={place}/{path.rpartition('/')[2]}".replace("=/", "="),)
    return ()


def _nothing(path: str, one: Import) -> Asked:  # noqa: ARG001 - the shape of `Asks`
    yield "", one.alias, ()


# What manifests have a say in, and what needs no more than the import and its place.
_GUIDED: dict[str, _Guided] = {
    "python": python.asks,
    **dict.fromkeys(("javascript", "typescript", "tsx", "vue", "svelte"), _javascript),
    "go": families.go,
    "php": families.php,
    **dict.fromkeys(("json", "toml", "gomod", "ini"), _manifest),
}
_ASKS: dict[str, Asks] = {
    **dict.fromkeys(("c", "cpp", "objc"), families.include),
    **dict.fromkeys(("java", "kotlin", "scala"), families.by_class(".")),
    "ruby": families.ruby,
    "lua": families.by_path(".lua", dots="."),
    "bash": families.by_path(".sh", ".bash"),
    "css": families.by_path(".css", ".scss", ".less"),
    "html": families.by_path(".html", ".htm", ".j2", ".txt", ".xml"),
    "make": families.by_path(".mk"),
}


def needs(path: str, outline: OutlineRecorded, manifests: Manifests) -> Iterator[Need]:
    """Everything the file at ``path`` asks for, in the order of the outline."""
    for one in outline.imports:
        written = "." * one.level + one.module
        for name, alias, keys in _asks(path, one, outline, manifests):
            yield Need("import", one.line, one.form, written, name, alias, keys)
    for link in outline.links:
        keys = documents.asks(path, link)
        if keys or link.kind != "code":  # most of what stands in backticks is no file
            yield Need("link", link.line, link.kind, link.target, "", "", keys)
    if keys := testing.asks(path):
        yield Need("test", 1, "name", testing.subject(path), "", "", keys)


def _asks(path: str, one: Import, outline: OutlineRecorded, manifests: Manifests) -> Asked:
    if guided := _GUIDED.get(outline.language):
        return guided(path, one, manifests)
    if outline.language == "rust":
        return rust.asks(path, one, manifests, outline.symbols)
    return _ASKS.get(outline.language, _nothing)(path, one)
