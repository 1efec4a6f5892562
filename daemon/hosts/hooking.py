"""The verb `hook`: every call of every host. What it says is in the log before it is answered.

The payload's own folder decides the project; of a folder that is no registered project's nothing is kept and
nothing is said. Never asks where the daemon itself runs, and stores no payload as it came.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic

import structlog

from navlog.daemon.hosts.heard import Ask, Call, Heard, Injector, Nudged, Place, silent
from navlog.daemon.hosts.payload import Payload, read_payload
from navlog.daemon.hosts.replies import (
    Heeded,
    Replied,
    Reply,
    last_words,
    nobody,
    reply_of,
    taken_on,
    unheeded,
)
from navlog.daemon.hosts.tasks import Tasks
from navlog.daemon.hosts.translating import cwd_of, spoken, translate
from navlog.daemon.journal import Journal, utc_now
from navlog.daemon.projects import Project, Projects
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.schemas.envelope import Draft, draft
from navlog.schemas.errors import ConditionFailed, IdReused, RequestRefused, UsageError
from navlog.schemas.times import utc
from navlog.schemas.wire import HookArgs, HookReply

WAIT_MS = 150  # for a client that does not say how long it will wait
APPEND_S = 20.0  # a slow disk: the client is long gone by then, and its spool brings it again
DECIDED = 3  # times what a call means for the tasks; after that the call is kept alone
_HOST = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z", re.ASCII)
_ID = re.compile(r"[\w.:-]{8,128}", re.ASCII)
log = structlog.get_logger()


def verbs(hooking: "Hooking") -> Verbs:
    """What the server answers."""
    return {"hook": Verb(hooking.hook, HookArgs, looks=False)}


class Hooking:
    """``injector`` chooses what is given; a failure of it costs the words, never the hook.

    ``replied`` judges what an agent said while its host waits, ``heeded`` whenever it has the time.
    ``stirred`` is called as soon as an agent is at work in a project; it returns at once.
    """

    def __init__(
        self,
        events: Journal,
        projects: Projects,
        injector: Injector,
        redact: Callable[[str], str],
        tasks: Tasks,
        now: Callable[[], str] = utc_now,
        replied: Replied = nobody,
        nudged: Nudged = silent,
        heeded: Heeded = unheeded,
        stirred: Callable[[], None] = lambda: None,
    ) -> None:
        self._events = events
        self._projects = projects
        self._injector = injector
        self._redact = redact
        self._tasks = tasks
        self._now = now
        self._replied = replied
        self._nudged = nudged
        self._heeded = heeded
        self._stirred = stirred

    def hook(self, args: HookArgs, trace: str, _report: Report) -> HookReply:
        """One call; raises `RequestRefused` for what is no call, and what the journal raises."""
        until = monotonic() + (args.wait_ms or WAIT_MS) / 1000
        return HookReply(stdout=self._answer(args, trace, until))

    def again(self, args: HookArgs) -> None:
        """A call out of the spool."""
        with structlog.contextvars.bound_contextvars(trace=args.id):
            self._answer(args, args.id, 0.0)

    def _answer(self, args: HookArgs, trace: str, until: float) -> str:
        _check(args)
        payload = read_payload(args.payload)
        cwd = cwd_of(args.host, payload)
        project = self._project(cwd)
        if project is None:
            return ""
        if not args.spooled:
            self._stirred()
        place = Place(str(project.root), str(Path(cwd).resolve()), cwd, self._redact)
        heard = translate(args.host, payload, place)
        reply = None if args.spooled else self._reply(payload)
        reason = self._judged(reply, project, trace)
        self._keep(args, project.id, heard, trace)
        if not args.spooled and (said := last_words(reply, heard.events)):
            self._heeded(project, said, args.host, trace)
        if reason:
            return taken_on(reason)
        call = Call(
            args.id, args.host, project.id, args.pid, payload, heard.events, trace, until, args.spooled
        )
        nudged = self._nudged(call)
        if args.spooled:
            if heard.ask:  # a client spools what it had no answer to, though there may have been one
                self._injector.unheard(heard.ask.session, project.id, trace)
            return ""
        given = self._given(heard.ask, project, trace, until) if heard.ask else ""
        hook = heard.ask.hook if heard.ask else payload.text("hook_event_name")
        return spoken(args.host, hook, "\n".join(filter(None, (given, nudged))))

    def _reply(self, payload: Payload) -> Reply | None:
        """What the agent said, without secrets."""
        reply = reply_of(payload)
        return reply._replace(text=self._redact(reply.text)) if reply else None

    def _judged(self, reply: Reply | None, project: Project, trace: str) -> str:
        """Why the turn that ends here should be taken on; a failure of the judge costs the judgement."""
        if reply is None:
            return ""
        try:
            return self._replied(project, reply, trace)
        except Exception:
            log.exception("reply_not_judged")
            return ""

    def _project(self, cwd: str) -> Project | None:
        """The registered project of the payload's folder; None as well for a folder that is gone."""
        if not cwd.startswith("/"):
            return None
        try:
            return self._projects.find(cwd)
        except UsageError:
            return None

    def _keep(self, args: HookArgs, project: str, heard: Heard, trace: str) -> None:
        """In the log once it returns, together with what it means for the tasks."""
        drafts = list(_drafts(args, project, heard, trace))
        if known := self._events.find(drafts[0].id):
            if known.trace == trace or bytes(known.data) == drafts[0].data:
                return
            # The host gave two calls one name.
            drafts = list(_drafts(args, project, heard._replace(call=""), trace))
        try:
            self._append(drafts, args, project, heard)
        except IdReused:
            # A daemon that stood still reads a call and what its client spooled of it at the same time.
            known = self._events.find(drafts[0].id)
            if known is None or known.trace != trace:
                raise

    def _append(self, drafts: Sequence[Draft], args: HookArgs, project: str, heard: Heard) -> None:
        at = args.at or self._now()
        for _ in range(DECIDED):
            ruled = self._tasks.rule(project, heard.events[0], args.id, drafts[0].source, at)
            try:
                self._events.append([*ruled.drafts, *drafts], ruled.condition).result(APPEND_S)
            except ConditionFailed:
                continue
            return
        self._events.append(drafts).result(APPEND_S)

    def _given(self, ask: Ask, project: Project, trace: str, until: float) -> str:
        try:
            return self._injector.give(ask, project.id, trace, until)
        except Exception:
            log.exception("injection_failed", host=ask.host, moment=ask.moment)
            return ""


def _drafts(args: HookArgs, project: str, heard: Heard, trace: str) -> Iterator[Draft]:
    """Named by the host's own name of the call where it has one: hooks installed twice say it once."""
    for number, event in enumerate(heard.events):
        session = str(getattr(event, "session", ""))
        whole = f"{args.host}:{session}:{event.TYPE}:{heard.call}:{number}"
        yield draft(
            event,
            project=project,
            source=f"hook:{args.host}",
            id=whole if heard.call else f"{args.id}:{number}",
            tags=(f"session:{session}",) if session else (),
            occurred_at=args.at or None,
            trace=trace,
        )


def _check(args: HookArgs) -> None:
    if not _HOST.fullmatch(args.host):
        raise RequestRefused("The host's name has other than a-z, 0-9, - and _.", hint="navlog-hook HOST")
    if not _ID.fullmatch(args.id):
        raise RequestRefused("The call's id is no id.", hint="32 hex digits will do.")
    if args.at and not (_AT.fullmatch(args.at) and utc(args.at)):  # 2026-02-30 looks like a day
        raise RequestRefused("The call's time is no time in UTC.", hint="2026-11-30T12:00:00Z")
