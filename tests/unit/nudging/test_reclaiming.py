"""Reclaim by itself: what may go, what goes first, and where it ends."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navlog.projections.nudging.bands import severity
from navlog.projections.nudging.measuring import CODES
from navlog.projections.nudging.reclaiming import Spent, Subject, Tail, chosen, order, subject, superseded
from navlog.schemas.settings import Nudge

ON = Nudge(reclaim=True)


def arc(
    tag: int, tokens: int = 10_000, what: str = "", code: str = "reclaimable", tool: str = "read"
) -> Spent:
    return Spent(tag, tool, tokens, code, Subject(what) if what else None)


def test_it_is_off_by_default() -> None:
    assert chosen([arc(1, 90_000), arc(2)], Tail(90_000, 100_000), Nudge()) == []


@pytest.mark.parametrize(
    ("u", "t", "begins"),
    [
        (60_000, 100_000, True),
        (59_999, 100_000, False),  # one token below reclaim_from
        (60_000, 60_000, True),
        (59_999, 59_999, False),  # one token below tail_tokens
    ],
)
def test_it_begins_at_its_severity_in_a_tail_that_is_not_quiet(u: int, t: int, begins: bool) -> None:
    assert bool(chosen([arc(1), arc(2)], Tail(u, t), ON)) == begins


@pytest.mark.parametrize(("u", "begins"), [(25_000, True), (24_999, False)])
def test_a_tail_is_quiet_below_what_is_worth_reclaiming(u: int, begins: bool) -> None:
    low = Nudge(reclaim=True, reclaim_from=0.2, reclaim_to=0.1)
    assert bool(chosen([arc(1), arc(2)], Tail(u, 60_000), low)) == begins


@pytest.mark.parametrize(("tokens", "taken"), [(20_000, [1]), (19_999, [1, 2]), (20_001, [1])])
def test_it_ends_where_the_lower_severity_is_reached(tokens: int, taken: list[int]) -> None:
    arcs = [arc(1, tokens), arc(2, 5_000), arc(3, 1_000)]
    assert chosen(arcs, Tail(60_000, 100_000), ON) == taken


def test_tokens_are_calibrated_as_the_measurement_is() -> None:
    arcs = [arc(1, 10_000), arc(2, 5_000), arc(3, 1_000)]
    assert chosen(arcs, Tail(60_000, 100_000, 2.0), ON) == [1]
    assert chosen(arcs, Tail(60_000, 100_000, 1.9), ON) == [1, 2]


@pytest.mark.parametrize("code", sorted(set(CODES) - {"reclaimable"}))
def test_nothing_but_what_is_reclaimable_ever_goes(code: str) -> None:
    assert order([arc(1, code=code), arc(2, 9_000), arc(3, 1_000)], ON) == [arc(2, 9_000), arc(3, 1_000)]


@pytest.mark.parametrize(("tokens", "may"), [(250, True), (249, False)])
def test_what_is_small_stays(tokens: int, may: bool) -> None:
    assert bool(order([arc(1, tokens)], ON)) == may


@pytest.mark.parametrize("tool", ["todowrite", "mcp__navlog__context", "ctx_reduce", "task_list"])
def test_what_steers_the_session_stays(tool: str) -> None:
    assert order([arc(1, tool=tool)], ON) == []


def test_what_was_superseded_goes_before_what_is_older_and_larger() -> None:
    arcs = [arc(1, 50_000, "a"), arc(2, 300, "b"), arc(3, 300, "b")]
    assert [one.tag for one in order(arcs, ON)] == [2, 1, 3]


def test_then_goes_what_was_carried_at_the_highest_cost() -> None:
    # tokens times the tags since: 9 * 1,000 against 4 * 2,250 (the same: the older first) and 2 * 5,000
    arcs = [arc(1, 1_000), arc(6, 2_250), arc(8, 5_000), arc(10, 9_000)]
    assert [one.tag for one in order(arcs, ON)] == [8, 1, 6, 10]


@pytest.mark.parametrize("code", ["queued", "dropped", "placeholder"])
def test_what_is_gone_itself_supersedes_nothing(code: str) -> None:
    assert superseded([arc(1, what="a"), arc(2, what="a", code=code)]) == set()


@pytest.mark.parametrize("code", ["reclaimable", "protected", "recent_reduce"])
def test_what_is_still_there_supersedes_what_is_older(code: str) -> None:
    assert superseded([arc(3, what="a", code=code), arc(1, what="a"), arc(2, what="b")]) == {1}


def test_the_newest_look_is_never_superseded() -> None:
    assert superseded([arc(tag, what="a") for tag in range(1, 5)]) == {1, 2, 3}


def test_a_look_that_nobody_understands_supersedes_nothing() -> None:
    assert superseded([arc(1), arc(2), arc(3)]) == set()


READ = {"filePath": "a.py"}


@pytest.mark.parametrize(
    ("tool", "older", "newer", "covers"),
    [
        ("read", READ, READ, True),
        ("Read", {"file_path": "a.py"}, {"file_path": "b.py"}, False),
        ("read", {"path": "a.py", "offset": 10, "limit": 5}, {"path": "a.py"}, True),
        ("read", {"path": "a.py"}, {"path": "a.py", "offset": 2, "limit": 900}, False),
        (
            "read",
            {"path": "a.py", "offset": 10, "limit": 5},
            {"path": "a.py", "offset": 10, "limit": 5},
            True,
        ),
        (
            "read",
            {"path": "a.py", "offset": 10, "limit": 5},
            {"path": "a.py", "offset": 11, "limit": 5},
            False,
        ),
        (
            "read",
            {"path": "a.py", "offset": 10, "limit": 5},
            {"path": "a.py", "offset": 10, "limit": 4},
            False,
        ),
        ("read", {"path": "a.py", "offset": 10, "limit": 5}, {"path": "a.py", "offset": 9, "limit": 6}, True),
        ("read", {"path": "a.py", "limit": 5}, {"path": "a.py", "offset": 1, "limit": 5}, True),
        ("read", {"path": "a.py", "offset": "x"}, {"path": "a.py", "limit": True}, False),
        ("bash", {"command": "pytest  -q"}, {"command": "pytest -q\n"}, True),
        ("bash", {"command": "pytest", "description": "a"}, {"command": "pytest", "timeout": 9}, True),
        ("bash", {"command": "pytest a"}, {"command": "pytest b"}, False),
        ("grep", {"pattern": "x", "limit": 5}, {"pattern": "x", "limit": 9}, False),
        ("edit", {"path": "a.py", "old": "a"}, {"path": "a.py", "old": "b"}, False),
    ],
)
def test_a_file_read_again_and_a_test_run_repeated(
    tool: str, older: dict[str, Any], newer: dict[str, Any], covers: bool
) -> None:
    first, second = subject(tool, older), subject(tool, newer)
    assert first is not None
    assert second is not None
    assert second.covers(first) == covers


@pytest.mark.parametrize("given_", [None, "cat a.py", [], {}, {"description": "only this"}])
def test_an_input_that_says_nothing_has_no_subject(given_: Any) -> None:
    assert subject("bash", given_) is None


ARCS = st.lists(
    st.builds(
        Spent,
        tag=st.integers(1, 40),
        tool=st.sampled_from(["read", "bash", "todowrite"]),
        tokens=st.integers(0, 40_000),
        code=st.sampled_from(sorted(CODES)),
        subject=st.one_of(
            st.none(), st.builds(Subject, st.sampled_from("ab"), st.integers(1, 3), st.integers(3, 5))
        ),
    ),
    unique_by=lambda one: one.tag,
    max_size=20,
)


@settings(deadline=None)
@given(ARCS, st.integers(0, 400_000), st.integers(0, 400_000), st.sampled_from([0.5, 1.0, 1.3]))
def test_in_any_tail_the_promises_hold(arcs: list[Spent], u: int, more: int, ratio: float) -> None:
    tail = Tail(u, u + more, ratio)
    taken = chosen(arcs, tail, ON)
    by_tag = {one.tag: one for one in arcs}
    again = superseded(arcs)
    assert len(set(taken)) == len(taken)
    assert all(by_tag[tag].code == "reclaimable" for tag in taken)
    assert [tag in again for tag in taken] == sorted((tag in again for tag in taken), reverse=True)
    freed = [by_tag[tag].tokens * ratio for tag in taken]
    if taken:
        assert severity(u, u + more) >= ON.reclaim_from
        assert u - sum(freed[:-1]) > ON.reclaim_to * tail.t  # the last one was needed
    enough = u - sum(freed) <= ON.reclaim_to * tail.t + 1e-6
    begun = tail.t >= 60_000 and severity(u, tail.t) >= ON.reclaim_from
    assert not begun or enough or len(taken) == len(order(arcs, ON))


@settings(deadline=None)
@given(ARCS)
def test_whatever_is_superseded_is_covered_by_what_stays(arcs: list[Spent]) -> None:
    gone = superseded(arcs)
    stay = [one for one in arcs if one.tag not in gone and one.subject]
    for one in arcs:
        if one.tag in gone:
            assert one.subject
            assert any(new.tag > one.tag and new.subject.covers(one.subject) for new in stay if new.subject)
