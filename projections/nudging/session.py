"""What a session's nudges have come to: the fold of its events, live and on replay."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from navlog.schemas import nudges
from navlog.schemas.event import Event
from navlog.schemas.nudges import Level, MeasuredPart, TailMeasured, TailTag


class Grace(msgspec.Struct, frozen=True):
    """After a reduce: the level before it, and U of the first measurement after it (None: still to come)."""

    before: Level
    baseline: int | None = None


class Channel(msgspec.Struct, frozen=True):
    """Channel 1: the level last recorded; U, the real user turn and the result of the last fire.

    ``before``: level, watermark and turn before that fire, for the case that nobody heard it.
    """

    level: Level = "quiet"
    watermark: int = 0
    turn: int = 0
    result: str = ""
    grace: Grace | None = None
    before: tuple[Level, int, int] | None = None


class Lease(msgspec.Struct, frozen=True):
    """Channel 2. ``since`` is in seconds after 1970; ``sent``: the send is known to have returned."""

    state: Literal["empty", "pending", "claimed", "delivered"] = "empty"
    token: str = ""
    since: int = 0
    sent: bool = False


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """All of it. ``reduced`` says that the reduce tool ran since the last measurement."""

    usable: bool | None = None
    tool: str = ""
    why: str = ""
    channel: Channel = Channel()
    lease: Lease = Lease()
    reduced: bool = False
    measured: TailMeasured | None = None
    parts: Mapping[str, MeasuredPart] = {}
    tags: tuple[TailTag, ...] = ()
    queued: frozenset[int] = frozenset()
    dropped: frozenset[int] = frozenset()


EMPTY = Lease()


def apply(session: Session, event: Event) -> Session:
    """The session after ``event``; events of other rooms change nothing."""
    tail = _of_tail(session, event)
    return _with(tail, channel=_channel(session.channel, event), lease=_lease(session.lease, event))


def _of_tail(session: Session, event: Event) -> Session:
    match event:
        case nudges.ReduceToolJudged() if session.usable is None:  # frozen from then on
            return _with(session, usable=event.usable, tool=event.tool, why=event.why)
        case nudges.TagsNumbered():
            return _with(session, tags=(*session.tags, *event.tags))
        case nudges.TailMeasured():
            return _with(session, measured=event, parts=_parts(session.parts, event), reduced=False)
        case nudges.ReduceAsked():
            return _with(session, queued=session.queued.union(event.queued), reduced=True)
        case nudges.DropsApplied():
            gone = frozenset(event.tags)
            return _with(session, queued=session.queued - gone, dropped=session.dropped | gone)
        case _:
            return session


def _parts(before: Mapping[str, MeasuredPart], event: TailMeasured) -> Mapping[str, MeasuredPart]:
    parts = dict(before)
    for block in event.gone:
        parts.pop(block, None)
    parts.update((part.block, part) for part in event.parts)
    return parts


def _channel(channel: Channel, event: Event) -> Channel:
    replace = msgspec.structs.replace
    match event:
        case nudges.ReduceAsked():
            return replace(channel, grace=Grace(channel.level))
        case nudges.BaselineTaken() if channel.grace:
            return replace(channel, grace=Grace(channel.grace.before, event.u))
        case nudges.GraceReleased():
            return replace(channel, grace=None)
        case nudges.NudgeLevelRecorded(level="quiet"):
            return Channel(result=channel.result, grace=channel.grace)
        case nudges.NudgeLevelRecorded():
            return replace(channel, level=event.level, watermark=event.watermark, before=None)
        case nudges.NudgeShown():
            before = (channel.level, channel.watermark, channel.turn)
            return Channel(event.level, event.u, event.turn, event.result, channel.grace, before)
        case nudges.NudgeMissed() if channel.before and event.result == channel.result:
            return Channel(*channel.before, grace=channel.grace)
        case _:
            return channel


def _lease(lease: Lease, event: Event) -> Lease:
    """An event that does not fit the state changes nothing: it is another cycle's, or came twice."""
    match lease.state, event:
        case "empty", nudges.NudgeArmed():
            return Lease("pending")
        case "pending", nudges.NudgeClaimed():
            return Lease("claimed", event.token, event.since)
        case "pending", nudges.NudgeReleased():
            return EMPTY
        case "claimed", _ if getattr(event, "token", None) == lease.token:
            return _claimed(lease, event)
        case "delivered", nudges.NudgeCycleReset():
            return EMPTY
        case _:
            return lease


def _claimed(lease: Lease, event: Event) -> Lease:
    match event:
        case nudges.NudgeSent():
            return msgspec.structs.replace(lease, sent=True)
        case nudges.NudgeDelivered():
            return Lease("delivered", lease.token, lease.since, sent=True)
        case nudges.NudgeReleased() if not lease.sent:
            return Lease("pending")
        case nudges.NudgeExpired() if not lease.sent:
            return EMPTY
        case _:
            return lease


def _with(session: Session, **values: object) -> Session:
    return msgspec.structs.replace(session, **values)
