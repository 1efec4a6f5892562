"""Channel 1: whether a reminder stands beside this tool result. The rules are tried in their order.

The session given is the one before this pass's own measurement is applied to it: so ``session.reduced`` says
whether the reduce tool ran since the measurement before.
"""

from typing import Literal, NamedTuple

from navlog.projections.nudging.bands import RANK, cadence, level, severity
from navlog.projections.nudging.session import Channel, Grace, Session
from navlog.schemas.event import Event
from navlog.schemas.nudges import BaselineTaken, GraceReleased, Level, NudgeLevelRecorded
from navlog.schemas.settings import Nudge


class Pass(NamedTuple):
    """One pass over the tail. ``turn`` counts real user turns; ``applied``: queued drops were applied in it.

    ``result`` is the id of the tool result a reminder would stand in, ``own`` says that it is the reduce
    tool's; ``compacted`` that a compaction made the covered part grow since the last pass.
    """

    session: str
    u: int = 0
    t: int = 0
    turn: int = 0
    measurable: bool = True
    applied: bool = False
    result: str = ""
    own: bool = False
    compacted: bool = False


class Decision(NamedTuple):
    """What to say (``hold``: nothing), why, at which level, and the events that this pass makes true.

    A fire's own event, `NudgeShown`, is appended by whoever puts the text there.
    """

    action: Literal["hold", "full", "line"]
    why: str
    level: Level = "quiet"
    events: tuple[Event, ...] = ()


def decide(session: Session, now: Pass, settings: Nudge) -> Decision:
    """Rules 1 to 6 of channel 1."""
    channel = session.channel
    events: tuple[Event, ...] = ()
    if channel.grace and channel.grace.baseline is None and now.measurable:
        events = (BaselineTaken(session=now.session, u=now.u),)
    held = _held(session, now)
    if held:
        return Decision("hold", held, events=events)
    here = _level(channel, now, settings)
    if channel.grace:
        why = _released(channel.grace, now, here, settings)
        if not why:
            return Decision("hold", "grace", here)
        events = (GraceReleased(session=now.session, u=now.u, why=why),)
    return _by_rank(channel, now, here, settings, events)


def _held(session: Session, now: Pass) -> str:
    """The reason for which nothing may be said or recorded at all; "" where there is none."""
    grace = session.channel.grace
    reasons = {
        "no_reduce_tool": not session.usable,
        "no_user_turn": now.turn < 1,
        "own_result": now.own,
        "same_result": bool(now.result) and now.result == session.channel.result,
        "not_measurable": not now.measurable,
        "reduced": session.reduced,
        "drops_applied": now.applied,
        "grace_pending": grace is not None and grace.baseline is None,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _level(channel: Channel, now: Pass, settings: Nudge) -> Level:
    """The level of this pass; in profile ``calm`` a level is kept until it is clearly left."""
    here = level(now.u, now.t, settings)
    if settings.profile == "parity" or RANK[here] >= RANK[channel.level]:
        return here
    entered = {"gentle": settings.gentle, "firm": settings.firm, "urgent": settings.urgent}[channel.level]
    clearly = severity(now.u, now.t) < entered - settings.calm_severity or here == "quiet"
    later = now.turn - channel.turn >= settings.calm_turns
    return here if clearly and later else channel.level


def _released(grace: Grace, now: Pass, here: Level, settings: Nudge) -> Literal["grown", "risen", ""]:
    if grace.baseline is not None and now.u - grace.baseline >= cadence(now.t, settings):
        return "grown"
    return "risen" if RANK[here] > RANK[grace.before] else ""


def _by_rank(
    channel: Channel, now: Pass, here: Level, settings: Nudge, events: tuple[Event, ...]
) -> Decision:
    if here == "quiet":
        cleared = NudgeLevelRecorded(session=now.session, level="quiet", watermark=0)
        return Decision("hold", "quiet", here, events if channel.level == "quiet" else (*events, cleared))
    if RANK[here] < RANK[channel.level]:
        recorded = NudgeLevelRecorded(session=now.session, level=here, watermark=now.u)
        return Decision("hold", "lower", here, (*events, recorded))
    if RANK[here] > RANK[channel.level]:
        return Decision("full", "higher", here, events)
    if now.u - channel.watermark < cadence(now.t, settings):
        return Decision("hold", "cadence", here, events)
    if now.turn - channel.turn < settings.repeat_turns:
        return Decision("hold", "turns", here, events)
    return Decision("line", "grown", here, events)
