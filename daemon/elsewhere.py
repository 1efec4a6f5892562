"""`elsewhere`: on which branches and sibling worktrees a file or a definition is another one than here.

The log knows the tips; what they hold is asked of git, within `ASKING_S`. Looks and records nothing. Refuses
to read what is not committed there, and to follow more than `TIPS` branches.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice
from time import monotonic

from navlog.daemon.listener.git import Git
from navlog.daemon.projects import Project, Projects
from navlog.projections.impact import find_targets
from navlog.projections.store import Store
from navlog.projections.views import ProjectView
from navlog.schemas.counting import counted
from navlog.schemas.errors import GitFailed, UsageError
from navlog.schemas.events import BranchSeen
from navlog.schemas.wire import ElsewhereArgs, ElsewhereHit, ElsewhereReply

TIPS = 20
FOLLOWED = 5  # files that define one name, as `impact` does
HITS = 200
ASKING_S = 5.0
_TIPS = "SELECT ref, commit, worktree FROM branches WHERE project = ? ORDER BY ref, worktree"


class Elsewhere:
    """``freshen`` and ``position`` as for `Impacts`; ``redact`` takes secrets out of lines."""

    def __init__(
        self,
        projects: Projects,
        view: Callable[[Project], ProjectView],
        freshen: Callable[[Project], str],
        store: Store,
        position: Callable[[], int],
        *,
        redact: Callable[[str], str],
        now: Callable[[], float],
    ) -> None:
        self._projects = projects
        self._view = view
        self._freshen = freshen
        self._store = store
        self._position = position
        self._redact = redact
        self._now = now

    def ask(self, args: ElsewhereArgs) -> ElsewhereReply:
        """Raises `UnknownProject`, and `UsageError` for an empty target and outside git."""
        wanted = args.target.strip()
        project = self._projects.find(args.project)
        stale = self._freshen(project)
        git = Git(project.root, timeout=ASKING_S)
        if not wanted or git.repository is None:
            raise UsageError(
                f"{project.root} has no branches." if wanted else "The target is empty.",
                hint="Name a path or a symbol of a git repository:  navlog elsewhere src/api.py",
            )
        name, paths = self._understood(project, wanted)
        tips = self._tips(project)
        hits: list[ElsewhereHit] = []
        asked = 0
        limit = min(max(args.limit, 1), HITS)
        until = monotonic() + ASKING_S
        for tip in tips[:TIPS]:
            if monotonic() > until:
                break
            asked += 1
            hits += islice(self._on(git, tip, name, paths), limit)
        hits.sort(key=lambda hit: (hit.age_s, hit.ref, hit.path, hit.line))
        return ElsewhereReply(
            position=self._position(),
            project=project.id,
            stale=stale,
            asked=asked,
            hits=hits[:limit],
            note=f"{counted(len(tips) - asked, 'branch', 'branches')} not asked" if asked < len(tips) else "",
        )

    def _understood(self, project: Project, wanted: str) -> tuple[str, list[str]]:
        """The name to look for ("" for a whole file), and the files that have it here; [] where none has."""
        view = self._view(project)
        with view.lock:
            symbols = {path: file.symbols for path, file in view.files.items()}
        found = find_targets(symbols, wanted)[:FOLLOWED]
        if found:
            return found[0].symbol.rpartition(".")[2], list(dict.fromkeys(one.path for one in found))
        path, _, name = wanted.rpartition(":")
        if not path and "/" in wanted:
            return "", [wanted]  # a file that only another branch has
        return name.rpartition(".")[2], [path] if path else []

    def _tips(self, project: Project) -> list[BranchSeen]:
        with self._store.cursor() as db:
            rows = db.execute(_TIPS, [project.id]).fetchall()
        return [BranchSeen(ref=ref, commit=commit, worktree=worktree) for ref, commit, worktree in rows]

    def _on(self, git: Git, tip: BranchSeen, name: str, paths: Sequence[str]) -> Iterator[ElsewhereHit]:
        """What is different there since the two parted; nothing where git cannot say."""
        try:
            changed = {
                file.path: file.status for file in git.changes(git.fork(tip.commit), tip.commit, paths)
            }
            places = _first_lines(git, tip.commit, name, changed) if changed and name else {}
            for path, status in changed.items():
                if path in places or not name or status == "D":
                    yield self._hit(git, tip, path, status, places.get(path, (0, "")))
        except GitFailed:
            return

    def _hit(self, git: Git, tip: BranchSeen, path: str, status: str, place: tuple[int, str]) -> ElsewhereHit:
        return ElsewhereHit(
            ref=tip.ref.removeprefix("refs/heads/").removeprefix("refs/remotes/"),
            worktree=tip.worktree,
            commit=tip.commit,
            path=path,
            status=status,
            age_s=max(0.0, self._now() - git.changed_at(tip.commit, path)),
            line=place[0],
            text=self._redact(place[1]),
        )


def _first_lines(git: Git, commit: str, name: str, paths: Collection[str]) -> dict[str, tuple[int, str]]:
    """Path -> the first line with the name."""
    found: dict[str, tuple[int, str]] = {}
    for path, line, text in git.grep(commit, name, list(paths) if len(paths) <= HITS else ()):
        if path in paths:
            found.setdefault(path, (line, text.strip()[:200]))
    return found
