"""The graph's tables as `navlog.projections.impact.Facts`: one project, many files a question."""

from collections.abc import Collection, Mapping

import msgspec

from navlog.projections.impact.facts import ImportRow, Pointer, Text
from navlog.projections.store import Connection
from navlog.schemas.events import Reference, Symbol

_symbols = msgspec.json.Decoder(list[Symbol])
_references = msgspec.json.Decoder(list[Reference])


class GraphFacts:
    """Asks on a cursor of its own; answers are as of the last transaction."""

    def __init__(self, db: Connection, project: str) -> None:
        self._db = db
        self._project = project

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
            "SELECT path, symbols, refs FROM files JOIN contents USING (content)"
            " WHERE project = ? AND path IN (SELECT unnest(?::VARCHAR[])) ORDER BY path",
            [self._project, list(paths)],
        ).fetchall()
        return {
            path: Text(_symbols.decode(symbols), _references.decode(refs)) for path, symbols, refs in found
        }

    def mentioning(self, name: str) -> list[str]:
        """The files that use a thing of that name."""
        return self._paths("contains(refs, ?)", f"[{msgspec.json.encode(name).decode()},")

    def defining(self, name: str) -> int:
        """How many definitions have that name."""
        row = self._db.execute(
            "SELECT coalesce(sum((length(symbols) - length(replace(symbols, $2, ''))) // length($2)), 0)"
            " FROM files JOIN contents USING (content) WHERE project = $1",
            [self._project, f"[{msgspec.json.encode(name).decode()},"],
        ).fetchone()
        return int(row[0]) if row else 0

    def _paths(self, condition: str, *parameters: str) -> list[str]:
        found = self._db.execute(
            f"SELECT path FROM files JOIN contents USING (content) WHERE project = ? AND {condition}",  # noqa: S608
            [self._project, *parameters],
        ).fetchall()
        return [path for (path,) in found]


def read_names(names: str) -> tuple[tuple[str, str], ...]:
    """The column ``names`` of ``imports``: ``a, b as c`` -> (a, ""), (b, c)."""
    pairs = (
        one.partition("as ") if one.startswith("as ") else one.partition(" as ") for one in names.split(", ")
    )
    return tuple((name, alias) for name, _, alias in pairs if name or alias)
