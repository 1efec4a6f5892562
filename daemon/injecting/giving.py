"""The verbs around injections: `give`, `explain`, `as-of`, and what POST /v1/context does besides."""

import secrets
from collections.abc import Callable
from time import monotonic

from navlog.daemon.answers import Answers
from navlog.daemon.hosts.heard import Ask
from navlog.daemon.injecting.injector import Injector
from navlog.daemon.injecting.looking_back import LookingBack
from navlog.daemon.injecting.metrics import InjectionMetrics
from navlog.daemon.injecting.recording import Recording
from navlog.daemon.projects import Projects
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.projections.injecting.pointing import pointed
from navlog.schemas.errors import UsageError
from navlog.schemas.giving import AsOfArgs, AsOfReply, ExplainArgs, ExplainReply, GiveArgs, GiveReply
from navlog.schemas.wire import ContextArgs, ContextReply

HTTP = "http"  # the host of an injection that a program of its own asked for


class Giving:
    """One method a verb."""

    def __init__(
        self,
        injector: Injector,
        looking_back: LookingBack,
        recording: Recording,
        projects: Projects,
        answers: Answers,
        metrics: InjectionMetrics,
        new_id: Callable[[], str] = lambda: secrets.token_hex(8),
    ) -> None:
        self.injector = injector
        self.metrics = metrics
        self._looking_back = looking_back
        self._recording = recording
        self._projects = projects
        self._answers = answers
        self._new_id = new_id

    def verbs(self) -> Verbs:
        """What the server answers."""
        return {
            "give": Verb(self.give, GiveArgs, looks=False),
            "explain": Verb(self.explain, ExplainArgs),
            "as-of": Verb(self.as_of, AsOfArgs),
        }

    def give(self, args: GiveArgs, trace: str, _report: Report) -> GiveReply:
        """What the task needs, fenced; raises `UnknownProject`, `UsageError`."""
        if args.moment in ("prompt", "asked") and not args.task.strip():
            raise UsageError("The task is empty.", hint="Say it in words.")
        project = self._projects.find(args.project)
        ask = Ask(args.session, args.host, args.moment, args.task)
        until = monotonic() + args.wait_ms / 1000
        return GiveReply(block=self.injector.give(ask, project.id, trace, until))

    def explain(self, args: ExplainArgs, _trace: str, _report: Report) -> ExplainReply:
        """Why it was given."""
        return self._looking_back.explain(args)

    def as_of(self, args: AsOfArgs, _trace: str, _report: Report) -> AsOfReply:
        """What sessions knew."""
        return self._looking_back.as_of(args)

    def context(self, args: ContextArgs, trace: str, _report: Report) -> ContextReply:
        """The answer to somebody who gives it to a model: what it held is in the log before it is told."""
        reply = self._answers.context(args, trace)
        files = self._answers.view(self._projects.find(reply.project)).files
        found = [pointed(item, files.get(item.path)) for item in reply.items]
        ask = Ask("", HTTP, "asked", args.task)
        why = "" if found else "nothing found"
        event = self._recording.given(ask, self._new_id(), reply.position, found, "", why)
        self._recording.append(event, found, reply.project, trace)
        return reply
