"""One project as its pages need it, from what the projections know.

Each kind of thing is read by a function of its own: files and commits here from the graph, concepts from
their view, tasks, sessions and decisions from their tables.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple

import msgspec

from navlog.projections.concepts import Concept
from navlog.projections.graph.state import Header
from navlog.projections.pages.model import Commit, Decision, File, Project, Row
from navlog.projections.ranking.kinds import kind_of
from navlog.projections.store import Store
from navlog.projections.vault.commits import by_path, read_commits
from navlog.projections.vault.knowledge import read_said
from navlog.projections.vault.mattering import Bonds, bonds, mattering
from navlog.projections.vault.telling import Telling, is_told, unstressed
from navlog.projections.vault.trail import Trail
from navlog.projections.vault.work import read_work
from navlog.projections.views import FileView, ProjectView
from navlog.schemas.events import Symbol

NAMED = 8  # files of one concept that get a page because it names them


class Sources(NamedTuple):
    """Where the facts come from; ``headers`` are the graph's projects, ``views`` its views."""

    store: Store
    headers: Callable[[], Mapping[str, Header]]
    views: Mapping[str, ProjectView]
    concepts: Callable[[str], Sequence[Concept]] = lambda _: ()


class Reader:
    """``limit``: how many files of a project get a page. Commits and what files say are remembered."""

    def __init__(self, sources: Sources, limit: int) -> None:
        self._sources = sources
        self._limit = limit
        self._commits: dict[str, tuple[int, list[Commit]]] = {}
        self._told: dict[str, Telling] = {}

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
        work = read_work(self._sources.store, project)
        said = read_said(self._sources.store, project)
        files = dict(view.files)
        told = self._told.setdefault(project, Telling())
        told.look(files)
        moves = {former: path for former, path in trail.moves(project).items() if former not in files}
        commits = self._read_commits(project)
        touched, since = by_path(commits, moves), trail.first_look(project)
        rows = told.rows({path: some[0].at for path, some in touched.items()}, since)
        named = {*_named(concepts), *work.named, *moves.values(), *said.records, *said.rules}
        own = _files(view, told, rows, touched, named, self._limit)
        return Project(
            id=project,
            name=header.name,
            root=header.root,
            branch=header.branch,
            head=header.head or "",
            about=unstressed(said.about or _about(header.name, files)),
            rows=tuple(rows.values()),
            files=_with_former(own, moves),
            concepts=concepts,
            commits=commits,
            changed=told.changed(rows, since),
            moved={former: path for former, path in moves.items() if path in own},
            tasks=work.tasks,
            sessions=work.sessions,
            decisions=_decisions(work.decisions, said.records, touched),
            rules=tuple(said.rules.values()),
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
    told: Telling,
    rows: Mapping[str, Row],
    touched: Mapping[str, tuple[Commit, ...]],
    named: set[str],
    limit: int,
) -> dict[str, File]:
    bound = bonds(view.edges(), rows)
    changes = {path: len(some) for path, some in touched.items()}
    chosen = mattering([path for path, row in rows.items() if is_told(row)], bound, changes, named, limit)
    symbols = told.symbols(chosen)
    return {
        path: _file(rows[path], symbols[path], bound.get(path, Bonds()), touched.get(path, ()))
        for path in chosen
    }


def _file(row: Row, symbols: Sequence[Symbol], bonds: Bonds, commits: tuple[Commit, ...]) -> File:
    return File(
        row=row,
        kind=kind_of(row.path),
        symbols=symbols,
        users=bonds.users,
        uses=bonds.uses,
        tests=bonds.tests,
        documents=bonds.documents,
        commits=commits,
    )


def _decisions(
    noted: Sequence[Decision], records: Mapping[str, Decision], touched: Mapping[str, tuple[Commit, ...]]
) -> list[Decision]:
    """The newest first; a record is as old as the first of its commits that are known."""
    dated = [
        msgspec.structs.replace(one, at=commits[-1].at if (commits := touched.get(path)) else "")
        for path, one in records.items()
    ]
    return sorted([*noted, *dated], key=lambda one: (one.at, one.id), reverse=True)


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
