"""The verbs the rooms answer together: projects, the index, questions, replay.

Each handler is (args, trace, report) -> what msgspec can encode, and runs in a thread of its own
(`navlog.daemon.verbs`).
"""

from time import monotonic

from navlog.daemon import keeping
from navlog.daemon.comparing.runs import Runs
from navlog.daemon.hosts import hooking, tasks
from navlog.daemon.reporting import info
from navlog.daemon.rooms import Rooms, new_id
from navlog.daemon.vault import verbs as vault
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.projections.replay import replay
from navlog.projections.sampling import sample_task
from navlog.schemas.control import (
    Indexed,
    Nothing,
    ProjectAdd,
    ProjectInfo,
    ProjectList,
    ProjectMove,
    ProjectName,
    ReplayArgs,
    ReplayReply,
    Sample,
    SqlArgs,
    SqlReply,
)
from navlog.schemas.errors import Degraded, UsageError
from navlog.schemas.wire import (
    ContextArgs,
    ContextReply,
    ElsewhereArgs,
    ElsewhereReply,
    ImpactArgs,
    ImpactReply,
)

LOOK_S = 0.25  # how often a long wait looks again


def verbs(rooms: Rooms) -> Verbs:
    """The table the server answers from."""
    handlers = Handlers(rooms)
    return {
        "project-add": Verb(handlers.add, ProjectAdd, looks=False),
        "project-list": Verb(handlers.list),
        "project-remove": Verb(handlers.remove, ProjectName, looks=False),
        "project-move": Verb(handlers.move, ProjectMove, looks=False),
        "indexed": Verb(handlers.indexed, ProjectName, timeout_s=None),
        "sample": Verb(handlers.sample, ProjectName),
        "context": Verb(handlers.context, ContextArgs, record=rooms.giving.context),
        "impact": Verb(handlers.impact, ImpactArgs),
        "elsewhere": Verb(handlers.elsewhere, ElsewhereArgs),
        "sql": Verb(handlers.sql, SqlArgs),
        "replay": Verb(handlers.replay, ReplayArgs, looks=False, timeout_s=None),
        **keeping.verbs(rooms.events, rooms.overlays),
        **rooms.slicing.verbs(),
        **vault.verbs(rooms.vault),
        **hooking.verbs(rooms.hooking),
        **tasks.verbs(rooms.tasks),
        **Runs(rooms.events, rooms.projects, rooms.tasks, new_id).verbs(),
        **rooms.giving.verbs(),
        **rooms.degrading.verbs(),
        **rooms.tooling.verbs(),
        **rooms.importing.verbs(),
        **rooms.meaning.verbs(),
        **rooms.knowing.verbs,
        **rooms.nudging.verbs(),
    }


class Handlers:
    """One method a verb."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms

    def add(self, args: ProjectAdd, _trace: str, _report: Report) -> ProjectInfo:
        """Registers a folder and takes it up; one that is taken up already stays as it is."""
        project = self._rooms.projects.register(args.path)
        self._rooms.take_up(project)
        if why := self._rooms.refused.get(project.id):
            raise Degraded(f"{project.root} cannot be watched: {why}", hint="navlog doctor")
        return info(self._rooms, project)

    def list(self, _args: Nothing, _trace: str, _report: Report) -> ProjectList:
        """Every project."""
        return ProjectList(projects=[info(self._rooms, one) for one in self._rooms.projects.all()])

    def remove(self, args: ProjectName, _trace: str, _report: Report) -> ProjectInfo:
        """Takes a project off; the reply is what it was."""
        was = info(self._rooms, self._rooms.projects.find(args.project))
        self._rooms.let_go(self._rooms.projects.remove(was.id))
        return was

    def move(self, args: ProjectMove, _trace: str, _report: Report) -> ProjectInfo:
        """The project lies elsewhere; it is compared with what is there."""
        project = self._rooms.projects.move(args.project, args.path)
        self._rooms.let_go(project)
        self._rooms.take_up(project)
        return info(self._rooms, project)

    def indexed(self, args: ProjectName, _trace: str, report: Report) -> Indexed:
        """Waits until the project answers from all its files, telling how far it is."""
        project = self._rooms.projects.find(args.project)
        recorder, graph = self._rooms.recorder, self._rooms.graph
        while True:
            self._rooms.projects.find(project.id)  # raises once somebody has removed it
            now = recorder.progress(project.id)
            fault = recorder.faults().get(project.id)
            stage = "waiting" if fault and not now.looked else "indexing"
            if fault and not now.looked and (why := self._rooms.unwritable):
                raise Degraded(
                    f"{project.root} has changed, which cannot be written down: {why}",
                    safe="What was known before is still answered.",
                    hint="navlog status",
                )
            said = f"{stage}: {fault.reason}" if fault else stage
            report(said, now.files - now.pending, now.files)
            if now.looked and not now.pending:
                break
            if self._rooms.closing.wait(LOOK_S):
                raise Degraded("The daemon is ending.", hint="navlog up")
        while not graph.wait_for(self._rooms.recorder.position, LOOK_S):
            report("folding", graph.position.events, self._rooms.recorder.position)
        self._rooms.warm(project)
        return Indexed(project=info(self._rooms, project), position=graph.position.events)

    def sample(self, args: ProjectName, _trace: str, _report: Report) -> Sample:
        """A question made from the project's own words."""
        return Sample(task=sample_task(self._rooms.answers.view(self._rooms.projects.find(args.project))))

    def context(self, args: ContextArgs, trace: str, _report: Report) -> ContextReply:
        """What a task needs to know."""
        return self._rooms.answers.context(args, trace)

    def elsewhere(self, args: ElsewhereArgs, _trace: str, _report: Report) -> ElsewhereReply:
        """Where else it is another one."""
        return self._rooms.elsewhere.ask(args)

    def impact(self, args: ImpactArgs, _trace: str, _report: Report) -> ImpactReply:
        """Who is touched by a change."""
        return self._rooms.impacts.ask(args)

    def replay(self, args: ReplayArgs, _trace: str, report: Report) -> ReplayReply:
        """The tables again, from the logs."""
        projectors, keeper = self._rooms.projectors, self._rooms.vault
        names = [*projectors, *([vault.NAME] if keeper.folder else [])]
        if args.only is not None and args.only not in names:
            raise UsageError(f"There is no projection {args.only!r}.", hint=f"There is: {', '.join(names)}.")
        began = monotonic()
        wanted = [one for name, one in projectors.items() if args.only in (None, name)]
        done = [replay(one, size=self._rooms.settings.store.batch, progress=report) for one in wanted]
        if keeper.folder and args.only in (None, vault.NAME):
            done.append(vault.replayed(keeper))
        return ReplayReply(projections=done, elapsed_s=round(monotonic() - began, 3))

    def sql(self, args: SqlArgs, _trace: str, _report: Report) -> SqlReply:
        """Rows of one SELECT."""
        return self._rooms.sql.ask(args.query)
