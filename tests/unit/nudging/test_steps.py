"""Steps in the log: of two who try the same one, one is refused; and the state is what a replay gives."""

import threading
from collections.abc import Sequence

import pytest

from navlog.daemon.journal.memory import MemoryStorage
from navlog.daemon.nudging.desk import new_token
from navlog.daemon.nudging.memory import SESSIONS, Memory
from navlog.daemon.nudging.steps import TRIES, Steps
from navlog.projections.nudging import leasing
from navlog.projections.nudging.session import Session
from navlog.schemas.errors import Degraded
from navlog.schemas.event import Event
from navlog.schemas.nudges import NudgeArmed, NudgeClaimed, NudgeExpired, NudgeReleased, ReduceToolJudged
from support.journal import FOLDER, open_journal
from support.tails import Office

RACES = 1_000


def armed(session: str = "s") -> NudgeArmed:
    return NudgeArmed(session=session, u=60_000, t=70_000)


def claim(session: Session, name: str, token: str) -> Sequence[Event]:
    event = leasing.claim(session.lease, name, token, 0)
    return [event] if event else []


def test_of_two_claims_at_once_one_is_refused_a_thousand_times() -> None:
    journal = open_journal(FOLDER, storage=MemoryStorage())
    for number in range(RACES):
        Steps(journal, Memory(journal)).take(f"s{number}", "p", lambda _, n=number: [armed(f"s{n}")])  # type: ignore[misc]
    barrier = threading.Barrier(2)
    held: dict[str, list[str]] = {"one": [], "two": []}

    def race(own: str) -> None:
        steps = Steps(journal, Memory(journal))
        for number in range(RACES):
            name, token = f"s{number}", f"{own}-{number}"
            steps.of(name)  # both know that it is pending
            barrier.wait()
            after = steps.take(name, "p", lambda now, n=name, t=token: claim(now, n, t))  # type: ignore[misc]
            if after.lease.token == token:
                held[own].append(name)

    racers = [threading.Thread(target=race, args=(own,)) for own in held]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    claims = [record for record in journal.read() if record.type == NudgeClaimed.TYPE]
    journal.close()
    assert len(claims) == RACES
    assert sorted(held["one"] + held["two"]) == sorted(f"s{number}" for number in range(RACES))


def test_a_step_that_was_overtaken_is_decided_anew_on_what_is_there_now(office: Office) -> None:
    other = Steps(office.journal, Memory(office.journal))
    seen: list[str] = []

    def overtaken(session: Session) -> Sequence[Event]:
        seen.append(session.lease.state)
        if len(seen) == 1:
            other.take("s", "p", lambda _now: [armed()])
        return claim(session, "s", "mine") or [armed()]

    state = office.steps.take("s", "p", overtaken)
    assert seen == ["empty", "pending"]
    assert (state.lease.state, state.lease.token) == ("claimed", "mine")


def test_who_is_overtaken_again_and_again_is_told(office: Office) -> None:
    other = Steps(office.journal, Memory(office.journal))

    def overtaken(_session: Session) -> Sequence[Event]:
        other.take("s", "p", lambda _now: [armed()])
        return [armed()]

    with pytest.raises(Degraded):
        office.steps.take("s", "p", overtaken)
    assert office.types() == [NudgeArmed.TYPE] * TRIES


def test_nothing_decided_is_nothing_appended(office: Office) -> None:
    assert office.steps.take("s", "p", lambda _now: []) == Session()
    assert office.types() == []


def test_sessions_do_not_see_each_other(office: Office) -> None:
    office.steps.take("s", "p", lambda _now: [armed()])
    assert office.steps.of("t") == Session()
    office.steps.take("t", "p", lambda _now: [armed("t"), NudgeReleased(session="t", why="below")])
    assert (office.steps.of("s").lease.state, office.steps.of("t").lease.state) == ("pending", "empty")


def test_a_session_that_was_forgotten_is_read_again(office: Office) -> None:
    office.steps.take("s", "p", lambda _now: [armed()])
    for number in range(SESSIONS + 1):
        office.memory.of(f"other{number}")
    assert "s" not in office.memory.sessions()
    assert office.memory.of("s")[1].lease.state == "pending"


def test_what_a_step_gives_back_is_what_the_log_says_of_it(office: Office) -> None:
    secret = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6"
    event = ReduceToolJudged(session="s", usable=True, tool="ctx_reduce", why=secret)
    state = office.steps.take("s", "p", lambda _now: [event])
    assert state == Memory(office.journal).of("s")[1]
    assert secret not in state.why


def test_a_token_of_a_lease_is_no_secret_to_the_log(office: Office) -> None:
    for _ in range(50):
        token = new_token()
        events = [
            armed(),
            NudgeClaimed(session="s", token=token, since=0),
            NudgeExpired(session="s", token=token),
        ]
        assert office.steps.take("s", "p", lambda _now: events[:2]).lease.token == token  # noqa: B023
        assert office.steps.take("s", "p", lambda _now: events[2:]).lease.state == "empty"  # noqa: B023
