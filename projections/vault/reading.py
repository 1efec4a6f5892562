"""One project as its pages need it, from what the projections know.

Each kind of thing is read by a function of its own: files and commits here from the graph, concepts from
their view, tasks, sessions and decisions from their tables.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from navlog.projections.concepts import Concept
from navlog.projections.graph.state import Header
from navlog.projections.pages.model import Commit, File, Project, Row
from navlog.projections.pages.sheet import utc
from navlog.projections.ranking.kinds import kind_of
from navlog.projections.store import Store
from navlog.projections.vault.commits import by_path, read_commits
from navlog.projections.vault.mattering import Bonds, bonds, mattering
from navlog.projections.vault.trail import Trail
from navlog.projections.vault.work import Work, no_work
from navlog.projections.views import FileView, ProjectView

NAMED = 8  # files of one concept that get a page because it names them
BROKEN = 40  # characters; a shorter line is a title
_SPEAKING = (("class", "interface", "trait", "struct"), ("function",))
_ROLE = re.compile(r":[a-zA-Z:]+:`~?([^`<]*)[^`]*`")  # reStructuredText's, common in docstrings
_DOCUMENTS = ("markdown", "rst", "html")


class Sources(NamedTuple):
    """Where the facts come from; ``headers`` are the graph's projects, ``views`` its views."""

    store: Store
    headers: Callable[[], Mapping[str, Header]]
    views: Mapping[str, ProjectView]
    concepts: Callable[[str], Sequence[Concept]] = lambda _: ()
    work: Callable[[Store, str], Work] = no_work


class Reader:
    """``limit``: how many files of a project get a page. It remembers the commits: they only ever grow."""

    def __init__(self, sources: Sources, limit: int) -> None:
        self._sources = sources
        self._limit = limit
        self._commits: dict[str, tuple[int, list[Commit]]] = {}

    def projects(self) -> list[str]:
        """The registered projects' ids, by name."""
        headers = self._sources.headers()
        return sorted(headers.keys() & self._sources.views.keys(), key=lambda id_: (headers[id_].name, id_))

    def read(self, project: str, trail: Trail) -> Project | None:
        """The project as it is now; None once it is gone."""
        header, view = self._sources.headers().get(project), self._sources.views.get(project)
        if header is None or view is None:
            return None
        concepts = tuple(self._sources.concepts(project))
        work = self._sources.work(self._sources.store, project)
        files = dict(view.files)
        moves = {former: path for former, path in trail.moves(project).items() if former not in files}
        commits = self._read_commits(project)
        touched, since = by_path(commits, moves), utc(trail.first_look(project))
        rows = {path: _row(files[path], touched.get(path, ()), since) for path in sorted(files)}
        own = _files(
            view, rows, touched, files, {*_named(concepts), *work.named, *moves.values()}, self._limit
        )
        return Project(
            id=project,
            name=header.name,
            root=header.root,
            branch=header.branch,
            head=header.head or "",
            about=_about(header.name, files),
            rows=list(rows.values()),
            files=_with_former(own, moves),
            concepts=concepts,
            commits=commits,
            changed=_changed(list(rows.values()), files, since),
            moved={former: path for former, path in moves.items() if path in own},
            tasks=work.tasks,
            sessions=work.sessions,
            decisions=work.decisions,
        )

    def _read_commits(self, project: str) -> list[Commit]:
        with closing(self._sources.store.cursor()) as db:
            row = db.execute("SELECT count(*) FROM commits WHERE project = ?", [project]).fetchone()
            count = row[0] if row else 0
            known = self._commits.get(project)
            if known is None or known[0] != count:
                known = self._commits[project] = count, read_commits(db, project)
        return known[1]


def _files(
    view: ProjectView,
    rows: Mapping[str, Row],
    touched: Mapping[str, tuple[Commit, ...]],
    files: Mapping[str, FileView],
    named: set[str],
    limit: int,
) -> dict[str, File]:
    spoken = (path for path, row in rows.items() if row.language not in ("", "binary"))
    found = {path: bonds(view.neighbours(path)) for path in spoken}
    changes = {path: len(some) for path, some in touched.items()}
    return {
        path: _file(rows[path], files[path], found[path], touched.get(path, ()))
        for path in mattering(found, changes, named, limit)
    }


def _file(row: Row, file: FileView, bonds: Bonds, commits: tuple[Commit, ...]) -> File:
    return File(
        row=row,
        kind=kind_of(row.path),
        symbols=tuple(file.symbols),
        users=bonds.users,
        uses=bonds.uses,
        tests=bonds.tests,
        documents=bonds.documents,
        commits=commits,
    )


def _row(file: FileView, commits: tuple[Commit, ...], since: str) -> Row:
    """``since``: the first look, which says nothing of when a file changed; its last commit does."""
    seen = _seen(file)
    known = commits[0].at if commits else ""
    return Row(file.path, file.language, file.lines, says(file), seen if since and seen > since else known)


def says(file: FileView) -> str:
    """The first line of its docstring, else of the first public class or function in it that has one."""
    public = [one for one in file.symbols if one.parent < 0 and one.doc and not one.name.startswith("_")]
    docs = (one.doc for kinds in _SPEAKING for one in public if one.kind in kinds)
    return _sentence(file.doc or next(docs, ""), file.language)


def _sentence(line: str, language: str) -> str:
    """A first line that breaks off within its sentence says so."""
    line = _ROLE.sub(r"\1", line).replace("`", "")
    whole = language in _DOCUMENTS or len(line) < BROKEN or line[-1] in ".!?:;。！？…)"
    return line if whole else f"{line}…"


def _about(name: str, files: Mapping[str, FileView]) -> str:
    """What the project's README says first, if that is more than its name."""
    readmes = sorted(path for path in files if "/" not in path and path.lower().startswith("readme"))
    said = next((files[path].doc for path in readmes if files[path].doc), "")
    return "" if said.casefold() == name.casefold() else said


def _named(concepts: Sequence[Concept]) -> set[str]:
    return {claim.path for concept in concepts if concept.shown for claim in concept.files[:NAMED]}


def _with_former(own: dict[str, File], moves: Mapping[str, str]) -> dict[str, File]:
    former: dict[str, list[str]] = {}
    for before, path in sorted(moves.items()):
        former.setdefault(path, []).append(before)
    return {
        path: _called(file, tuple(former[path])) if path in former else file for path, file in own.items()
    }


def _called(file: File, former: tuple[str, ...]) -> File:
    return msgspec.structs.replace(file, former=former)


def _changed(rows: Sequence[Row], files: Mapping[str, FileView], since: str) -> list[Row]:
    """What changed after the first look; before, everything is new, and nothing has happened."""
    found = [row for row in rows if since and _seen(files[row.path]) > since]
    return sorted(found, key=lambda row: (row.changed_at, row.path), reverse=True)


def _seen(file: FileView) -> str:
    return utc(datetime.fromtimestamp(file.changed_at, UTC).isoformat())
