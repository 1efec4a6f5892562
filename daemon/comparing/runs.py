"""The verbs of real runs: `bench-record` writes one down, `bench-runs` reads them beside each other."""

from collections.abc import Callable

from navlog.daemon.comparing import pairing
from navlog.daemon.hosts.tasks import Tasks
from navlog.daemon.journal import Journal
from navlog.daemon.journal.shapes import Item
from navlog.daemon.projects import Projects
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.schemas.benching import Run, RunArgs, RunRecorded, RunsArgs, RunsReply
from navlog.schemas.envelope import draft
from navlog.schemas.payloads import decode_payload
from navlog.schemas.tasks import TaskName

PERSON = "person"


class Runs:
    """``tasks`` say what a run did."""

    def __init__(self, events: Journal, projects: Projects, tasks: Tasks, new_id: Callable[[], str]) -> None:
        self._events, self._projects, self._tasks, self._new_id = events, projects, tasks, new_id

    def verbs(self) -> Verbs:
        """What the server answers."""
        return {
            "bench-record": Verb(self.record, RunArgs, looks=False),
            "bench-runs": Verb(self.compare, RunsArgs),
        }

    def record(self, args: RunArgs, trace: str, report: Report) -> Run:
        """Writes a run down; raises `UsageError` for a task that is not there."""
        project = self._projects.find(args.project).id
        task = self._tasks.show(TaskName(task=args.task, project=project), trace, report)
        event = RunRecorded(
            suite=args.suite, case=args.case, arm=args.arm, task=task.task,
            expected=sorted(set(args.expected)), success=args.success, tokens=args.tokens,
            resident_tokens=args.resident_tokens, turns=args.turns, seconds=args.seconds,
        )  # fmt: skip
        tags = (f"task:{task.task}",)
        one = draft(event, project=project, source=PERSON, id=self._new_id(), tags=tags)
        self._events.append([one]).result()
        written = self._events.find(one.id)
        return pairing.seen(event, written.at if written else "", task.files)

    def compare(self, args: RunsArgs, trace: str, report: Report) -> RunsReply:
        """The project's runs, what each arm cost, and what was saved."""
        project = self._projects.find(args.project).id
        runs = []
        for record in self._events.select((Item(types=(RunRecorded.TYPE,)),)):
            event = decode_payload(record) if record.project == project else None
            if isinstance(event, RunRecorded) and args.suite in ("", event.suite):
                task = self._tasks.show(TaskName(task=event.task, project=project), trace, report)
                runs.append(pairing.seen(event, record.at, task.files))
        kept = pairing.latest(runs)
        return RunsReply(project=project, runs=kept, arms=pairing.arms(kept), savings=pairing.savings(kept))
