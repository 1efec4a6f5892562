"""What hooks of Claude Code and Codex mean for a session's tail, and what is said in their replies.

Beside a tool result the reminder; at the end of a batch, else beside the next result or at the next prompt,
the message of its own. Never when a turn or a subagent ends, and nothing for a subagent: its tail is another
one, in which no person speaks. These hosts cannot take anything out of what the model sees.
"""

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor

import structlog

from navlog.daemon.hosts import claude_code, codex
from navlog.daemon.hosts.heard import Call
from navlog.daemon.hosts.payload import Payload
from navlog.daemon.nudging.claude_rows import ClaudeRows
from navlog.daemon.nudging.codex_rows import CodexRows
from navlog.daemon.nudging.desk import Desk, new_token
from navlog.daemon.nudging.following import Following
from navlog.daemon.nudging.handing import Handed, Handing
from navlog.daemon.nudging.offers import Expected, Offers
from navlog.daemon.nudging.rows import Rows
from navlog.daemon.nudging.steps import Steps
from navlog.daemon.nudging.tails import Tails
from navlog.projections.nudging import leasing
from navlog.projections.nudging.passing import Moment, Seen
from navlog.projections.nudging.session import Session
from navlog.projections.nudging.tags import REDUCE, is_reduce
from navlog.schemas.errors import NavlogError
from navlog.schemas.event import Event
from navlog.schemas.nudges import NudgeMissed
from navlog.schemas.sessions import SessionEnded, ToolAsked, TurnEnded

MARGIN_S = 0.04  # kept back for the fsync and the way back
THREADS = 2
ROWS: Mapping[str, Callable[[], Rows]] = {claude_code.HOST: ClaudeRows, codex.HOST: CodexRows}
BESIDE, BATCH, PROMPT = "PostToolUse", "PostToolBatch", "UserPromptSubmit"
log = structlog.get_logger()


class Hearing:
    """Never raises: a failure costs the words, not the hook."""

    def __init__(
        self,
        desk: Desk,
        steps: Steps,
        tails: Tails,
        offers: Offers,
        handing: Handing,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._desk = desk
        self._steps = steps
        self._tails = tails
        self._offers = offers
        self._handing = handing
        self._monotonic = monotonic
        self._following: dict[str, Following] = {}
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="tails")

    def close(self) -> None:
        """Waits for nothing."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def hear(self, call: Call) -> str:
        """See `navlog.daemon.hosts.heard.Nudged`; the log has what it says."""
        try:
            return self._heard(call, str(getattr(call.events[0], "session", "")))
        except NavlogError as fault:
            log.warning("nudging_failed", fault=str(fault))
        except Exception:
            log.exception("nudging_failed")
        return ""

    def _heard(self, call: Call, session: str) -> str:
        if call.spooled:
            if what := self._handing.take(call.id):
                self._missed(call, what)
            return ""
        event = call.events[0]
        if isinstance(event, TurnEnded | SessionEnded):
            self._ended(call, session)
        elif isinstance(event, ToolAsked) and is_reduce(event.tool):
            self._offers.expect(Expected(session, call.project, event.call, _drop(call.payload)))
        if call.host not in ROWS or not session or call.payload.text("agent_id"):
            return ""
        offered = self._offers.heard(call.pid, session)
        if call.payload.text("hook_event_name") not in (BESIDE, BATCH, PROMPT):
            return ""
        self._settle(call, session)
        if not self._read(call, session):
            return ""
        tail = self._tails.of(session)
        with tail.lock:
            seen = tail.seen()
            return self._said(call, seen, self._moment(call, session, seen, offered=offered))

    def _ended(self, call: Call, session: str) -> None:
        """A report must not be answered by a nudge: what was due is no longer."""
        if leasing.run_ended(self._steps.of(session).lease, session):
            self._steps.take(session, call.project, lambda now: _ended(now, session), call.trace)

    def _settle(self, call: Call, session: str) -> None:
        """What was handed to earlier hooks was heard, or lies in the spool with its call."""
        heard, missed = self._handing.settled(session)
        for what in missed:
            self._missed(call, what)
        for what in heard:
            if what.token:
                self._desk.confirm(session, call.project, what.token, call.trace, text=what.text)

    def _missed(self, call: Call, what: Handed) -> None:
        """Nobody heard it: it is as if it had not been said."""
        if what.token:
            self._desk.confirm(what.session, call.project, what.token, call.trace, failed=True)
        else:
            event = NudgeMissed(session=what.session, result=what.result)
            self._steps.take(what.session, call.project, lambda _now: [event], call.trace)

    # --- reading ----------------------------------------------------------------------------------------

    def _read(self, call: Call, session: str) -> bool:
        """Whether the tail could be read in time; it is read to its end in any case, for the next time."""
        path = call.payload.text("transcript_path")
        if not path.startswith("/"):
            return False
        reading: Future[bool] = self._pool.submit(self._catch_up, call.host, session, path)
        try:
            return reading.result(max(0.0, call.until - MARGIN_S - self._monotonic()))
        except TimeoutError:
            return False

    def _catch_up(self, host: str, session: str, path: str) -> bool:
        tail = self._tails.of(session)
        with tail.lock:
            one = self._following.get(session)
            if one is None or one.path != path or one.tail is not tail:
                one = self._following[session] = Following(path, tail, ROWS[host])
                for gone in [name for name in self._following if not self._tails.has(name)]:
                    del self._following[gone]
            try:
                one.catch_up()
            except OSError as fault:
                log.info("transcript_unread", path=path, fault=str(fault))
                return False
            return True

    # --- saying -----------------------------------------------------------------------------------------

    def _moment(self, call: Call, session: str, seen: Seen, *, offered: bool) -> Moment:
        tool = next((part.tool for part in seen.parts if is_reduce(part.tool)), "")
        beside = call.payload.text("hook_event_name") == BESIDE
        own = beside and is_reduce(call.payload.text("tool_name"))
        why = "the session used it" if tool else "its server was offered to this agent" if offered else ""
        return self._desk.moment(
            Moment(
                session,
                tool=tool or (REDUCE if offered else ""),
                why=why or "no server of ours was seen in this agent",
                result=call.payload.text("tool_use_id") if beside else "",
                own=own,
                message=True,
                at_once=not beside,
                token=new_token(),
            )
        )

    def _said(self, call: Call, seen: Seen, moment: Moment) -> str:
        if self._monotonic() > call.until - MARGIN_S:
            return ""
        outcome = self._desk.run(call.project, seen, moment, call.trace)
        text = (outcome.reminder or outcome.message).strip()
        if not text:
            return ""
        what = Handed(moment.session, token=moment.token, text=text)
        if outcome.reminder:
            what = Handed(moment.session, result=moment.result)
        if self._monotonic() > call.until:
            self._missed(call, what)
            return ""
        self._handing.gave(call.id, what)
        return text


def _ended(state: Session, session: str) -> list[Event]:
    event = leasing.run_ended(state.lease, session)
    return [event] if event else []


def _drop(payload: Payload) -> str:
    """What a call of the reduce tool asks for, wherever its host says what a tool is given."""
    given = (payload.of("tool_input"), payload.of("input"), payload.of("output").of("args"))
    return next((drop for one in given if (drop := one.text("drop"))), "")
