"""Tasks: opened and closed by rule as hooks come in, and by a person's command; each exactly once.

What is decided rests on what the log says; the append goes through only if nothing was said of the same
session or task since. Otherwise it is decided again.
"""

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from navlog.daemon.journal import Journal
from navlog.daemon.journal.shapes import Condition, Item
from navlog.daemon.projects import Projects
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.projections.concepts import ConceptsView
from navlog.projections.projector import Projector
from navlog.projections.sessions.affecting import affected
from navlog.projections.sessions.fold import fold
from navlog.projections.sessions.past import Past, copied
from navlog.projections.sessions.ruling import Known, rule
from navlog.projections.sessions.state import State, Task
from navlog.projections.sessions.telling import told
from navlog.schemas.envelope import Draft, draft
from navlog.schemas.errors import ConditionFailed, UsageError
from navlog.schemas.event import Event
from navlog.schemas.sessions import TaskClosed, TaskJoined, TaskNoted, TaskOpened
from navlog.schemas.tasks import (
    HistoryArgs,
    HistoryReply,
    TaskClose,
    TaskInfo,
    TaskName,
    TaskNote,
    TaskStart,
)

SHOWN_S = 10.0  # how long a command waits for the tables
TURNS = (TaskOpened.TYPE, TaskJoined.TYPE, TaskClosed.TYPE)
PERSON = "person"


class Ruled(NamedTuple):
    """Drafts that belong before the event they were decided at, and what must not have happened meanwhile."""

    drafts: tuple[Draft, ...] = ()
    condition: Condition | None = None


class Tasks:
    """``past``: what the projector ``sessions`` shows; ``concepts``: what a task's files are part of."""

    def __init__(
        self,
        events: Journal,
        projects: Projects,
        sessions: Projector,
        past: Past,
        new_id: Callable[[], str],
        concepts: ConceptsView,
    ) -> None:
        self._events = events
        self._projects = projects
        self._sessions = sessions
        self._past = past
        self._new_id = new_id
        self._concepts = concepts

    # --- by rule ----------------------------------------------------------------------------------------

    def rule(self, project: str, event: Event, call: str, source: str, at: str) -> Ruled:
        """What has to be said of tasks before ``event``; ``call`` names the hook call, ``at`` its time."""
        session = str(getattr(event, "session", ""))
        if not session:
            return Ruled()
        after = self._events.position
        known = self._known(project, session)
        fresh = hashlib.sha256(f"{project}:{session}:{call}".encode()).hexdigest()[:10]
        decided = [self._snapshot(project, one, known) for one in rule(event, known, fresh, at)]
        if not decided:
            return Ruled()
        drafts = [
            draft(
                one, project=project, source=source, id=f"{call}:task:{number}", trace=call,
                tags=(f"task:{_named(one)}", f"session:{session}"), occurred_at=at,
            )
            for number, one in enumerate(decided)
        ]  # fmt: skip
        names = {*map(_named, decided), *([known.own.task] if known.own else [])}
        items = (_of_session(session), *map(_of_task, sorted(names)))
        return Ruled(tuple(drafts), Condition(items=items, after=after))

    def _known(self, project: str, session: str) -> Known:
        """The session and its task as the log has them: what the projection shows, and what came since."""
        since = self._sessions.position.events
        state = State()
        if found := self._past.session(project, session):
            state.sessions[project, session] = msgspec.structs.replace(found)
            if own := self._past.task(project, found.task):
                state.put(copied(own))
        tail = self._events.select((Item(tags=(f"session:{session}",)),), since)
        fold(state, [record for record in tail if record.project == project])
        now = state.sessions.get((project, session))
        own = state.tasks.get((project, now.task)) if now else None
        return Known(now, own, [task for task in self._past.tasks(project) if task.status == "open"])

    def _snapshot(self, project: str, event: Event, known: Known) -> Event:
        """A task's end names what the task affected: later the concepts may be called otherwise."""
        if not isinstance(event, TaskClosed):
            return event
        closing = [one for one in (known.own, *known.open_tasks) if one and one.task == event.task]
        return self._affecting(project, event, closing[0])

    def _affecting(self, project: str, event: TaskClosed, task: Task) -> TaskClosed:
        found = affected(task, partial(self._concepts.of_file, project))
        return msgspec.structs.replace(event, concepts=found)

    # --- by command -------------------------------------------------------------------------------------

    def start(self, args: TaskStart, _trace: str, _report: Report) -> TaskInfo:
        """Opens a task, for one session or for whichever comes."""
        project = self._projects.find(args.project).id
        name = self._new_id()[:10]
        event = TaskOpened(task=name, title=args.title.strip(), by="person", session=args.session)
        tags = (f"task:{name}", *((f"session:{args.session}",) if args.session else ()))
        self._say(project, event, tags)
        return told(self._find(project, name))

    def note(self, args: TaskNote, _trace: str, _report: Report) -> TaskInfo:
        """Keeps a remark or a decision."""
        project = self._project(args)
        task = self._find(project, args.task)
        self._say(project, TaskNoted(task=task.task, text=args.text, who=args.who), (f"task:{task.task}",))
        return told(self._find(project, task.task))

    def close(self, args: TaskClose, _trace: str, _report: Report) -> TaskInfo:
        """Ends a task; raises `UsageError` for one that has ended."""
        project = self._project(args)
        after = self._sessions.position.events
        task = self._find(project, args.task)
        if task.status != "open":
            raise UsageError(
                f"The task {task.task} is {task.status} already.", hint=f"Look:  navlog task show {task.task}"
            )
        event = self._affecting(
            project, TaskClosed(task=task.task, status=args.status, summary=args.summary), task
        )
        condition = Condition(items=(_of_task(task.task),), after=after)
        try:
            self._say(project, event, (f"task:{task.task}",), condition)
        except ConditionFailed as fault:
            raise UsageError(
                f"Something else was said of the task {task.task} just now.", hint="Look, and close it again."
            ) from fault
        return told(self._find(project, task.task))

    def show(self, args: TaskName, _trace: str, _report: Report) -> TaskInfo:
        """One task."""
        return told(self._find(self._project(args), args.task))

    def history(self, args: HistoryArgs, _trace: str, _report: Report) -> HistoryReply:
        """The tasks of a project, or of a file or folder of it."""
        project = self._projects.find(args.project or (args.path if args.path.startswith("/") else None))
        self._sessions.wait_for(self._events.position, SHOWN_S)
        root = f"{project.root}/"
        tasks = self._past.tasks(project.id, args.path.removeprefix(root).removeprefix("./"))
        return HistoryReply(
            project=project.id,
            position=self._sessions.position.events,
            tasks=[told(task) for task in tasks[: args.limit]],
        )

    def _project(self, args: TaskName) -> str:
        """The project's id, once its tasks are as the log has them."""
        self._sessions.wait_for(self._events.position, SHOWN_S)
        return self._projects.find(args.project).id

    def _say(
        self, project: str, event: Event, tags: Sequence[str], condition: Condition | None = None
    ) -> None:
        """Appends, and returns once readers see it."""
        one = draft(event, project=project, source=PERSON, id=self._new_id(), tags=tuple(tags))
        self._sessions.wait_for(self._events.append([one], condition).result().last, SHOWN_S)

    def _find(self, project: str, name: str) -> Task:
        """The task of an id or the beginning of one, or the latest that is open; raises `UsageError`."""
        tasks = self._past.tasks(project)
        found = [task for task in tasks if task.task.startswith(name)] if name else _open(tasks)
        if len(found) == 1 or (found and not name):
            return found[0]
        what = f"{len(found)} tasks begin with {name!r}" if found else f"There is no task {name!r}"
        raise UsageError(f"{what}." if name else "No task is open.", hint="See them:  navlog history")


def verbs(tasks: Tasks) -> Verbs:
    """What the server answers."""
    return {
        "task-start": Verb(tasks.start, TaskStart, looks=False),
        "task-note": Verb(tasks.note, TaskNote, looks=False),
        "task-close": Verb(tasks.close, TaskClose, looks=False),
        "task-show": Verb(tasks.show, TaskName),
        "history": Verb(tasks.history, HistoryArgs),
    }


def _open(tasks: Sequence[Task]) -> list[Task]:
    return [task for task in tasks if task.status == "open"]


def _named(event: Event) -> str:
    return str(getattr(event, "task", ""))


def _of_session(session: str) -> Item:
    return Item(types=TURNS, tags=(f"session:{session}",))


def _of_task(task: str) -> Item:
    return Item(types=TURNS, tags=(f"task:{task}",))
