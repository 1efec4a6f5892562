"""The source of the first look at a project: reads the facts, `orienting` words them."""

from collections.abc import Callable, Hashable, Mapping, Sequence

from navlog.daemon.answers import Answers
from navlog.daemon.extract import decode
from navlog.daemon.hosts.heard import Ask
from navlog.daemon.listener.paths import read_inside
from navlog.daemon.projects import Project, Projects
from navlog.projections.injecting.block import Found, cost
from navlog.projections.injecting.orienting import COMMITS, HOT, Commit, Facts, orient, readme_of
from navlog.projections.injecting.pointing import changed
from navlog.projections.store import Store
from navlog.projections.tokens import count_tokens
from navlog.projections.views import FileView
from navlog.schemas.sessions import Moment
from navlog.schemas.settings import Inject

README_BYTES = 64 * 1024
RECENT = 100  # commits that say where work is going on
_COMMITS = """
SELECT committed_at[:10], subject FROM commits
WHERE project = ? AND NOT contains(parents, ' ') ORDER BY committed_at DESC LIMIT ?"""
_OFTEN = """
SELECT path, count(*) AS times FROM commit_files
SEMI JOIN (SELECT commit FROM commits WHERE project = $1 AND file_count <= 40
  ORDER BY committed_at DESC LIMIT $2) USING (commit)
WHERE project = $1 AND (project, path) IN (SELECT project, path FROM files)
GROUP BY path ORDER BY times DESC, path LIMIT $3"""
_BRANCH = "SELECT branch FROM projects WHERE project = ?"


class Orientation:
    """See `navlog.daemon.injecting.sources.Source`."""

    name = "orientation"
    moments: frozenset[Moment] = frozenset(("start", "compact"))

    def __init__(
        self,
        answers: Answers,
        projects: Projects,
        store: Store,
        settings: Inject,
        redact: Callable[[str], str],
    ) -> None:
        self._answers = answers
        self._projects = projects
        self._store = store
        self._settings = settings
        self._redact = redact

    def share(self, settings: Inject) -> float:  # noqa: ARG002 - it has a limit of its own
        """See `Source`."""
        return 1.0

    def version(self, project: str) -> Hashable:
        """Changes with every change of the project."""
        return self._answers.view(self._projects.find(project)).changes

    def offer(self, ask: Ask, project: str) -> Sequence[Found]:  # noqa: ARG002 - an orientation asks for no task
        """What the project is, as far as its budget goes."""
        place = self._projects.find(project)
        view = self._answers.view(place)
        with view.lock:
            files = dict(view.files)
        offered, left = [], self._settings.orientation_tokens
        for found in orient(files, self._facts(place, files)):
            left -= cost(found, count_tokens)
            if left >= 0:
                offered.append(found)
        return offered

    def _facts(self, project: Project, files: Mapping[str, FileView]) -> Facts:
        with self._store.cursor() as db:
            branch = db.execute(_BRANCH, [project.id]).fetchone()
            commits = db.execute(_COMMITS, [project.id, COMMITS]).fetchall()
            often = db.execute(_OFTEN, [project.id, RECENT, 4 * HOT]).fetchall()
        return Facts(
            branch=(branch and branch[0]) or "",
            readme=self._readme(project, files),
            commits=[Commit(day, subject) for day, subject in commits],
            often=[(path, times) for path, times in often],
            changed=[file.path for file in changed(files)],
        )

    def _readme(self, project: Project, files: Mapping[str, FileView]) -> str:
        path = readme_of(files)
        found = read_inside(project.root, path, README_BYTES) if path else None
        decoded = decode(found.data) if found and found.data else None
        return self._redact(decoded.text) if decoded else ""
