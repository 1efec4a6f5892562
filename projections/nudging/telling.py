"""The stored measurement as people read it: pure, and of nothing that the decision does not read as well."""

from collections.abc import Iterable, Mapping

from navlog.projections.nudging.bands import band, cadence, severity
from navlog.projections.nudging.bands import level as level_of
from navlog.projections.nudging.deciding import Pass, decide
from navlog.projections.nudging.measuring import CODES
from navlog.projections.nudging.session import Grace, Session
from navlog.schemas.nudges import MeasuredPart, TailMeasured, TailTag
from navlog.schemas.settings import Nudge
from navlog.schemas.tails import NudgeExplained, TailPart, TailState

NEXT: Mapping[str, str] = {
    "no_reduce_tool": "nothing is said: the session has no usable reduce tool",
    "no_user_turn": "nothing is said: nobody has spoken yet",
    "reduced": "nothing is said before the next measurement: a reduce was asked",
    "grace_pending": "nothing is said before the next measurement: a reduce was asked",
    "grace": "nothing is said: grace after the reduce, until U has grown by a cadence or the level rises",
    "quiet": "nothing is said: there is too little to set aside",
    "lower": "nothing is said: the level is lower than before",
    "cadence": "the same level is said again once U has grown by a cadence",
    "turns": "the same level is said again a few turns later",
}


def state_of(name: str, session: Session, measured: TailMeasured, settings: Nudge) -> TailState:
    """One line of status."""
    tokens: dict[str, int] = {}
    for part in session.parts.values():
        tokens[part.code] = tokens.get(part.code, 0) + part.tokens
    return TailState(
        session=name,
        u=measured.u,
        t=measured.t,
        band=band(measured.u, measured.t, settings),
        severity=round(severity(measured.u, measured.t), 4),
        turn=measured.turn,
        measured=measured.measured,
        usable=session.usable,
        lease=session.lease.state,
        tokens=tokens,
    )


def explained(name: str, session: Session, measured: TailMeasured, settings: Nudge) -> NudgeExplained:
    """All of it."""
    channel = session.channel
    return NudgeExplained(
        state=state_of(name, session, measured, settings),
        tool=session.tool,
        why=session.why,
        profile=settings.profile,
        level=channel.level,
        watermark=channel.watermark,
        fired=channel.turn,
        cadence=cadence(measured.t, settings),
        grace=_grace(channel.grace),
        floor=measured.floor,
        cutoff=measured.cutoff,
        counter=measured.counter,
        queued=sorted(session.queued),
        next=_next(name, session, measured, settings),
        parts=list(_parts(session.parts.values(), session.tags)),
    )


def _grace(grace: Grace | None) -> str:
    if grace is None:
        return ""
    return "pending" if grace.baseline is None else f"from {grace.baseline:,} tokens"


def _next(name: str, session: Session, measured: TailMeasured, settings: Nudge) -> str:
    """What would be said beside a result now, if nothing changed."""
    if session.usable is None and level_of(measured.u, measured.t, settings) == "quiet":
        return NEXT["quiet"]
    now = Pass(name, measured.u, measured.t, measured.turn)
    decision = decide(session, now, settings)
    if decision.action == "hold":
        return NEXT.get(decision.why, decision.why)
    return f"beside the next tool result: the {decision.level} reminder, {_FORMS[decision.action]}"


_FORMS = {"full": "in full", "line": "in one line"}


def _parts(parts: Iterable[MeasuredPart], tags: Iterable[TailTag]) -> Iterable[TailPart]:
    by_number = {tag.number: tag for tag in tags}
    for part in parts:
        tag = by_number.get(part.tag)
        yield TailPart(
            block=part.block, tag=part.tag, kind=tag.kind if tag else "", tool=tag.tool if tag else "",
            tokens=part.tokens, code=part.code, reason=CODES.get(part.code, part.code),
        )  # fmt: skip
