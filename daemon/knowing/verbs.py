"""The verbs about knowledge; each handler is (args, trace, report) -> what msgspec can encode."""

from time import perf_counter

from navlog.daemon.journal import Journal
from navlog.daemon.knowing.improving import Improving
from navlog.daemon.knowing.room import Knowing
from navlog.daemon.knowing.trackers import event_id
from navlog.daemon.projects import Project, Projects
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.projections.projector import Projector
from navlog.schemas.envelope import draft
from navlog.schemas.errors import UsageError
from navlog.schemas.knowing import (
    AT_ONCE,
    DiffArgs,
    FindArgs,
    Found,
    IssuesGiven,
    IssuesTaken,
    JudgeArgs,
    KnowledgeArgs,
    KnowledgeDiff,
    KnowledgeList,
    Offer,
    Told,
)
from navlog.schemas.knowledge import CommentRecorded, IssueRecorded
from navlog.schemas.settings import Settings

IMPORTED = "import"
WAIT_S = 0.5


class Verbal:
    """One method a verb."""

    def __init__(
        self,
        knowing: Knowing,
        projects: Projects,
        events: Journal,
        knowledge: Projector,
        improving: Improving,
        settings: Settings,
    ) -> None:
        self._knowing = knowing
        self._projects = projects
        self._events = events
        self._knowledge = knowledge
        self._improving = improving
        self._settings = settings

    def verbs(self) -> Verbs:
        """The table."""
        return {
            "knowledge": Verb(self.show, KnowledgeArgs),
            "knowledge-versions": Verb(self.versions, KnowledgeArgs),
            "knowledge-find": Verb(self.find, FindArgs),
            "knowledge-diff": Verb(self.diff, DiffArgs),
            "knowledge-pin": Verb(self.pin, KnowledgeArgs, looks=False),
            "knowledge-release": Verb(self.release, KnowledgeArgs, looks=False),
            "knowledge-rollback": Verb(self.roll_back, KnowledgeArgs, looks=False),
            "knowledge-judge": Verb(self.judge, JudgeArgs, looks=False),
            "issues-add": Verb(self.add_issues, IssuesGiven, looks=False),
        }

    def show(self, args: KnowledgeArgs, _trace: str, _report: Report) -> KnowledgeList:
        """The documents that are shown now."""
        project = self._projects.find(args.project)
        versions = self._knowing.versions
        found = versions.shown(project.id, args.document)
        if args.document and not found:
            versions.all(project.id, args.document)
        return KnowledgeList(
            project=project.id,
            documents=found,
            version=versions.newest(project.id),
            stands_at=versions.stands_at(project.id),
            candidate=self._settings.candidate.name,
            waiting=self._improving.waiting(project.id),
            fault=self._improving.fault(project.id),
        )

    def versions(self, args: KnowledgeArgs, _trace: str, _report: Report) -> KnowledgeList:
        """Every version of a document, or of all of them."""
        project = self._fresh(args.project)
        versions = self._knowing.versions
        return KnowledgeList(
            project=project.id,
            documents=versions.all(project.id, args.document),
            version=versions.newest(project.id),
            stands_at=versions.stands_at(project.id),
        )

    def find(self, args: FindArgs, _trace: str, _report: Report) -> Found:
        """What a task would be given."""
        began = perf_counter()
        if not args.task.strip():
            raise UsageError("The task is empty.", hint='Say it in words:  navlog knowledge find "…"')
        project = self._projects.find(args.project)
        offered = self._knowing.pieces(project, args.session, args.task)
        return Found(
            project=project.id,
            offers=[Offer(**one._asdict()) for one in offered],
            rule=self._knowing.rule(project, args.session, offered),
            variant=self._knowing.configuration(project.id, args.session).variant,
            elapsed_ms=round((perf_counter() - began) * 1000, 2),
        )

    def diff(self, args: DiffArgs, _trace: str, _report: Report) -> KnowledgeDiff:
        """What changed between two versions."""
        project = self._fresh(args.project)
        until = args.until or self._knowing.versions.newest(project.id)
        differences = self._knowing.versions.diff(project.id, args.since, until)
        return KnowledgeDiff(since=args.since, until=until, differences=differences)

    def pin(self, args: KnowledgeArgs, _trace: str, _report: Report) -> Told:
        """Keeps a document as it is or was."""
        project = self._fresh(args.project)
        position = self._knowing.versions.pin(project, args.document, args.version, args.why)
        return Told(project=project.id, position=position, said=f"{args.document} is pinned")

    def release(self, args: KnowledgeArgs, _trace: str, _report: Report) -> Told:
        """Lets a pinned document go on."""
        project = self._fresh(args.project)
        position = self._knowing.versions.release(project, args.document, args.why)
        return Told(project=project.id, position=position, said=f"{args.document} goes on")

    def roll_back(self, args: KnowledgeArgs, _trace: str, _report: Report) -> Told:
        """Back to a version, or forward to the newest."""
        project = self._fresh(args.project)
        position = self._knowing.versions.roll_back(project, args.version, args.why)
        said = (
            f"the knowledge stands at version {args.version}"
            if args.version
            else "the knowledge is the newest"
        )
        return Told(project=project.id, position=position, said=said)

    def judge(self, args: JudgeArgs, _trace: str, _report: Report) -> Told:
        """The candidate's trial is over."""
        project = self._fresh(args.project)
        position = self._knowing.versions.judge(project, args.why, promote=args.promote)
        word = "promoted" if args.promote else "dropped"
        return Told(project=project.id, position=position, said=f"{self._settings.candidate.name} is {word}")

    def add_issues(self, args: IssuesGiven, trace: str, _report: Report) -> IssuesTaken:
        """Issues and comments of an export; the same one twice is in the log once."""
        project = self._projects.find(args.project)
        said: list[IssueRecorded | CommentRecorded] = [*args.issues, *args.comments]
        if len(said) > AT_ONCE:
            raise UsageError(f"{len(said)} at once are too many; {AT_ONCE} are taken.")
        if not said:
            return IssuesTaken(taken=0, repeated=0, position=self._events.position)
        drafts = {
            (name := event_id(project.id, one)): draft(
                one, project=project.id, source=IMPORTED, id=name, trace=trace or None
            )
            for one in said
        }
        receipt = self._events.append(list(drafts.values())).result()
        repeated = len(receipt.repeated) + len(said) - len(drafts)
        return IssuesTaken(taken=len(said) - repeated, repeated=repeated, position=receipt.last)

    def _fresh(self, where: str | None) -> Project:
        """The project, with what the log says already in the tables as far as a moment allows."""
        project = self._projects.find(where)
        self._knowledge.wait_for(self._events.position, WAIT_S)
        return project
