"""The events of nudging: what of a session's tail was counted, asked for, shown and sent.

Every transition is one of these; nothing else carries the state of a session, so a replay that folds them
(`navlog.projections.nudging.session`) ends where the daemon was. ``session`` is the host's id of a session.
"""

from typing import ClassVar, Literal

import msgspec

from navlog.schemas.event import Event

Level = Literal["quiet", "gentle", "firm", "urgent"]


class ReduceToolJudged(Event, frozen=True, kw_only=True):
    """Whether the session has a usable reduce tool: judged once from what the host offers, then frozen."""

    TYPE: ClassVar[str] = "reduce_tool_judged"
    session: str
    usable: bool
    tool: str = ""
    why: str = ""


class TailTag(msgspec.Struct, frozen=True, array_like=True):
    """A number for a part: ``block`` is "message#index"; a tool's arc stands at its call."""

    number: int
    block: str
    kind: Literal["message", "tool", "file"]
    tool: str = ""


class TagsNumbered(Event, frozen=True, kw_only=True):
    """Parts got their numbers, in order of appearance; a number is never given twice in a session."""

    TYPE: ClassVar[str] = "tags_numbered"
    session: str
    tags: list[TailTag]


class MeasuredPart(msgspec.Struct, frozen=True, array_like=True):
    """What one part counted for: its tag (-1: none), its tokens as counted locally, and the reason code.

    ``code`` is one of `navlog.projections.nudging.measuring.CODES`.
    """

    block: str
    tag: int
    tokens: int
    code: str


class TailMeasured(Event, frozen=True, kw_only=True):
    """The one stored measurement. ``u`` and ``t`` are calibrated tokens: reclaimable, and the whole tail.

    ``parts`` holds those that are new or changed since the measurement before, ``gone`` the blocks that are
    no longer there. ``turn`` counts real user turns, ``measured`` the session's measurements, from 1.
    """

    TYPE: ClassVar[str] = "tail_measured"
    session: str
    u: int
    t: int
    turn: int
    measured: int
    cutoff: int | None = None
    floor: int = 0
    tool_ratio: float = 1.0
    prose_ratio: float = 1.0
    counter: str = ""
    parts: list[MeasuredPart] = []
    gone: list[str] = []


class ReduceAsked(Event, frozen=True, kw_only=True):
    """The agent asked to give up tags; ``refused`` pairs what it named with the reason."""

    TYPE: ClassVar[str] = "reduce_asked"
    session: str
    queued: list[int]
    refused: list[tuple[str, str]] = []
    reason: str = ""


class DropsApplied(Event, frozen=True, kw_only=True):
    """Queued tags left the tail."""

    TYPE: ClassVar[str] = "drops_applied"
    session: str
    tags: list[int]


class BaselineTaken(Event, frozen=True, kw_only=True):
    """The first measurement after a reduce: the grace counts from this ``u``."""

    TYPE: ClassVar[str] = "baseline_taken"
    session: str
    u: int


class GraceReleased(Event, frozen=True, kw_only=True):
    """The grace after a reduce is over: the tail has grown by a cadence, or its level has risen."""

    TYPE: ClassVar[str] = "grace_released"
    session: str
    u: int
    why: Literal["grown", "risen"]


class NudgeLevelRecorded(Event, frozen=True, kw_only=True):
    """The level fell, and nothing was said; "quiet" with watermark 0 clears the state."""

    TYPE: ClassVar[str] = "nudge_level_recorded"
    session: str
    level: Level
    watermark: int


class NudgeShown(Event, frozen=True, kw_only=True):
    """Channel 1: ``text`` stood beside the tool result ``result``."""

    TYPE: ClassVar[str] = "nudge_shown"
    session: str
    level: Level
    form: Literal["full", "line"]
    u: int
    turn: int
    result: str
    text: str = ""


class NudgeMissed(Event, frozen=True, kw_only=True):
    """Channel 1: the hook that was to show it had no more time; the state before that fire is back."""

    TYPE: ClassVar[str] = "nudge_missed"
    session: str
    result: str


class NudgeArmed(Event, frozen=True, kw_only=True):
    """Channel 2: a message of its own is due."""

    TYPE: ClassVar[str] = "nudge_armed"
    session: str
    u: int
    t: int


class NudgeClaimed(Event, frozen=True, kw_only=True):
    """Channel 2: the sender with this token holds it, since so many seconds after 1970."""

    TYPE: ClassVar[str] = "nudge_claimed"
    session: str
    token: str
    since: int


class NudgeSent(Event, frozen=True, kw_only=True):
    """Channel 2: the send returned. From here on the claim is never freed, whatever comes."""

    TYPE: ClassVar[str] = "nudge_sent"
    session: str
    token: str
    text: str = ""


class NudgeDelivered(Event, frozen=True, kw_only=True):
    """Channel 2: the send is confirmed."""

    TYPE: ClassVar[str] = "nudge_delivered"
    session: str
    token: str


class NudgeReleased(Event, frozen=True, kw_only=True):
    """Channel 2: no longer due (``below``, ``run_ended``), or due again because the send itself failed."""

    TYPE: ClassVar[str] = "nudge_released"
    session: str
    why: Literal["below", "run_ended", "send_failed"]
    token: str = ""


class NudgeExpired(Event, frozen=True, kw_only=True):
    """Channel 2: the claim grew old and nobody knows of a send. A fact, so a replay needs no clock."""

    TYPE: ClassVar[str] = "nudge_expired"
    session: str
    token: str


class NudgeCycleReset(Event, frozen=True, kw_only=True):
    """Channel 2: the delivered message has had its effect; the next one may be armed."""

    TYPE: ClassVar[str] = "nudge_cycle_reset"
    session: str
    why: Literal["compaction", "below"]


NUDGES: tuple[type[Event], ...] = (
    ReduceToolJudged, TagsNumbered, TailMeasured, ReduceAsked, DropsApplied, BaselineTaken, GraceReleased,
    NudgeLevelRecorded, NudgeShown, NudgeMissed, NudgeArmed, NudgeClaimed, NudgeSent, NudgeDelivered,
    NudgeReleased, NudgeExpired, NudgeCycleReset,
)  # fmt: skip
