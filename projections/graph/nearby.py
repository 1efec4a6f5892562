"""The graph's tables and views as `navlog.projections.slicing.radius.Nearby`: for one change of one file.

Many small questions about neighbouring definitions: what a name is used by is looked up in the search index
first, and what was read once is kept for the time of the change (what contents use, for longer: a query over
the tables costs as much as all the rest). It looks into at most `FILES` files for one definition, sources and
tests first: what only others know is not found. Documents count by `showing`, not by their links.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import zip_longest

import msgspec

from navlog.projections.graph.asking import GraphFacts, encoded, read_names
from navlog.projections.impact.facts import ImportRow, Pointer, Text
from navlog.projections.ranking.kinds import kind_of
from navlog.projections.store import Connection
from navlog.projections.views import ProjectView
from navlog.schemas.events import Reference, Symbol

FILES = 80
KEPT = 400  # contents whose uses stay decoded: some 20 MB
WHOLE_BYTES = 32 * 1024 * 1024  # of undecoded uses that stay: Django's are 3 MB
_CODE = ("source", "declaration")
_SHOWS = ("document", "example")
AT_ONCE = 1000
_USES = "SELECT content, refs FROM contents"
_references = msgspec.json.Decoder(list[Reference])


class Uses:
    """What each content uses: contents never change, so it serves change after change. One thread's.

    ``limit``: bytes of undecoded uses that are held, the oldest give way.
    """

    def __init__(self, limit: int = WHOLE_BYTES) -> None:
        self._limit = limit
        self._held: dict[str, str] = {}
        self._bytes = 0
        self._filled: set[str] = set()
        self._decoded: dict[str, list[Reference]] = {}

    def fill(self, db: Connection, project: str) -> None:
        """Reads what a project's files use, once, as far as there is room: one by one it costs far more."""
        if project not in self._filled:
            self._filled.add(project)
            rows = db.execute(f"{_USES} JOIN files USING (content) WHERE project = ?", [project])
            while self._bytes < self._limit and (some := rows.fetchmany(AT_ONCE)):
                self.hold(some)

    def of(self, db: Connection, contents: Collection[str]) -> dict[str, list[Reference]]:
        """By content; those whose outline is missing are left out."""
        held = self._texts(db, [content for content in contents if content not in self._decoded])
        self._decoded.update({content: _references.decode(refs) for content, refs in held.items()})
        found = {content: self._decoded[content] for content in contents if content in self._decoded}
        while len(self._decoded) > KEPT:
            del self._decoded[next(iter(self._decoded))]
        return found

    def deriving(self, db: Connection, contents: Collection[str], names: Collection[str]) -> set[str]:
        """The contents in which something is derived from a thing of one of the names."""
        written = [f'[{encoded(name)},"base",' for name in names]
        held = self._texts(db, contents)
        return {content for one in written for content, refs in held.items() if one in refs}

    def hold(self, rows: Iterable[tuple[str, str]]) -> None:
        """Contents with what they use, undecoded, that somebody has read; the oldest give way."""
        fresh = {content: refs for content, refs in rows if content not in self._held}
        self._held.update(fresh)
        self._bytes += sum(map(len, fresh.values()))
        while self._bytes > self._limit:
            self._bytes -= len(self._held.pop(next(iter(self._held))))

    def _texts(self, db: Connection, contents: Collection[str]) -> dict[str, str]:
        found = {content: self._held[content] for content in contents if content in self._held}
        if absent := [content for content in contents if content not in found]:
            # A single one is found by the index, which is no way to many.
            which = "content = ?" if len(absent) == 1 else "content IN (SELECT unnest(?::VARCHAR[]))"
            value = absent[0] if len(absent) == 1 else absent
            rows = db.execute(f"{_USES} WHERE {which}", [value]).fetchall()
            found.update(rows)
            self.hold(rows)
        return found


class NearbyFacts(GraphFacts):
    """``read`` gives a file's lines, without secrets, or None. Use it for one change, then let it go."""

    def __init__(
        self,
        db: Connection,
        project: str,
        view: ProjectView,
        uses: Uses,
        read: Callable[[str], Sequence[str] | None],
    ) -> None:
        super().__init__(db, project, {})
        self._view = view
        self._uses = uses
        self._read = read
        self._importing: dict[str, list[ImportRow]] = {}
        uses.fill(db, project)

    def imports_of(self, targets: Collection[str]) -> list[ImportRow]:
        """The imports that mean one of ``targets``; each target is asked about once."""
        absent = [target for target in targets if target not in self._importing]
        self._importing.update({target: [] for target in absent})
        # What nothing points at nobody imports, and most of what imports is imported by nobody: a look at the
        # view is a thousandth of a query.
        if pointed := [target for target in absent if self._view.is_pointed_at(target)]:
            for row in super().imports_of(pointed):
                self._importing[row.target].append(row)
        return [row for target in sorted(targets) for row in self._importing[target]]

    def imports_in(self, path: str) -> list[ImportRow]:
        """The imports that the file makes."""
        found = self._db.execute(
            "SELECT path, line, form, module, names, target FROM imports"
            " WHERE project = ? AND path = ? AND target IS NOT NULL ORDER BY ALL",
            [self._project, path],
        ).fetchall()
        return [
            ImportRow(path, line, form, module, read_names(names), target)
            for path, line, form, module, names, target in found
        ]

    def pointers_to(self, targets: Collection[str]) -> list[Pointer]:
        """Documents that link to one of ``targets``, tests that are named after one."""
        return sorted(
            Pointer(edge.path, 1, edge.kind, target)
            for target in targets
            for edge in self._view.neighbours(target)
            if edge.incoming and edge.kind in ("link", "test")
        )

    def texts(self, paths: Collection[str]) -> Mapping[str, Text]:
        """What is defined and used in the files, in at most `FILES` of them."""
        chosen = self._chosen(paths)
        contents = {path: file.content for path in chosen if (file := self._view.files.get(path))}
        uses = self._uses.of(self._db, set(contents.values()))
        return {
            path: Text(self.symbols_of(path), uses[content])
            for path, content in contents.items()
            if content in uses
        }

    def mentioning(self, name: str) -> list[str]:
        """The files in whose text the name stands, by the search index."""
        return sorted(self._holding(name))

    def deriving(self, names: Collection[str], among: Collection[str]) -> list[str]:
        """The files in which something is derived from a thing of one of the names."""
        contents = {path: file.content for path in among if (file := self._view.files.get(path))}
        found = self._uses.deriving(self._db, set(contents.values()), names) if names else set()
        return sorted(path for path, content in contents.items() if content in found)

    def documenting(self, _name: str) -> list[str]:
        """Nobody: documents are found by `showing`."""
        return []

    def defining(self, name: str) -> int:
        """How many definitions have that name."""
        with self._view.lock:
            index = self._view.index
            paths = [index.paths[slot] for slot in index.defining(name.casefold())]
        if len(paths) > FILES:
            return len(paths)
        return sum(symbol.name == name for path in paths for symbol in self.symbols_of(path))

    def symbols_of(self, path: str) -> Sequence[Symbol]:
        """What the file defines; nothing where there is no such file."""
        file = self._view.files.get(path)
        return file.symbols if file else ()

    def showing(self, name: str) -> list[str]:
        """Documents and examples with the word in them, those nearest to the project's root first."""
        found = [path for path in self._holding(name) if kind_of(path) in _SHOWS]
        return sorted(found, key=lambda path: (path.count("/"), path))

    def where(self, path: str, name: str) -> int:
        """The first line that holds the word."""
        return next((number for number, line in enumerate(self._read(path) or (), 1) if name in line), 0)

    def _holding(self, name: str) -> list[str]:
        with self._view.lock:
            index = self._view.index
            return [index.paths[slot] for slot in index.holding(name.casefold())]

    def _chosen(self, paths: Collection[str]) -> list[str]:
        """Sources and tests in turn, then the rest (there may be a hundred examples), in the order given."""
        if len(paths) <= FILES:
            return list(paths)
        kinds = {path: kind_of(path) for path in paths}
        tests = [path for path in paths if kinds[path] == "test"]
        sources = [path for path in paths if kinds[path] in _CODE]
        others = [path for path in paths if kinds[path] not in (*_CODE, "test")]
        together = [one for pair in zip_longest(sources, tests) for one in pair if one]
        return [*together, *others][:FILES]
