"""What people are shown of a tail: one measurement, a bar, the reasons."""

import pytest

from navlog.daemon.cli.nudges import bar
from navlog.daemon.nudging.telling import Telling
from navlog.projections.nudging.measuring import CODES
from navlog.schemas.errors import UsageError
from navlog.schemas.tails import NudgeExplainArgs, NudgeExplained, NudgeStatusArgs
from support.tails import NUDGE, Office, session_of, unheard


@pytest.fixture
def telling(office: Office) -> Telling:
    return Telling(office.memory, NUDGE, lambda: ["never-measured"])


def explained(telling: Telling, session: str = "s") -> NudgeExplained:
    return telling.explain(NudgeExplainArgs(session=session), "", unheard)


def test_explain_says_of_every_part_why_it_counts_and_sums_up_to_what_was_decided_on(
    office: Office, telling: Telling
) -> None:
    reply = office.measure(session_of(100), result="r99")
    found = explained(telling)
    assert [part.block for part in found.parts] == [part.block for part in reply.parts]
    assert all(part.reason == CODES[part.code] for part in found.parts)
    assert sum(part.tokens for part in found.parts if part.code == "reclaimable") == found.state.u == reply.u
    assert sum(part.tokens for part in found.parts) == found.state.t == reply.t
    assert (found.level, found.watermark, found.fired, found.cadence) == ("urgent", reply.u, 1, 25_000)


def test_explain_says_what_comes_next(office: Office, telling: Telling) -> None:
    office.measure(session_of(10))
    assert explained(telling).next == "nothing is said: there is too little to set aside"
    office.measure(session_of(100))
    assert explained(telling).next == "beside the next tool result: the urgent reminder, in full"
    office.measure(result="r99")
    assert explained(telling).next == "the same level is said again once U has grown by a cadence"
    office.reduce("2-9")
    assert explained(telling).grace == "pending"
    assert explained(telling).queued == list(range(2, 10))
    office.measure(session_of(101))
    assert explained(telling).next.startswith("nothing is said: grace")


def test_a_session_is_found_by_the_beginning_of_its_name(office: Office, telling: Telling) -> None:
    for name in ("abc-1", "abd-2"):
        office.measure(session_of(3), session=name)
    assert explained(telling, "abc").state.session == "abc-1"
    for unknown in ("ab", "x", "never-measured"):
        with pytest.raises(UsageError):
            explained(telling, unknown)


def test_status_shows_those_measured_last_first(office: Office, telling: Telling) -> None:
    for name in ("one", "two", "three"):
        office.measure(session_of(3), session=name)
    reply = telling.status(NudgeStatusArgs(limit=2), "", unheard)
    assert [one.session for one in reply.tails] == ["three", "two"]
    explained(telling, "one")  # looking at a session does not make it the latest
    assert [one.session for one in telling.tails(9)] == ["three", "two", "one"]
    assert reply.tails[0].usable is True


@pytest.mark.parametrize(
    ("tokens", "shown"),
    [
        ({}, "··········"),
        ({"reclaimable": 50, "protected": 50}, "█████▒▒▒▒▒"),
        ({"reclaimable": 1, "untagged": 1_000}, "█░░░░░░░░░"),
        (
            {"reclaimable": 30, "queued": 30, "protected": 20, "recent_reduce": 10, "untagged": 10},
            "███▓▓▓▒▒▒░",
        ),
        ({"reasoning": 500}, "··········"),
    ],
)
def test_the_bar_is_always_whole_and_nothing_that_is_there_is_left_out(
    tokens: dict[str, int], shown: str
) -> None:
    assert bar(tokens, 10) == shown
