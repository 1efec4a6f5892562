"""Channel 1: the rules in their order, each at its edge; both profiles."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navlog.projections.nudging.bands import RANK
from navlog.projections.nudging.deciding import Decision, Pass, decide
from navlog.projections.nudging.session import Channel, Grace, Session, apply
from navlog.schemas.event import Event
from navlog.schemas.nudges import (
    BaselineTaken,
    GraceReleased,
    NudgeLevelRecorded,
    NudgeShown,
    ReduceAsked,
    ReduceToolJudged,
    TailMeasured,
)
from navlog.schemas.settings import Nudge

NUDGE = Nudge()
CALM = Nudge(profile="calm")


def session(**channel: Any) -> Session:
    return Session(usable=True, channel=Channel(**channel))


def at(u: int, t: int = 100_000, **values: Any) -> Pass:
    return Pass("s", u, t, 1, result="r9")._replace(**values)


def said(before: Session, now: Pass, settings_: Nudge = NUDGE) -> tuple[str, str]:
    found = decide(before, now, settings_)
    return found.action, found.why


class Drive:
    """A session driven pass by pass, its state the fold of its events."""

    def __init__(self, nudge: Nudge = NUDGE) -> None:
        self.nudge = nudge
        self.events: list[Event] = []
        self.session = Session()
        self.count = 0
        self._append(ReduceToolJudged(session="s", usable=True, tool="ctx_reduce"))

    def _append(self, event: Event) -> None:
        self.events.append(event)
        self.session = apply(self.session, event)

    def measure(self, u: int, t: int = 100_000, turn: int = 1, **values: Any) -> Decision:
        self.count += 1
        now = at(u, t, **{"turn": turn, "result": f"r{self.count}"} | values)
        found = decide(self.session, now, self.nudge)
        if now.measurable:
            self._append(TailMeasured(session="s", u=u, t=t, turn=turn, measured=self.count))
        for event in found.events:
            self._append(event)
        if found.action != "hold":
            self._append(
                NudgeShown(
                    session="s", level=found.level, form=found.action, u=u, turn=turn, result=now.result
                )
            )
        return found

    def reduce(self) -> None:
        self._append(ReduceAsked(session="s", queued=[1]))


@pytest.mark.parametrize(
    ("u", "level"), [(25_000, "gentle"), (40_000, "firm"), (60_000, "urgent"), (90_000, "urgent")]
)
def test_the_first_climb_fires_the_full_text_of_the_level_reached(u: int, level: str) -> None:
    found = decide(session(), at(u), NUDGE)
    assert (found.action, found.level) == ("full", level)


@pytest.mark.parametrize(
    ("before", "now", "why"),
    [
        (Session(usable=None), at(90_000), "no_reduce_tool"),
        (Session(usable=False), at(90_000), "no_reduce_tool"),
        (session(), at(90_000, turn=0), "no_user_turn"),
        (session(), at(90_000, own=True), "own_result"),
        (session(result="r9"), at(90_000), "same_result"),
        (session(), at(90_000, measurable=False), "not_measurable"),
        (Session(usable=True, reduced=True), at(90_000), "reduced"),
        (session(), at(90_000, applied=True), "drops_applied"),
        (session(grace=Grace("quiet")), at(90_000, measurable=False), "not_measurable"),
        (session(grace=Grace("quiet")), at(90_000), "grace_pending"),
        (session(level="urgent"), at(0, measurable=False), "not_measurable"),
    ],
)
def test_what_holds_before_any_rule_changes_nothing(before: Session, now: Pass, why: str) -> None:
    found = decide(before, now, NUDGE)
    assert (found.action, found.why) == ("hold", why)
    assert [event for event in found.events if not isinstance(event, BaselineTaken)] == []


def test_a_result_without_an_id_is_not_the_same_as_another() -> None:
    assert said(session(), at(60_000, result="")) == ("full", "higher")


def test_the_first_measurement_after_a_reduce_is_the_baseline_once() -> None:
    drive = Drive()
    drive.measure(90_000)
    drive.reduce()
    assert drive.measure(0, measurable=False).events == ()
    assert drive.measure(60_000).events == (BaselineTaken(session="s", u=60_000),)
    assert drive.measure(61_000).events == ()
    assert drive.session.channel.grace == Grace("urgent", 60_000)


@pytest.mark.parametrize(("u", "released"), [(84_999, False), (85_000, True)])
def test_a_grace_ends_when_the_tail_has_grown_by_a_cadence(u: int, released: bool) -> None:
    found = decide(session(level="urgent", watermark=100_000, grace=Grace("urgent", 60_000)), at(u), NUDGE)
    assert bool(found.events) == released
    assert found.why == ("cadence" if released else "grace")


def test_a_grace_ends_when_the_level_is_above_the_one_before_the_reduce() -> None:
    before = session(level="gentle", watermark=30_000, grace=Grace("gentle", 39_000))
    assert said(before, at(39_999)) == ("hold", "grace")
    found = decide(before, at(40_000), NUDGE)
    assert (found.action, found.level) == ("full", "firm")
    assert found.events == (GraceReleased(session="s", u=40_000, why="risen"),)


def test_a_quiet_tail_within_the_grace_changes_nothing() -> None:
    assert decide(session(level="urgent", grace=Grace("urgent", 10_000)), at(10_000), NUDGE).events == ()


def test_after_a_reduce_the_next_fire_is_measured_from_the_old_watermark() -> None:
    drive = Drive()
    drive.measure(100_000, turn=1)
    drive.reduce()
    assert drive.measure(60_000, turn=9).why == "reduced"
    assert drive.measure(84_999, turn=9).why == "grace"
    assert drive.measure(85_000, turn=9).why == "cadence"
    assert drive.session.channel.grace is None
    assert drive.measure(124_999, 130_000, turn=9).why == "cadence"
    assert drive.measure(125_000, 130_000, turn=9).action == "line"


def test_a_quiet_tail_clears_the_state_so_a_later_climb_fires_in_full_again() -> None:
    drive = Drive()
    assert drive.measure(60_000).action == "full"
    assert drive.measure(10_000).events == (NudgeLevelRecorded(session="s", level="quiet", watermark=0),)
    assert drive.session.channel == Channel(result="r1")
    assert drive.measure(11_000).events == ()
    assert drive.measure(60_000).action == "full"


def test_a_lower_level_is_recorded_without_a_word() -> None:
    drive = Drive()
    drive.measure(60_000, turn=3)
    found = drive.measure(45_000, turn=4)
    assert (found.action, found.why) == ("hold", "lower")
    assert drive.session.channel == Channel("firm", 45_000, 3, "r1")
    assert drive.measure(60_000, turn=4).action == "full"


def test_one_fire_when_a_level_is_skipped() -> None:
    drive = Drive()
    assert drive.measure(25_000).level == "gentle"
    assert drive.measure(60_000).level == "urgent"
    assert drive.measure(60_001).why == "cadence"


@pytest.mark.parametrize(
    ("u", "turn", "expected"),
    [
        (84_999, 6, ("hold", "cadence")),
        (85_000, 5, ("hold", "turns")),
        (85_000, 6, ("line", "grown")),
        (85_000, 7, ("line", "grown")),
    ],
)
def test_the_same_level_repeats_by_cadence_and_turns(u: int, turn: int, expected: tuple[str, str]) -> None:
    assert said(session(level="urgent", watermark=60_000, turn=1), at(u, turn=turn)) == expected


def test_the_cadence_grows_with_the_tail() -> None:
    before = session(level="firm", watermark=400_000, turn=1)
    assert said(before, at(479_999, 1_000_000, turn=9)) == ("hold", "cadence")
    assert said(before, at(480_000, 1_000_000, turn=9)) == ("line", "grown")


def test_a_fire_moves_the_watermark_the_level_and_the_turn() -> None:
    drive = Drive()
    drive.measure(60_000, turn=2)
    assert drive.session.channel == Channel("urgent", 60_000, 2, "r1", before=("quiet", 0, 0))


# --- the profiles ---------------------------------------------------------------------------------------


def test_parity_fires_in_full_again_where_a_band_is_crossed_twice() -> None:
    drive = Drive()
    assert [drive.measure(u).action for u in (60_000, 59_000, 60_000)] == ["full", "hold", "full"]


def test_calm_keeps_the_level_where_a_band_is_crossed_twice() -> None:
    drive = Drive(CALM)
    assert [drive.measure(u).action for u in (60_000, 59_000, 60_000)] == ["full", "hold", "hold"]


@pytest.mark.parametrize(
    ("u", "turn", "why"),
    [
        (58_000, 2, "cadence"),  # 0.58 is not below 0.60 - 0.02
        (57_999, 2, "lower"),
        (57_999, 1, "cadence"),  # no real user turn since
        (24_999, 2, "quiet"),
        (24_999, 1, "cadence"),
        (60_000, 2, "cadence"),
    ],
)
def test_calm_leaves_a_level_by_two_points_and_a_user_turn(u: int, turn: int, why: str) -> None:
    assert said(session(level="urgent", watermark=60_000, turn=1), at(u, turn=turn), CALM) == ("hold", why)


def test_calm_rises_as_parity_does() -> None:
    assert said(session(level="gentle", watermark=30_000, turn=1), at(40_000), CALM) == ("full", "higher")


STEPS = st.lists(
    st.tuples(
        st.integers(0, 300_000), st.integers(0, 300_000), st.integers(0, 2), st.sampled_from("mmmmrux")
    ),
    max_size=25,
)


@settings(deadline=None)
@given(STEPS, st.sampled_from([NUDGE, CALM]))
def test_in_any_session_the_promises_hold(steps: list[tuple[int, int, int, str]], nudge: Nudge) -> None:
    drive, turn, since_reduce = Drive(nudge), 0, False
    for u, more, turns, kind in steps:
        turn += turns
        if kind == "r":
            drive.reduce()
            since_reduce = True
            continue
        before = drive.session
        found = drive.measure(u, u + more, turn, measurable=kind != "u", applied=kind == "x")
        if found.action != "hold":
            assert turn >= 1
            assert not since_reduce
            assert found.level != "quiet"
            if found.action == "full":
                assert RANK[found.level] > RANK[before.channel.level]
            else:
                assert turn - before.channel.turn >= nudge.repeat_turns
        if kind != "u":
            since_reduce = False
    again = Session()
    for event in drive.events:
        again = apply(again, event)
    assert again == drive.session
