"""Where pieces come from. Another source is a class with these four members and one line in the opening."""

from collections.abc import Callable, Hashable, Sequence
from typing import Protocol

from navlog.daemon.answers import Answers
from navlog.daemon.hosts.heard import Ask
from navlog.daemon.projects import Projects
from navlog.projections.injecting.block import Found
from navlog.projections.injecting.pointing import first_look, routed
from navlog.projections.injecting.recalling import recalled
from navlog.projections.ranking import parse
from navlog.projections.sessions.past import Past
from navlog.projections.views import ProjectView
from navlog.schemas.sessions import Moment
from navlog.schemas.settings import Inject
from navlog.schemas.wire import ContextArgs

# An answer that waits longer for the newest writes than this comes too late for a hook.
PATIENCE_S = 0.05
TASKS = 3


class Source(Protocol):
    """Thread-safe; an offer may take long, the injector does not wait for it then."""

    @property
    def name(self) -> str: ...

    @property
    def moments(self) -> frozenset[Moment]:
        """When it has something to say."""
        ...

    def share(self, settings: Inject) -> float:
        """Its part of the cap, from 0 to 1; what it leaves the next source may take."""
        ...

    def version(self, project: str) -> Hashable:
        """Another one as soon as an offer could be another one."""
        ...

    def offer(self, ask: Ask, project: str) -> Sequence[Found]:
        """The best first."""
        ...


class Recalled:
    """What was done here before: at a task what resembles it, else the last tasks of other sessions."""

    name = "tasks"
    moments: frozenset[Moment] = frozenset(("start", "compact", "prompt", "asked"))

    def __init__(self, past: Past, position: Callable[[], int]) -> None:
        self._past = past
        self._position = position

    def share(self, settings: Inject) -> float:
        """See `Source`."""
        return settings.task_share

    def version(self, project: str) -> Hashable:  # noqa: ARG002 - sessions of all projects are in one projection
        """How far the log of sessions has been read."""
        return self._position()

    def offer(self, ask: Ask, project: str) -> Sequence[Found]:
        """See `Source`."""
        if ask.task:
            words = parse(ask.task).words
            found = self._past.related(project, words, limit=TASKS, but=ask.session)
            return [recalled(one.task) for one in found]
        tasks = [task for task in self._past.tasks(project) if ask.session not in task.sessions]
        return [recalled(task) for task in tasks[:TASKS]]


class Routing:
    """Where a task lies: files with what speaks for them, the best of them with their best chunk."""

    name = "routing"
    moments: frozenset[Moment] = frozenset(("prompt", "asked"))

    def __init__(self, answers: Answers, projects: Projects, settings: Inject) -> None:
        self._answers = answers
        self._projects = projects
        self._settings = settings
        self._first: dict[str, tuple[int, float]] = {}

    def share(self, settings: Inject) -> float:  # noqa: ARG002 - the last in line takes what is left
        """See `Source`."""
        return 1.0

    def version(self, project: str) -> Hashable:
        """Waits a little for what was just written, so that a kept offer is never older than the disk."""
        found = self._projects.find(project)
        self._answers.freshen(found, PATIENCE_S)
        return self._answers.view(found).changes

    def offer(self, ask: Ask, project: str) -> Sequence[Found]:
        """See `Source`."""
        limits = self._settings
        args = ContextArgs(task=ask.task, project=project, limit=limits.files, budget=limits.routing_tokens)
        items = self._answers.context(args, "", patience_s=PATIENCE_S).items
        view = self._answers.view(self._projects.find(project))
        with view.lock:
            files = {item.path: view.files.get(item.path) for item in items}
            first = self._first_look(project, view)
        return routed(items, files, first, limits)

    def _first_look(self, project: str, view: ProjectView) -> float:
        """Asked of every file, so once for each state of the project."""
        changes, first = self._first.get(project, (-1, 0.0))
        if changes != view.changes:
            changes, first = view.changes, first_look(view.files)
            self._first[project] = (changes, first)
        return first
