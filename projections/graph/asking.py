"""The graph's tables as `navlog.projections.impact.Facts`: one project, many files a question."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

import msgspec

from navlog.projections.impact.facts import ImportRow, Pointer, Text
from navlog.projections.store import Connection
from navlog.schemas.events import Reference, Symbol

_references = msgspec.json.Decoder(list[Reference])


class GraphFacts:
    """``symbols``: what each file defines, as the views have it; the rest is asked of the tables."""

    def __init__(self, db: Connection, project: str, symbols: Mapping[str, Sequence[Symbol]]) -> None:
        self._db = db
        self._project = project
        self._symbols = symbols

    def imports_of(self, targets: Collection[str]) -> list[ImportRow]:
        """The imports that mean one of ``targets``."""
        found = self._db.execute(
            "SELECT path, line, form, module, names, target FROM imports"
            " WHERE project = ? AND target IN (SELECT unnest(?::VARCHAR[])) ORDER BY ALL",
            [self._project, list(targets)],
        ).fetchall()
        return [
            ImportRow(path, line, form, module, read_names(names), target)
            for path, line, form, module, names, target in found
        ]

    def pointers_to(self, targets: Collection[str]) -> list[Pointer]:
        """Documents that link to one of ``targets``, tests that are named after one."""
        found = self._db.execute(
            "SELECT path, line, 'link', target FROM links"
            " WHERE project = $1 AND target IN (SELECT unnest($2::VARCHAR[]))"
            " UNION ALL SELECT path, 1, 'test', target FROM tests WHERE project = $1 AND reason = 'name'"
            " AND target IN (SELECT unnest($2::VARCHAR[])) ORDER BY ALL",
            [self._project, list(targets)],
        ).fetchall()
        return [Pointer(*row) for row in found]

    def texts(self, paths: Collection[str]) -> Mapping[str, Text]:
        """What is defined and used in the files."""
        found = self._db.execute(
            "SELECT path, refs FROM files JOIN contents USING (content)"
            " WHERE project = ? AND path IN (SELECT unnest(?::VARCHAR[])) ORDER BY path",
            [self._project, list(paths)],
        ).fetchall()
        return {path: Text(self._symbols.get(path, ()), _references.decode(refs)) for path, refs in found}

    def mentioning(self, name: str) -> list[str]:
        """The files that use a thing of that name."""
        found = self._db.execute(
            "SELECT path FROM files JOIN contents USING (content)"
            " WHERE project = ? AND contains(refs, ?) ORDER BY path",
            [self._project, f"[{msgspec.json.encode(name).decode()},"],
        ).fetchall()
        return [path for (path,) in found]

    def defining(self, name: str) -> int:
        """How many definitions have that name."""
        return self._definitions[name]

    @cached_property
    def _definitions(self) -> Counter[str]:
        return Counter(symbol.name for symbols in self._symbols.values() for symbol in symbols)


def read_names(names: str) -> tuple[tuple[str, str], ...]:
    """The column ``names`` of ``imports``: ``a, b as c`` -> (a, ""), (b, c)."""
    pairs = (
        one.partition("as ") if one.startswith("as ") else one.partition(" as ") for one in names.split(", ")
    )
    return tuple((name, alias) for name, _, alias in pairs if name or alias)
