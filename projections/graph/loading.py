"""The graph's state and views from its tables, at the start and after a failed transaction."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from navlog.projections.graph import showing
from navlog.projections.graph import tables as t
from navlog.projections.graph.fold import ask
from navlog.projections.graph.outline import from_row
from navlog.projections.graph.state import File, Header, Place, Project, State
from navlog.projections.resolving.manifests import is_manifest
from navlog.projections.store import Connection
from navlog.projections.views import ProjectView
from navlog.schemas.events import CommitFile, CommitRecorded, OutlineRecorded

Views = dict[str, ProjectView]
# In slices and without a join with files: else DuckDB would hold most of the outlines at once.
_SLICE = 1024
_OUTLINES = "SELECT * FROM contents WHERE rowid >= ? AND rowid < ? AND content IN (SELECT content FROM files)"


def load(db: Connection) -> tuple[State, Views]:
    """Everything there is, in the order of the log where it matters."""
    state = State()
    for name, *header in t.rows(db, "SELECT * FROM projects"):
        state.projects[name] = Project(Header(*header))
    views = {name: ProjectView() for name in state.projects}
    state.unread.update(
        {(kind, version): count for kind, version, count in t.rows(db, "SELECT * FROM unread")}
    )
    for name, path in t.rows(db, "SELECT project, path FROM skipped"):
        state.projects[name].skipped.add(path)
    _load_files(db, state, views)
    _load_commits(db, state, views)
    return state, views


def recall(db: Connection, contents: Iterable[str]) -> dict[str, OutlineRecorded]:
    """The outlines of ``contents`` that are in the tables, whether a file has them now or not."""
    found = db.execute(
        "SELECT * FROM contents WHERE content IN (SELECT unnest(?::VARCHAR[]))", [sorted(contents)]
    )
    return {row[0]: from_row(row) for row in found.fetchall()}


def _load_files(db: Connection, state: State, views: Views) -> None:
    for name, path, *row in t.rows(db, "SELECT * FROM files"):
        state.put((name, path), File(*row))
    for project in state.projects.values():
        project.index.update(project.files, ())
    _load_manifests(db, state)
    outlined = set()
    for outline in _outlines(db):
        outlined.add(outline.content)
        for place in state.holders.get(outline.content):
            _show(state, views, place, outline)
    for name, project in state.projects.items():
        for path, file in project.files.items():
            if file.content not in outlined:
                _show(state, views, (name, path), None)


def _load_manifests(db: Connection, state: State) -> None:
    """Before anything asks by way of them."""
    for project in state.projects.values():
        held = {path: file.content for path, file in project.files.items() if is_manifest(path)}
        outlines = recall(db, set(held.values())) if held else {}
        for path, content in held.items():
            project.manifests.put(path, outlines.get(content))


def _outlines(db: Connection) -> Iterator[OutlineRecorded]:
    """Those that a file has now."""
    row = db.execute("SELECT coalesce(max(rowid), -1) FROM contents").fetchone()
    for low in range(0, row[0] + 1 if row else 0, _SLICE):
        yield from map(from_row, db.execute(_OUTLINES, [low, low + _SLICE]).fetchall())


def _show(state: State, views: Views, place: Place, outline: OutlineRecorded | None) -> None:
    project, view, path = state.projects[place[0]], views[place[0]], place[1]
    showing.put(view, path, project.files[path], outline)
    view.relate(path, showing.edges(ask(project, path, outline)))


def _load_commits(db: Connection, state: State, views: Views) -> None:
    files = defaultdict(list)
    for name, commit, *file in t.rows(db, "SELECT * FROM commit_files ORDER BY rowid"):
        files[name, commit].append(CommitFile(*file))
    for name, commit, parents, *facts in t.rows(db, "SELECT * FROM commits ORDER BY rowid"):
        state.projects[name].commits.add(commit)
        committed_at, author, subject, body, count = facts
        views[name].commit(
            CommitRecorded(
                commit=commit,
                parents=parents.split(),
                committed_at=committed_at,
                author=author,
                subject=subject,
                body=body,
                files=files[name, commit],
                file_count=count,
            )
        )
