"""The verb `hook`: every call of every host. What it says is in the log before it is answered.

The payload's own folder decides the project; of a folder that is no registered project's nothing is kept and
nothing is said. Never asks where the daemon itself runs, and stores no payload as it came.
"""

import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from time import monotonic

import structlog

from navlog.daemon.hosts.heard import Ask, Heard, Injector, Place
from navlog.daemon.hosts.payload import read_payload
from navlog.daemon.hosts.translating import cwd_of, spoken, translate
from navlog.daemon.journal import Journal, Receipt
from navlog.daemon.projects import Project, Projects
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.schemas.envelope import Draft, draft
from navlog.schemas.errors import IdReused, RequestRefused, UsageError
from navlog.schemas.wire import HookArgs, HookReply

WAIT_MS = 150  # for a client that does not say how long it will wait
APPEND_S = 20.0  # a slow disk: the client is long gone by then, and its spool brings it again
_HOST = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_ID = re.compile(r"[\w.:-]{8,128}", re.ASCII)
log = structlog.get_logger()


def verbs(hooking: "Hooking") -> Verbs:
    """What the server answers."""
    return {"hook": Verb(hooking.hook, HookArgs, looks=False)}


class Hooking:
    """``injector`` chooses what is given; a failure of it costs the words, never the hook."""

    def __init__(
        self, events: Journal, projects: Projects, injector: Injector, redact: Callable[[str], str]
    ) -> None:
        self._events = events
        self._projects = projects
        self._injector = injector
        self._redact = redact

    def hook(self, args: HookArgs, trace: str, _report: Report) -> HookReply:
        """One call; raises `RequestRefused` for what is no call, and what the journal raises."""
        until = monotonic() + (args.wait_ms or WAIT_MS) / 1000
        _check(args)
        payload = read_payload(args.payload)
        cwd = cwd_of(args.host, payload)
        project = self._project(cwd)
        if project is None:
            return HookReply()
        place = Place(str(project.root), str(Path(cwd).resolve()), cwd, self._redact)
        heard = translate(args.host, payload, place)
        written = self._append(args, project, heard, trace)
        block = self._given(heard.ask, project, trace, until) if heard.ask and not args.spooled else ""
        self._settle(written, args, project, heard, trace)
        return HookReply(stdout=spoken(args.host, heard.ask.hook, block) if heard.ask else "")

    def _project(self, cwd: str) -> Project | None:
        """The registered project of the payload's folder; None as well for a folder that is gone."""
        if not cwd.startswith("/"):
            return None
        try:
            return self._projects.find(cwd)
        except UsageError:
            return None

    def _append(self, args: HookArgs, project: Project, heard: Heard, trace: str) -> Future[Receipt]:
        return self._events.append(list(_drafts(args, project.id, heard, trace)))

    def _settle(
        self, written: Future[Receipt], args: HookArgs, project: Project, heard: Heard, trace: str
    ) -> None:
        """Waits until it is durable. A host that gives two calls one name has said two things."""
        try:
            written.result(APPEND_S)
        except IdReused:
            self._append(args, project, heard._replace(call=""), trace).result(APPEND_S)

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
