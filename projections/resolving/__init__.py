"""From what a file says (imports, links, its own name) to the files of the project that are meant.

Pure: strings in, strings out. A file ASKS with keys and ANSWERS to keys; both sides are computed from one
file alone, so when a file appears or vanishes exactly those that asked for its keys are looked at again.
Refuses to guess: where several files fit equally badly, nothing is meant.
"""

from collections.abc import Iterator
from typing import NamedTuple

from navlog.projections.resolving import documents, families, javascript, python, testing
from navlog.projections.resolving.families import Asked, Asks
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


def _javascript(path: str, one: Import) -> Asked:
    keys = javascript.asks(path, one)
    for name, alias in one.names or [("", one.alias)]:
        yield name, alias, keys


def _nothing(path: str, one: Import) -> Asked:  # noqa: ARG001 - the shape of `Asks`
    yield "", one.alias, ()


_ASKS: dict[str, Asks] = {
    "python": python.asks,
    **dict.fromkeys(("javascript", "typescript", "tsx", "vue", "svelte"), _javascript),
    **dict.fromkeys(("c", "cpp", "objc"), families.include),
    **dict.fromkeys(("java", "kotlin", "scala"), families.by_class(".")),
    "rust": families.rust,
    "php": families.php,
    "ruby": families.by_path(".rb"),
    "lua": families.by_path(".lua", dots="."),
    "bash": families.by_path(".sh", ".bash"),
    "css": families.by_path(".css", ".scss", ".less"),
    "html": families.by_path(".html", ".htm", ".j2", ".txt", ".xml"),
    "make": families.by_path(".mk"),
}


def needs(path: str, outline: OutlineRecorded) -> Iterator[Need]:
    """Everything the file at ``path`` asks for, in the order of the outline."""
    asks = _ASKS.get(outline.language, _nothing)
    for one in outline.imports:
        written = "." * one.level + one.module
        for name, alias, keys in asks(path, one):
            yield Need("import", one.line, one.form, written, name, alias, keys)
    for link in outline.links:
        keys = documents.asks(path, link)
        if keys or link.kind != "code":  # most of what stands in backticks is no file
            yield Need("link", link.line, link.kind, link.target, "", "", keys)
    if keys := testing.asks(path):
        yield Need("test", 1, "name", testing.subject(path), "", "", keys)
