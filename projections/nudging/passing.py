"""One pass over a session's tail: the events it makes true, and what is said. Pure.

Whoever runs it appends the events on the condition that nothing of the session was said since the state was
read, and says nothing where that fails: so each text is shown once, whoever else looks at the same session.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from navlog.projections.nudging import deciding, leasing, reclaiming, wording
from navlog.projections.nudging.applying import due
from navlog.projections.nudging.bands import level
from navlog.projections.nudging.deciding import Decision, Pass
from navlog.projections.nudging.hints import Candidate, chosen
from navlog.projections.nudging.ledger import Ledger, Sums
from navlog.projections.nudging.measuring import Standing
from navlog.projections.nudging.session import Session, apply
from navlog.projections.nudging.tags import REDUCE
from navlog.projections.nudging.tail import Counted
from navlog.projections.nudging.window import calibrated, default_floor
from navlog.schemas.event import Event
from navlog.schemas.nudges import (
    DropsApplied,
    MeasuredPart,
    NudgeShown,
    ReduceAsked,
    ReduceToolJudged,
    TagsNumbered,
    TailMeasured,
    TailTag,
)
from navlog.schemas.settings import Nudge

CHUNK = 4_000  # tags or parts in one event: a line of the log has at most 1 MiB


class Seen:
    """The tail as it is now, and what passes keep of it. Grows at its end; else a new one has to be made.

    ``turns``: a block of each real user turn, ``summaries``: of each summary; ``beginnings`` of the input of
    each call, by block; ``subjects``: what each call looked at.
    """

    def __init__(self) -> None:
        self.parts: list[Counted] = []
        self.turns: list[str] = []
        self.summaries: list[str] = []
        self.beginnings: dict[str, str] = {}
        self.subjects: dict[str, reclaiming.Subject] = {}
        self._ledger: Ledger | None = None

    def ledger(self, session: Session, settings: Nudge) -> Ledger:
        """With all parts in it, and the tags that the session has and those they were given now."""
        if self._ledger is None or not self._ledger.fits(session.tags):
            self._ledger = Ledger(session.tags, settings)
        self._ledger.add(self.parts[len(self._ledger.parts) :])
        return self._ledger


class Moment(NamedTuple):
    """What can be done at this pass; fields of the same name as in `navlog.schemas.tails.TailMeasureArgs`.

    ``tool``: the usable reduce tool that was seen, "" for none, and ``why``. ``own``: the result is that
    tool's. ``at_once``: a message may go out in the very pass that found it due, with ``token``.
    ``now_s``: seconds after 1970.
    """

    session: str
    now_s: int = 0
    tool: str = ""
    why: str = ""
    result: str = ""
    own: bool = False
    message: bool = False
    at_once: bool = False
    token: str = ""
    shows: bool = False
    removes: bool = False
    rewrites: bool = False
    window: int = 0
    counter: str = ""
    tool_ratio: float = 1.0
    prose_ratio: float = 1.0


class Outcome(NamedTuple):
    """``session`` is as the events leave it; the texts are "" where nothing is said on that channel."""

    events: list[Event]
    session: Session
    decision: Decision
    u: int
    t: int
    turn: int
    reminder: str = ""
    message: str = ""


def passed(session: Session, seen: Seen, moment: Moment, settings: Nudge) -> Outcome:
    """One pass, from what the tail is to what is said of it."""
    ledger = seen.ledger(session, settings)
    events = _tagged(session, ledger, moment, settings)
    state = _folded(session, events)
    sums = _measured(state, ledger, moment, settings)
    turn = _turn(state, seen)
    applied = any(isinstance(event, DropsApplied) for event in events)
    now = Pass(
        moment.session, sums.u, sums.t, turn, applied=applied, result=moment.result, own=moment.own,
        compacted=_is_compacted(state, seen),
    )  # fmt: skip
    verdict = _verdict(state, now, moment, settings)
    events += verdict
    state = _folded(state, verdict)
    decision = deciding.decide(state, now, settings)
    said: list[Event] = [*_stored(state, ledger, sums, now, moment), *decision.events]
    facts = partial(_facts, sums, ledger, seen, moment, settings)
    reminder = _reminder(decision, moment, facts)
    if reminder:
        said.append(_shown(decision, now, reminder))
    said += _leased(state, now, moment, settings, speaking=bool(reminder))
    said += _reclaimed(state, ledger, seen, now, moment, settings)
    after = _folded(state, said)
    claimed = bool(moment.token) and after.lease.token == moment.token and after.lease.state == "claimed"
    message = wording.message(facts()) if claimed else ""
    return Outcome([*events, *said], after, decision, sums.u, sums.t, turn, reminder, message)


# --- measuring ------------------------------------------------------------------------------------------


def _tagged(session: Session, ledger: Ledger, moment: Moment, settings: Nudge) -> list[Event]:
    """New numbers; and the queued drops, where this is the moment to apply them."""
    new = ledger.new()
    events: list[Event] = [
        TagsNumbered(session=moment.session, tags=new[at : at + CHUNK]) for at in range(0, len(new), CHUNK)
    ]
    if moment.removes and session.queued and _is_due(session, moment, settings):
        events.append(DropsApplied(session=moment.session, tags=sorted(session.queued)))
    return events


def _is_due(session: Session, moment: Moment, settings: Nudge) -> bool:
    """Of the stored measurement. Beside a result nothing is sent yet, so there it is not worth it either."""
    last = session.measured
    if last is None or (moment.result and not moment.rewrites):
        return False
    queued = sum(part.tokens for part in session.parts.values() if part.tag in session.queued)
    return due(calibrated(queued, last.tool_ratio), last.t, settings, rewrites=moment.rewrites)


def _measured(state: Session, ledger: Ledger, moment: Moment, settings: Nudge) -> Sums:
    floor = default_floor(moment.window or settings.window, settings)
    standing = Standing(
        queued=state.queued, dropped=state.dropped, floor=floor,
        tool_ratio=moment.tool_ratio, prose_ratio=moment.prose_ratio,
    )  # fmt: skip
    return ledger.measure(standing, state.dropped if moment.removes else frozenset())


def _turn(state: Session, seen: Seen) -> int:
    """Real user turns of the session; those that a compaction took away still count."""
    before = state.measured.turn if state.measured else 0
    return before + sum(block not in state.parts for block in seen.turns)


def _is_compacted(state: Session, seen: Seen) -> bool:
    return state.measured is not None and any(block not in state.parts for block in seen.summaries)


def _verdict(state: Session, now: Pass, moment: Moment, settings: Nudge) -> list[Event]:
    """Yes as soon as the tool is seen; no once it is missed: until then a server may come late."""
    if state.usable is not None:
        return []
    due = now.turn >= 1 and level(now.u, now.t, settings) != "quiet"
    if not moment.tool and not due:
        return []
    usable = bool(moment.tool)
    return [ReduceToolJudged(session=moment.session, usable=usable, tool=moment.tool, why=moment.why)]


def _stored(state: Session, ledger: Ledger, sums: Sums, now: Pass, moment: Moment) -> Iterator[TailMeasured]:
    """The measurement, if it says anything that the last one did not, or a reduce waits for it."""
    last = state.measured
    changed, gone = ledger.changes(state.parts, last)
    same = last is not None and (last.u, last.t, last.turn) == (now.u, now.t, now.turn)
    if same and not changed and not gone and not state.reduced:
        return
    for at in range(0, len(changed), CHUNK) or (0,):
        yield TailMeasured(
            session=moment.session, u=now.u, t=now.t, turn=now.turn,
            measured=(last.measured if last else 0) + 1, cutoff=sums.cutoff, floor=sums.floor,
            tool_ratio=moment.tool_ratio, prose_ratio=moment.prose_ratio, counter=moment.counter,
            parts=changed[at : at + CHUNK], gone=gone if at == 0 else [],
        )  # fmt: skip


def _reclaimed(
    state: Session, ledger: Ledger, seen: Seen, now: Pass, moment: Moment, settings: Nudge
) -> Iterator[ReduceAsked]:
    """What is set aside unasked, where it can be removed and the model could have done it itself."""
    if not (settings.reclaim and moment.removes and state.usable) or moment.result:
        return
    arcs = reclaiming.arcs(ledger.rows(), ledger.tags, seen.subjects)
    taken = reclaiming.chosen(arcs, reclaiming.Tail(now.u, now.t, moment.tool_ratio), settings)
    if taken:
        yield ReduceAsked(session=moment.session, queued=taken, reason="nudge.reclaim")


# --- saying ---------------------------------------------------------------------------------------------


def _reminder(decision: Decision, moment: Moment, facts: Callable[[], wording.Facts]) -> str:
    if decision.action == "hold" or not moment.result:
        return ""
    words = wording.full if decision.action == "full" else wording.line
    return words(decision.level, facts())


def _shown(decision: Decision, now: Pass, text: str) -> NudgeShown:
    return NudgeShown(
        session=now.session, level=decision.level, form="full" if decision.action == "full" else "line",
        u=now.u, turn=now.turn, result=now.result, text=text,
    )  # fmt: skip


def _leased(state: Session, now: Pass, moment: Moment, settings: Nudge, *, speaking: bool) -> Iterator[Event]:
    """What the pass does to the lease; one channel speaks at a time."""
    was_due, reduced = state.lease.state == "pending", state.reduced
    if expired := leasing.expired(state.lease, now.session, moment.now_s, settings):
        state = apply(state, expired)
        yield expired
    if watched := leasing.watch(state, now, settings):
        state = apply(state, watched)
        yield watched
    quiet = not speaking and not moment.own and not reduced
    may = moment.message and quiet and (was_due or moment.at_once)
    if may and (claimed := leasing.claim(state.lease, now.session, moment.token, moment.now_s)):
        yield claimed


def _facts(sums: Sums, ledger: Ledger, seen: Seen, moment: Moment, settings: Nudge) -> wording.Facts:
    parts = (row for row, _ in ledger.rows())
    hints = chosen(candidates(parts, ledger.tags, seen.beginnings), settings)
    return wording.Facts(sums.u, sums.outputs, hints, REDUCE, shown=moment.shows, removes=moment.removes)


def candidates(
    parts: Iterable[MeasuredPart], tags: Iterable[TailTag], beginnings: Mapping[str, str]
) -> list[Candidate]:
    """The tool arcs that could be given up, the oldest first, with what they cost as a whole."""
    tokens: dict[int, int] = {}
    for part in parts:
        if part.code == "reclaimable":
            tokens[part.tag] = tokens.get(part.tag, 0) + part.tokens
    return [
        Candidate(tag.number, tag.tool, tokens[tag.number], beginnings.get(tag.block, ""))
        for tag in tags
        if tag.kind == "tool" and tag.number in tokens
    ]


def _folded(session: Session, events: Iterable[Event]) -> Session:
    for event in events:
        session = apply(session, event)
    return session
