"""Reclaim by itself and drops that are worth a new beginning, through the verbs of a host that removes."""

from typing import Any

import pytest

from navlog.projections.nudging.session import Session
from navlog.schemas.settings import Nudge
from navlog.schemas.tails import Message, Part
from support.tails import Office, arc, prompt, session_of

REMOVES: dict[str, Any] = {"removes": True, "shows": True}


@pytest.fixture
def on(office: Office) -> Office:
    return Office(office.journal, Nudge(reclaim=True))


def read(number: int, path: str, size: int = 1_000) -> list[Message]:
    call, result = arc(number, size, "read")
    parts = (Part(kind="call", call=f"c{number}", tool="read", input={"path": path}),)
    return [Message(id=call.id, role="assistant", parts=parts), result]


def state(office: Office) -> Session:
    return office.memory.of("s")[1]


def test_it_queues_until_the_lower_severity_is_reached_and_no_further(on: Office) -> None:
    on.measure(session_of(100), **REMOVES)
    queued, measured = state(on).queued, state(on).measured
    assert measured
    each = 1_000 + len('{"command":"run 10"}')
    spared = measured.u - 0.4 * measured.t
    assert (
        spared <= sum(part.tokens for part in state(on).parts.values() if part.tag in queued) < spared + each
    )
    assert {part.code for part in state(on).parts.values() if part.tag in queued} == {"reclaimable"}
    assert 2 in queued  # the oldest output
    assert 1 not in queued  # what the person said


def test_what_it_queued_leaves_the_tail_where_that_is_worth_it(on: Office) -> None:
    first = on.measure(session_of(100), **REMOVES)
    second = on.measure(session_of(100), **REMOVES)
    assert first.dropped == []
    assert {one.tag for one in second.dropped} == state(on).dropped
    assert on.types().count("reduce_asked") == 1
    assert second.t < first.t


@pytest.mark.parametrize(
    "values",
    [
        {},  # the host removes nothing
        {**REMOVES, "reduce_tool": ""},
        {**REMOVES, "result": "r99"},
    ],
)
def test_it_does_nothing_where_it_may_not(on: Office, values: dict[str, Any]) -> None:
    on.measure(session_of(100), **values)
    assert "reduce_asked" not in on.types()


def test_it_is_off_by_default(office: Office) -> None:
    office.measure(session_of(100), **REMOVES)
    assert "reduce_asked" not in office.types()


def test_a_file_read_again_later_goes_before_what_is_older_and_larger(office: Office) -> None:
    little = Office(office.journal, Nudge(reclaim=True, reclaim_from=0.2, reclaim_to=0.79))
    tail = [prompt(0), *(one for number in range(100) for one in read(number, f"{number}.py"))]
    tail += [one for number in range(40, 43) for one in read(number + 100, f"{number}.py")]
    little.measure(tail, **REMOVES)
    assert len(state(little).queued) < 20
    assert {42, 43, 44} <= state(
        little
    ).queued  # the tags of 40.py, 41.py and 42.py when they were read first


def test_a_call_that_still_runs_is_not_taken(on: Office) -> None:
    running = Part(kind="call", call="open", tool="bash", input={"command": "x" * 90_000})
    tail = [prompt(0), Message(id="open", role="assistant", parts=(running,)), *session_of(20)[1:]]
    on.measure(tail, **REMOVES)
    tag = next(part.tag for part in state(on).parts.values() if part.block == "open#0")
    assert tag not in state(on).queued


def test_the_pass_after_it_says_nothing(on: Office) -> None:
    on.measure(session_of(100), **REMOVES)
    assert on.measure(result="r99", tool="bash", **REMOVES).why == "reduced"


def test_what_an_agent_gave_up_leaves_a_warm_tail_only_where_it_is_worth_it(office: Office) -> None:
    office.measure(session_of(100), **REMOVES)
    office.reduce("2-41")
    assert office.measure(session_of(100), **REMOVES).dropped == []  # 40,800 of 102,000, and the prompt
    office.reduce("42-43")
    assert office.measure(result="r99", tool="bash", **REMOVES).dropped == []
    assert len(office.measure(session_of(100), **REMOVES).dropped) == 42
