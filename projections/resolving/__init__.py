"""From what a file says (imports, links) to the files of the project that are meant.

Pure: strings in, strings out. A file ASKS with keys and ANSWERS to keys; both sides are computed from one
file alone, so when a file appears or vanishes exactly those that asked for its keys are looked at again.
Refuses to guess: where several files fit equally badly, nothing is meant.
"""

from collections.abc import Iterable
from typing import NamedTuple

from navlog.projections.resolving import documents, javascript, python
from navlog.schemas.events import Import, Link


class Need(NamedTuple):
    """One thing a file asks for.

    ``kind``: import or link; ``line``, ``form`` and ``written`` as the outline has them; ``name`` the
    imported name or "". ``keys``: the first that anything answers to decides.
    """

    kind: str
    line: int
    form: str
    written: str
    name: str
    keys: tuple[str, ...]


JAVASCRIPT = {"javascript", "typescript", "tsx", "jsx"}


def needs(path: str, language: str, imports: Iterable[Import], links: Iterable[Link]) -> list[Need]:
    """Everything the file at ``path`` asks for, in the order of the outline."""
    return [*_imports(path, language, imports), *_links(path, links)]


def _imports(path: str, language: str, imports: Iterable[Import]) -> Iterable[Need]:
    for one in imports:
        if language == "python":
            for name, keys in python.asks(path, one):
                yield Need("import", one.line, one.form, "." * one.level + one.module, name, keys)
        elif language in JAVASCRIPT:
            keys = javascript.asks(path, one)
            for name in [name for name, _ in one.names] or [""]:
                yield Need("import", one.line, one.form, one.module, name, keys)
        else:
            yield Need("import", one.line, one.form, one.module, "", ())


def _links(path: str, links: Iterable[Link]) -> Iterable[Need]:
    for one in links:
        yield Need("link", one.line, one.kind, one.target, "", documents.asks(path, one))
