"""The graph's tables as `navlog.projections.impact.Facts`: one project, many files a question."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

import msgspec

from navlog.projections.impact.facts import Companion, ImportRow, Pointer, Text
from navlog.projections.resolving import folders
from navlog.projections.store import Connection
from navlog.schemas.events import Link, Reference, Symbol

_references = msgspec.json.Decoder(list[Reference])
_links = msgspec.json.Decoder(list[Link])
_IMPORTS = "SELECT path, line, form, module, names, target FROM imports WHERE project = ? AND"
_IMPORTS_OF = f"{_IMPORTS} target IN (SELECT unnest(?::VARCHAR[]))"
_IMPORTS_OF_FEW, FEW = f"{_IMPORTS} list_contains(?::VARCHAR[], target)", 16
_PATHS = "SELECT path FROM files JOIN contents USING (content) WHERE project = ?"
# A commit that touched more files says little about any two of them; so many commits are enough to know.
_BROAD, _RECENT, _COMPANIONS, _TWICE = 20, 200, 10, 3


class GraphFacts:
    """``symbols``: what each file defines, as the views have it; the rest is asked of the tables."""

    def __init__(self, db: Connection, project: str, symbols: Mapping[str, Sequence[Symbol]]) -> None:
        self._db = db
        self._project = project
        self._symbols = symbols
        self._texts: dict[str, Text] = {}

    def imports_of(self, targets: Collection[str]) -> list[ImportRow]:
        """The imports that mean one of ``targets``: of a package that is a folder, each of its files."""
        standing: defaultdict[str, list[str]] = defaultdict(list)
        for target in targets:
            standing[self._standing_for(target)].append(target)
        return [
            row._replace(target=target)
            for row in self._imports_of(standing)
            for target in standing[row.target]
        ]

    def _imports_of(self, targets: Collection[str]) -> list[ImportRow]:
        # A join hands its work to and fro between threads; for a few values looking through them is three
        # times as fast.
        asked = _IMPORTS_OF_FEW if len(targets) <= FEW else _IMPORTS_OF
        found = sorted(self._db.execute(asked, [self._project, list(targets)]).fetchall())
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
        """What is defined, used and pointed at in the files; read once for a question."""
        found = self._db.execute(
            "SELECT path, refs, links FROM files JOIN contents USING (content)"
            " WHERE project = ? AND path IN (SELECT unnest(?::VARCHAR[])) ORDER BY path",
            [self._project, [path for path in paths if path not in self._texts]],
        ).fetchall()
        for path, refs, links in found:
            symbols = self._symbols.get(path, ())
            self._texts[path] = Text(symbols, _references.decode(refs), _links.decode(links))
        return {path: self._texts[path] for path in sorted(paths) if path in self._texts}

    def mentioning(self, name: str) -> list[str]:
        """The files that use a thing of that name."""
        return self._where("contains(refs, ?)", f"[{encoded(name)},")

    def deriving(self, names: Collection[str], among: Collection[str]) -> list[str]:
        """Those of the files ``among`` in which something is derived from a thing of one of the names."""
        if not names or not among:
            return []
        either = "|".join(re.escape(encoded(name)) for name in sorted(names))
        found = self._where("regexp_matches(refs, ?)", rf'\[(?:{either}),"base",')
        return [path for path in found if path in among]

    def documenting(self, name: str) -> list[str]:
        """The documents that write the name as code, perhaps with its owner and brackets."""
        written = re.escape(encoded(name)[1:-1])
        return self._where("regexp_matches(links, ?)", rf'\["(?:[^"]*[.:])?{written}(?:\(\))?","code"')

    def through(self, names: Collection[str], receivers: Collection[str]) -> list[str]:
        """The files that use one of ``names`` on one of ``receivers``."""
        if not names or not receivers:
            return []
        what, on = ("|".join(re.escape(encoded(one)) for one in sorted(part)) for part in (names, receivers))
        return self._where("regexp_matches(refs, ?)", rf'\[(?:{what}),"\w+",\[[0-9,]*\],(?:{on})')

    def mates(self, path: str) -> list[str]:
        """The files that see each other's names without an import: those of a Go or Java package."""
        if not path.endswith(folders.SUFFIXES):
            return []
        suffix = path[path.rfind(".") :]
        return [
            one
            for one in self._by_folder.get(folders.folder_of(path), ())
            if one.endswith(suffix) and one != path
        ]

    def companions(self, path: str) -> list[Companion]:
        """What changed together with the file in its last commits, the most often first."""
        found = self._db.execute(
            "WITH mine AS (SELECT commit FROM commit_files JOIN commits USING (project, commit)"
            "   WHERE project = $1 AND path = $2 AND file_count <= $3 ORDER BY committed_at DESC LIMIT $4)"
            " SELECT path, count(*) AS together, (SELECT count(*) FROM mine) FROM commit_files"
            " JOIN files USING (project, path)"
            " WHERE project = $1 AND commit IN (SELECT commit FROM mine) AND path <> $2"
            " GROUP BY path HAVING together >= $5 ORDER BY together DESC, path LIMIT $6",
            [self._project, path, _BROAD, _RECENT, _TWICE, _COMPANIONS],
        ).fetchall()
        return [Companion(*row) for row in found]

    def defining(self, name: str) -> int:
        """How many definitions have that name."""
        return self._definitions[name]

    def _where(self, condition: str, value: str) -> list[str]:
        found = self._db.execute(
            f"{_PATHS} AND {condition} ORDER BY path",
            [self._project, value],
        ).fetchall()
        return [path for (path,) in found]

    def _standing_for(self, path: str) -> str:
        """The file that the imports of its package mean."""
        if not folders.is_part(path):
            return path
        folder = folders.folder_of(path)
        mates = [one for one in self._by_folder.get(folder, ()) if folders.is_part(one)]
        return folders.representative(mates) or path

    @cached_property
    def _by_folder(self) -> Mapping[str, Sequence[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path in sorted(self._symbols):
            if path.endswith(folders.SUFFIXES):
                found[folders.folder_of(path)].append(path)
        return found

    @cached_property
    def _definitions(self) -> Counter[str]:
        return Counter(symbol.name for symbols in self._symbols.values() for symbol in symbols)


def encoded(name: str) -> str:
    """A name as it stands in the columns of JSON."""
    return msgspec.json.encode(name).decode()


def read_names(names: str) -> tuple[tuple[str, str], ...]:
    """The column ``names`` of ``imports``: ``a, b as c`` -> (a, ""), (b, c)."""
    pairs = (
        one.partition("as ") if one.startswith("as ") else one.partition(" as ") for one in names.split(", ")
    )
    return tuple((name, alias) for name, _, alias in pairs if name or alias)
