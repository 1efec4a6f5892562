"""The fold: every event's effect on the state, and that a replay needs nothing else."""

from navlog.projections.nudging.session import Grace, Session, apply
from navlog.schemas.event import Event
from navlog.schemas.events import EVENTS
from navlog.schemas.nudges import (
    NUDGES,
    DropsApplied,
    MeasuredPart,
    NudgeLevelRecorded,
    NudgeMissed,
    NudgeShown,
    ReduceAsked,
    ReduceToolJudged,
    TagsNumbered,
    TailMeasured,
    TailTag,
)


def folded(*events: Event) -> Session:
    session = Session()
    for event in events:
        session = apply(session, event)
    return session


def test_every_nudge_event_is_known_to_the_log() -> None:
    assert {event.TYPE for event in NUDGES} <= set(EVENTS)


def test_the_verdict_on_the_tool_is_taken_once() -> None:
    first = ReduceToolJudged(session="s", usable=False, why="the host offers none")
    session = folded(first, ReduceToolJudged(session="s", usable=True, tool="ctx_reduce"))
    assert (session.usable, session.tool, session.why) == (False, "", "the host offers none")


def test_tags_and_queues_add_up() -> None:
    session = folded(
        TagsNumbered(session="s", tags=[TailTag(1, "a#0", "message")]),
        TagsNumbered(session="s", tags=[TailTag(2, "b#0", "tool", "bash")]),
        ReduceAsked(session="s", queued=[1, 2]),
        DropsApplied(session="s", tags=[2]),
    )
    assert [tag.number for tag in session.tags] == [1, 2]
    assert (set(session.queued), set(session.dropped)) == ({1}, {2})


def test_a_measurement_carries_what_changed_and_the_fold_all_of_it() -> None:
    a, b, b2 = (
        MeasuredPart("a#0", 1, 5, "queued"),
        MeasuredPart("b#0", -1, 5, "untagged"),
        MeasuredPart("b#0", 2, 6, "protected"),
    )
    one = TailMeasured(session="s", u=0, t=10, turn=1, measured=1, parts=[a, b])
    two = TailMeasured(session="s", u=0, t=6, turn=1, measured=2, parts=[b2], gone=["a#0"])
    assert folded(one).parts == {"a#0": a, "b#0": b}
    assert folded(one, two).parts == {"b#0": b2}
    assert folded(one, two).measured == two


def test_a_reduce_holds_until_it_is_measured_and_remembers_the_level_before() -> None:
    shown = NudgeShown(session="s", level="firm", form="full", u=40_000, turn=1, result="r1")
    reduced = folded(shown, ReduceAsked(session="s", queued=[1]))
    assert reduced.reduced
    assert reduced.channel.grace == Grace("firm")
    assert not apply(reduced, TailMeasured(session="s", u=1, t=1, turn=1, measured=1)).reduced


def test_events_of_other_rooms_change_nothing() -> None:
    session = folded(ReduceAsked(session="s", queued=[1]))
    removed = EVENTS["file_removed"](path="a.py")
    assert apply(session, removed) == session


def test_a_fire_that_nobody_heard_is_as_if_it_had_not_been() -> None:
    first = NudgeShown(session="s", level="gentle", form="full", u=30_000, turn=1, result="r1")
    second = NudgeShown(session="s", level="firm", form="full", u=40_000, turn=2, result="r2")
    before = folded(first).channel
    missed = folded(first, second, NudgeMissed(session="s", result="r2")).channel
    assert (missed.level, missed.watermark, missed.turn) == (before.level, before.watermark, before.turn)
    for other in ("r1", "r3"):
        kept = folded(first, second, NudgeMissed(session="s", result=other)).channel
        assert (kept.level, kept.watermark, kept.turn) == ("firm", 40_000, 2)
    lower = NudgeLevelRecorded(session="s", level="gentle", watermark=26_000)
    later = folded(first, second, lower, NudgeMissed(session="s", result="r2")).channel
    assert (later.level, later.watermark) == ("gentle", 26_000)
