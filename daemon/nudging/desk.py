"""The verbs `tail.measure`, `tail.reduce` and `tail.sent`: for hosts that send their messages themselves.

What the reply says is in the log before it is told. A tail that cannot be read whole is not measured.
"""

import secrets
import time
from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from navlog.daemon.nudging.replies import measured, rewritten
from navlog.daemon.nudging.steps import Steps
from navlog.daemon.nudging.tails import Tails, message_id, message_of
from navlog.daemon.projects import Projects
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.projections.nudging import leasing
from navlog.projections.nudging.passing import Moment, Outcome, Seen, passed
from navlog.projections.nudging.session import Session
from navlog.projections.nudging.standing import after_reduce, said, standing_of
from navlog.projections.nudging.tags import REDUCE, Reduction, is_reduce, reduction
from navlog.schemas.errors import RequestRefused, UsageError
from navlog.schemas.event import Event
from navlog.schemas.nudges import DropsApplied, ReduceAsked
from navlog.schemas.settings import Nudge
from navlog.schemas.tails import (
    TailMeasureArgs,
    TailMeasureReply,
    TailReduceArgs,
    TailReduceReply,
    TailSentArgs,
    TailSentReply,
)

TOKEN = 10**15  # so many tokens of a lease there are; in digits, which no rule takes for a secret
SAYS_SO, SAYS_NONE = "the host names it", "the host names none"


class Desk:
    """``counter`` names what counts the tokens; ``now`` is in seconds after 1970."""

    def __init__(
        self,
        projects: Projects,
        steps: Steps,
        tails: Tails,
        settings: Nudge,
        counter: str,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._projects = projects
        self._steps = steps
        self._tails = tails
        self._settings = settings
        self._counter = counter
        self._now = now

    def verbs(self) -> Verbs:
        """What the server answers."""
        return {
            "tail.measure": Verb(self.measure, TailMeasureArgs, looks=False),
            "tail.reduce": Verb(self.reduce, TailReduceArgs, looks=False),
            "tail.sent": Verb(self.sent, TailSentArgs, looks=False),
        }

    def measure(self, args: TailMeasureArgs, trace: str, _report: Report) -> TailMeasureReply:
        """One pass; raises `UnknownProject`, and `RequestRefused` for what is no tail."""
        project = self._project(args.session, args.project)
        tail = self._tails.of(args.session)
        moment = self._moment(args)
        with tail.lock:
            missing = tail.take(args.messages, args.order) if args.messages is not None else []
            if missing:
                return TailMeasureReply(missing=missing)
            tail.removes = args.removes
            seen = tail.seen()
            outcome = self.run(project, seen, moment, trace)
            ledger = seen.ledger(outcome.session, self._settings)
            asked = tail.blocks(map(message_id, args.messages or ()))
            return measured(outcome, ledger, moment, asked, self._settings)

    def run(self, project: str, seen: Seen, moment: Moment, trace: str) -> Outcome:
        """A pass whose events are in the log when this returns."""
        outcomes: list[Outcome] = []

        def decide(session: Session) -> Sequence[Event]:
            outcomes.append(passed(session, seen, moment, self._settings))
            return outcomes[-1].events

        self._steps.take(moment.session, project, decide, trace)
        return outcomes[-1]

    def reduce(self, args: TailReduceArgs, trace: str, _report: Report) -> TailReduceReply:
        """Queues what can be given up; raises `UsageError` for what names no tags."""
        project = self._project(args.session, args.project)
        tail = self._tails.of(args.session)
        if args.messages is None:
            return self.asked(args, project, trace)
        moment = self.moment(Moment(args.session, 0, REDUCE, SAYS_SO, removes=True))
        with tail.lock:
            tail.take(args.messages, None)
            tail.removes = True
            seen = tail.seen()
            self.run(project, seen, moment, trace)
            reply = self.asked(args, project, trace)
            state = self._applied(args.session, project, trace)
            rows = [(row.block, row.tag) for row, _ in seen.ledger(state, self._settings).rows()]
        messages = rewritten(map(message_of, args.messages), rows, state.dropped)
        return msgspec.structs.replace(reply, messages=messages)

    def asked(self, args: TailReduceArgs, project: str, trace: str) -> TailReduceReply:
        """What `ctx_reduce` says: the answer is computed on the measurement that is stored."""
        found: list[tuple[Reduction, int, int]] = []

        def decide(session: Session) -> Sequence[Event]:
            if session.measured is None:
                raise UsageError("Nothing of this session was measured yet.", hint="Go on, and try later.")
            one = reduction(args.drop, standing_of(session))
            found.append((one, *after_reduce(session, one.queued)))
            return [
                ReduceAsked(
                    session=args.session, queued=one.queued, refused=one.refused, reason=args.reason[:500]
                )
            ]

        self._steps.take(args.session, project, decide, trace)
        one, u, t = found[-1]
        text = said(one, u, t, removes=self._tails.of(args.session).removes)
        return TailReduceReply(queued=one.queued, refused=one.refused, u=u, t=t, text=text)

    def sent(self, args: TailSentArgs, trace: str, _report: Report) -> TailSentReply:
        """The send returned or failed: recorded at once; a delivery is confirmed by a second step."""
        project = self._project(args.session, args.project)
        before = self._steps.of(args.session).lease
        state = self.confirm(args.session, project, args.token, trace, failed=args.failed)
        return TailSentReply(lease=state.lease.state, taken=state.lease != before)

    def confirm(
        self, session: str, project: str, token: str, trace: str, *, text: str = "", failed: bool = False
    ) -> Session:
        """See `sent`."""

        def said(one: Session) -> list[Event]:
            step = leasing.failed if failed else partial(leasing.returned, text=text)
            return _events(step(one.lease, session, token))

        def delivered(one: Session) -> list[Event]:
            return _events(leasing.confirmed(one.lease, session, token))

        state = self._steps.take(session, project, said, trace)
        return state if failed else self._steps.take(session, project, delivered, trace)

    def _moment(self, args: TailMeasureArgs) -> Moment:
        return self.moment(
            Moment(
                args.session, 0, args.reduce_tool, SAYS_SO if args.reduce_tool else SAYS_NONE, args.result,
                own=is_reduce(args.tool), message=args.message, at_once=True,
                token=new_token() if args.message else "", shows=args.shows,
                removes=args.removes, rewrites=args.rewrites, window=args.window,
                tool_ratio=args.tool_ratio, prose_ratio=args.prose_ratio,
            )
        )  # fmt: skip

    def moment(self, moment: Moment) -> Moment:
        """``moment`` with what is the same for every host."""
        return moment._replace(now_s=int(self._now()), counter=self._counter)

    def _applied(self, session: str, project: str, trace: str) -> Session:
        return self._steps.take(
            session, project,
            lambda one: [DropsApplied(session=session, tags=sorted(one.queued))] if one.queued else [],
            trace,
        )  # fmt: skip

    def _project(self, session: str, where: str | None) -> str:
        if not session or len(session) > 200:
            raise RequestRefused(
                "The session's name is empty or too long.", hint="The host's own id will do."
            )
        return self._projects.find(where).id


def _events(event: Event | None) -> list[Event]:
    return [event] if event else []


def new_token() -> str:
    """What a lease is held by."""
    return str(secrets.randbelow(TOKEN))
