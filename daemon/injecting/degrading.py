"""Reads what agents say at the end of a turn, and decides with it who is given paths only.

A thread of its own: no hook waits for it, and what a reply says counts from the next prompt on. Where the
project is not known as a whole, references are not judged. A reactor: a replay does not run it.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import structlog

from navlog.daemon.answers import Answers
from navlog.daemon.hosts.replies import Reply
from navlog.daemon.injecting.memory import Folded, session_tag
from navlog.daemon.injecting.reply_metrics import ReplyMetrics
from navlog.daemon.journal import Journal
from navlog.daemon.journal.shapes import Item
from navlog.daemon.projects import Project
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.projections.injecting.degrading import Trust, apply, decide, is_good
from navlog.projections.injecting.referring import Referred, blind, referred
from navlog.projections.terms import LONGEST
from navlog.projections.views import ProjectView
from navlog.schemas.envelope import Draft, draft
from navlog.schemas.errors import UsageError
from navlog.schemas.giving import TrustArgs, TrustReply
from navlog.schemas.payloads import decode_payload
from navlog.schemas.replies import DegradedWhy, ReplyChecked, SessionDegraded, SessionRestored
from navlog.schemas.sessions import SessionEnded
from navlog.schemas.settings import Inject

SOURCE = "navlog"
NAMED = 20  # of what is missing
PATIENCE_S = 1.0  # for what the turn has just written
WAIT_S = 5.0
_TYPES = (ReplyChecked.TYPE, SessionDegraded.TYPE, SessionRestored.TYPE, SessionEnded.TYPE)
_DEGRADED = Item(types=(SessionDegraded.TYPE,))
_Said = ReplyChecked | SessionDegraded | SessionRestored
log = structlog.get_logger()


class InProject(NamedTuple):
    """A project as `referred` wants it: the graph's view, and the disk for what is ignored by it."""

    view: ProjectView
    root: Path

    def has_file(self, path: str) -> bool:
        """See `Code`. What an agent sees on the disk is not invented."""
        with self.view.lock:
            if self.view.index.ending(path):
                return True
        return ".." not in path.split("/") and os.path.lexists(self.root / path)

    def is_kind(self, suffix: str) -> bool:
        """See `Code`."""
        with self.view.lock:
            return any(path.endswith(suffix) for path in self.view.files)

    def defines(self, name: str) -> bool:
        """See `Code`."""
        with self.view.lock:
            return bool(self.view.index.defining(name.casefold()))

    def says(self, name: str) -> bool:
        """See `Code`; a name too long to be a term may be anywhere."""
        word = name.strip("_").lower()
        with self.view.lock:
            return len(word) > LONGEST or bool(self.view.index.holding(word))


class Degrading:
    """``variant`` names the candidate that a session of a project runs; ``metrics`` are for `/metrics`."""

    def __init__(
        self,
        events: Journal,
        answers: Answers,
        settings: Inject,
        variant: Callable[[str, str], str],
        new_id: Callable[[], str],
    ) -> None:
        self._events = events
        self._answers = answers
        self._settings = settings
        self._variant = variant
        self._new_id = new_id
        self._trust = Folded(events, _TYPES, Trust(), apply)
        self._degraded = self._standing()
        self.metrics = ReplyMetrics(self.sessions)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="replies")

    def close(self) -> None:
        """What waits is not read any more."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def verbs(self) -> Verbs:
        """What the server answers."""
        return {"trust": Verb(self.trust, TrustArgs, looks=False)}

    def why(self, session: str) -> DegradedWhy:
        """Why the session is given paths only; "" for everything."""
        return self.sessions().get(session, "")

    def sessions(self) -> Mapping[str, DegradedWhy]:
        """Those that are given paths only now."""
        return self._degraded if self._settings.degrade else {}

    def heard(self, project: Project, reply: Reply, host: str, trace: str) -> None:
        """A reply, without secrets; returns at once."""
        if self._settings.degrade and reply.session:
            self._pool.submit(self._read, project, reply, host, trace)

    def trust(self, args: TrustArgs, trace: str, _report: Report) -> TrustReply:
        """A person gives a session everything again; raises `UsageError` for one that has it."""
        named = [one for one in self._degraded if one.startswith(args.session)]
        if len(named) != 1:
            told = ", ".join(sorted(self._degraded))
            raise UsageError(
                f"{args.session!r} is not one session that is given paths only.",
                hint=f"Given paths only: {told}." if told else "No session is given paths only.",
            )
        event = SessionRestored(session=named[0], why="person")
        self._append([self._draft(self._project(named[0]), event, self._new_id(), trace)])
        self._take(named[0], "")
        return TrustReply(session=named[0])

    def _read(self, project: Project, reply: Reply, host: str, trace: str) -> None:
        try:
            self._judge(project, reply, host, trace)
        except Exception:
            log.exception("reply_not_checked")

    def _judge(self, project: Project, reply: Reply, host: str, trace: str) -> None:
        id_ = f"reply:{host}:{reply.session}:{reply.turn or trace}"
        if self._events.find(f"{id_}:{ReplyChecked.TYPE}"):
            return
        trust = self._trust.of(reply.session)
        said, found = blind(reply.text), self._referred(project, reply.text)
        if not (said or found.total or trust.why):
            return
        invented = len(found.missing)
        checked = ReplyChecked(
            session=reply.session, host=host, references=found.total, invented=invented,
            missing=found.missing[:NAMED], blind=said, turn=reply.turn,
            good=is_good(trust.why, found.total, invented, said, self._settings),
            variant=self._variant(project.id, reply.session),
        )  # fmt: skip
        follows = decide(apply(trust, checked), checked, self._settings)
        told: list[_Said] = [checked, *([follows] if follows else [])]
        self._append([self._draft(project.id, one, f"{id_}:{one.TYPE}", trace) for one in told])
        self.metrics.counted(checked)
        self._take(reply.session, self._trust.of(reply.session).why)

    def _referred(self, project: Project, reply: str) -> Referred:
        if self._answers.freshen(project, PATIENCE_S):
            return Referred(0, [])
        return referred(reply, InProject(self._answers.view(project), project.root))

    def _take(self, session: str, why: DegradedWhy) -> None:
        """Another mapping each time: others look at it without a lock."""
        if self._degraded.get(session, "") != why:
            log.info("session_degraded" if why else "session_restored", session=session, why=why)
        others = {one: reason for one, reason in self._degraded.items() if one != session}
        self._degraded = {**others, **({session: why} if why else {})}

    def _project(self, session: str) -> str:
        """The one in which it was degraded."""
        item = Item(types=_DEGRADED.types, tags=(session_tag(session),))
        return [record.project for record in self._events.select([item])][-1]

    def _standing(self) -> dict[str, DegradedWhy]:
        """As the log says."""
        events = (decode_payload(record) for record in self._events.select([_DEGRADED]))
        sessions = {event.session for event in events if isinstance(event, SessionDegraded)}
        return {session: why for session in sorted(sessions) if (why := self._trust.of(session).why)}

    @staticmethod
    def _draft(project: str, event: _Said, id_: str, trace: str) -> Draft:
        tags = (session_tag(event.session),)
        return draft(event, project=project, source=SOURCE, id=id_, tags=tags, trace=trace or None)

    def _append(self, drafts: Sequence[Draft]) -> None:
        self._events.append(drafts).result(WAIT_S)
