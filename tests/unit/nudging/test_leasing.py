"""Channel 2: the table of transitions, row by row, and what must not happen between them."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navlog.projections.nudging import leasing
from navlog.projections.nudging.deciding import Pass, decide
from navlog.projections.nudging.session import Lease, Session, apply
from navlog.schemas.event import Event
from navlog.schemas.nudges import NudgeCycleReset, NudgeExpired, NudgeReleased
from navlog.schemas.settings import Nudge

NUDGE = Nudge()
DUE = Pass("s", 75_000, 100_000, 1, result="r1")
PENDING, DELIVERED = Lease("pending"), Lease("delivered", "t1", 100, sent=True)
CLAIMED, SENT = Lease("claimed", "t1", 100), Lease("claimed", "t1", 100, sent=True)
STATES = [Lease(), PENDING, CLAIMED, SENT, DELIVERED]


def session(lease: Lease, **values: Any) -> Session:
    return Session(**{"usable": True} | values, lease=lease)


def after(lease: Lease, event: Event | None) -> Lease:
    assert event is not None
    return apply(session(lease), event).lease


def watched(lease: Lease, now: Pass, **values: Any) -> Event | None:
    return leasing.watch(session(lease, **values), now, NUDGE)


def test_the_rule_arms_an_empty_lease() -> None:
    assert after(Lease(), watched(Lease(), DUE)) == PENDING


@pytest.mark.parametrize(
    ("now", "values"),
    [
        (DUE._replace(u=74_999), {}),
        (DUE._replace(u=49_999, t=60_000), {}),
        (DUE._replace(measurable=False), {}),
        (DUE._replace(turn=0), {}),
        (DUE, {"reduced": True}),
        (DUE, {"usable": False}),
        (DUE, {"usable": None}),
    ],
)
def test_nothing_is_armed_without_the_rule_a_measurement_a_tool_a_turn_or_after_a_reduce(
    now: Pass, values: dict[str, Any]
) -> None:
    assert watched(Lease(), now, **values) is None


def test_a_pending_lease_is_taken_back_when_the_rule_is_known_to_be_false() -> None:
    assert watched(PENDING, DUE) is None
    assert watched(PENDING, DUE._replace(u=0, measurable=False)) is None
    assert after(PENDING, watched(PENDING, DUE._replace(u=74_999))) == Lease()
    assert leasing.withdrawn(CLAIMED, DUE._replace(u=0), NUDGE) is None


def test_a_run_that_ends_leaves_nothing_pending() -> None:
    assert after(PENDING, leasing.run_ended(PENDING, "s")) == Lease()
    assert [leasing.run_ended(lease, "s") for lease in (Lease(), CLAIMED, SENT, DELIVERED)] == [None] * 4


def test_only_a_pending_lease_can_be_claimed() -> None:
    assert after(PENDING, leasing.claim(PENDING, "s", "t1", 100)) == CLAIMED
    assert [leasing.claim(lease, "s", "t2", 100) for lease in (Lease(), CLAIMED, SENT, DELIVERED)] == [
        None
    ] * 4


def test_a_second_claim_that_was_logged_all_the_same_changes_nothing() -> None:
    claim = leasing.claim(PENDING, "s", "t2", 200)
    assert claim is not None
    assert after(CLAIMED, claim) == CLAIMED


def test_a_send_that_failed_is_due_again() -> None:
    assert after(CLAIMED, leasing.failed(CLAIMED, "s", "t1")) == PENDING
    assert leasing.failed(CLAIMED, "s", "t2") is None
    assert leasing.failed(SENT, "s", "t1") is None


def test_a_send_that_returned_is_recorded_before_it_is_confirmed() -> None:
    assert leasing.confirmed(CLAIMED, "s", "t1") is None
    assert after(CLAIMED, leasing.returned(CLAIMED, "s", "t1")) == SENT
    assert leasing.returned(SENT, "s", "t1") is None
    assert leasing.returned(CLAIMED, "s", "t2") is None
    assert after(SENT, leasing.confirmed(SENT, "s", "t1")) == DELIVERED
    assert leasing.confirmed(SENT, "s", "t2") is None


def test_a_claim_whose_send_returned_is_never_freed_nor_armed_again() -> None:
    assert leasing.expired(SENT, "s", 10**9, NUDGE) is None
    assert watched(SENT, DUE._replace(compacted=True)) is None
    for event in (
        NudgeExpired(session="s", token=SENT.token),
        NudgeReleased(session="s", why="send_failed", token=SENT.token),
    ):
        assert after(SENT, event) == SENT


@pytest.mark.parametrize(("now_s", "frees"), [(0, False), (699, False), (700, True), (10**9, True)])
def test_a_claim_expires_after_ten_minutes(now_s: int, frees: bool) -> None:
    event = leasing.expired(CLAIMED, "s", now_s, NUDGE)
    assert (event is not None) == frees
    if event:
        assert after(CLAIMED, event) == Lease()


@pytest.mark.parametrize(
    ("now", "why"),
    [
        (DUE, None),
        (DUE._replace(compacted=True), "compaction"),
        (DUE._replace(compacted=True, measurable=False), "compaction"),
        (DUE._replace(u=25_000), None),
        (DUE._replace(u=24_999), "below"),
        (DUE._replace(u=0, measurable=False), None),
    ],
)
def test_a_delivered_lease_ends_by_compaction_or_below_the_least(now: Pass, why: str | None) -> None:
    event = watched(DELIVERED, now)
    assert event == (NudgeCycleReset(session="s", why=why) if why else None)  # type: ignore[arg-type]
    if event:
        assert after(DELIVERED, event) == Lease()


def test_both_channels_fire_in_one_pass() -> None:
    before = session(Lease())
    assert decide(before, DUE, NUDGE).action == "full"
    assert decide(before, DUE, NUDGE).level == "urgent"
    assert watched(Lease(), DUE) is not None


MOVES = st.lists(
    st.tuples(st.sampled_from("wWcfrkexq"), st.sampled_from(["t1", "t2"]), st.integers(0, 2000)), max_size=30
)


@settings(deadline=None)
@given(MOVES)
def test_in_any_order_a_message_is_sent_once_a_cycle(moves: list[tuple[str, str, int]]) -> None:
    state = session(Lease())
    sent = 0
    for move, token, second in moves:
        lease = state.lease
        steps: dict[str, Event | None] = {
            "w": leasing.watch(state, DUE, NUDGE),
            "W": leasing.watch(state, DUE._replace(u=0), NUDGE),
            "c": leasing.claim(lease, "s", token, second),
            "f": leasing.failed(lease, "s", token),
            "r": leasing.returned(lease, "s", token),
            "k": leasing.confirmed(lease, "s", token),
            "e": leasing.expired(lease, "s", second, NUDGE),
            "x": leasing.watch(state, DUE._replace(compacted=True), NUDGE),
            "q": leasing.run_ended(lease, "s"),
        }
        event = steps[move]
        if event is None:
            continue
        after_ = apply(state, event)
        assert after_ != state  # an event is a change, or it is not given
        sent += move == "r"
        if isinstance(event, NudgeCycleReset):
            sent = 0
        assert sent <= 1
        state = after_
