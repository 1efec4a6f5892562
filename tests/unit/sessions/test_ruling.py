"""When a task begins and ends by rule."""

import pytest

from navlog.projections.sessions.fold import fold
from navlog.projections.sessions.ruling import Known, rule, title_of
from navlog.projections.sessions.state import State
from navlog.schemas.event import Event
from navlog.schemas.events import CommitFile, CommitRecorded
from navlog.schemas.sessions import TaskClosed, TaskJoined, TaskOpened
from support.sessions import HOST, Told, closed, ended, opened, prompt, rest, started, tool

NOW = "2026-01-01T00:10:00.000Z"
ASKED = "Fix the login\nIt fails on Mondays"
OPENED = TaskOpened(task="new", title="Fix the login", by="rule", session="s", host=HOST)
COMMIT = CommitRecorded(
    commit="c", parents=["0"], committed_at="2026-01-01T00:09:00Z", author="a", subject="Fix", file_count=1,
    files=[CommitFile("a.py", "M")],
)  # fmt: skip


def decided(told: Told, event: Event, now: str = NOW, session: str = "s") -> list[Event]:
    state = State()
    fold(state, told.records)
    found = state.sessions.get(("p", session))
    own = state.tasks.get(("p", found.task)) if found else None
    return rule(
        event, Known(found, own, [task for task in state.tasks.values() if task.status == "open"]), "new", now
    )


def test_the_first_prompt_that_asks_for_something_opens_a_task() -> None:
    assert decided(Told().tell(started()), prompt(ASKED)) == [OPENED]
    assert decided(Told(), prompt(ASKED)) == [OPENED]  # a session that nobody announced


def test_a_nod_opens_none() -> None:
    assert decided(Told().tell(started()), prompt("yes, go on")) == []


def test_the_next_prompt_belongs_to_it() -> None:
    told = Told().tell(started(), opened(), prompt(ASKED), tool("modified", "a.py"), rest())
    assert decided(told, prompt("Now the logout")) == []


def test_once_everything_is_committed_the_next_prompt_is_another_task() -> None:
    told = Told().tell(
        started(), opened(), prompt(ASKED), tool("modified", "a.py"), rest("All good."), COMMIT
    )
    close, fresh = decided(told, prompt("Now the logout"))
    assert close == TaskClosed(task="t", status="completed", summary="All good.")
    assert isinstance(fresh, TaskOpened)
    assert fresh.title == "Now the logout"
    assert decided(told.tell(tool("modified", "b.py"), rest()), prompt("Now the logout")) == []


@pytest.mark.parametrize(
    ("did", "status"),
    [
        ([rest()], "completed"),
        ([tool("tested", failed=True), rest()], "failed"),
        ([tool("tested", failed=True), tool("tested"), rest()], "completed"),
        ([tool("modified", "a.py")], "interrupted"),
        ([], "interrupted"),
    ],
)
def test_the_sessions_end_is_the_tasks(did: list[Event], status: str) -> None:
    (close,) = decided(Told().tell(started(), opened(), prompt(ASKED), *did), ended())
    assert isinstance(close, TaskClosed)
    assert (close.task, close.status) == ("t", status)


def test_a_session_without_an_open_task_ends_none() -> None:
    assert decided(Told().tell(started()), ended()) == []
    assert decided(Told().tell(started(), opened(), closed()), ended()) == []


def test_a_session_that_goes_on_goes_on_with_its_task() -> None:
    told = Told().tell(started(), opened(), prompt(ASKED), rest(), closed(), ended(), started(how="resume"))
    assert decided(told, prompt("And the logout")) == [TaskJoined(task="t", session="s")]


def test_what_a_person_closed_stays_closed() -> None:
    told = Told().tell(started(), opened()).tell(closed(), source="person")
    assert decided(told, prompt(ASKED)) == [OPENED]


def test_a_persons_task_takes_in_sessions_without_one_and_only_a_person_ends_it() -> None:
    told = Told().tell(opened(session="", by="person"), started())
    assert decided(told, prompt(ASKED)) == [TaskJoined(task="t", session="s")]
    assert decided(told.tell(TaskJoined(task="t", session="s"), prompt(ASKED), rest()), ended()) == []


def test_a_task_nothing_happened_to_for_a_day_ends_when_a_session_starts() -> None:
    told = Told().tell(started("old"), opened(session="old"))
    (close,) = decided(told, started(), "2026-01-02T01:00:00.000Z")
    assert isinstance(close, TaskClosed)
    assert close.status == "interrupted"
    assert decided(told, started(), NOW) == []


def test_a_title_is_the_first_line_that_says_something() -> None:
    assert title_of("\n---\n# Fix   it\nand more") == "Fix it"
    assert len(title_of("x" * 500)) == 120
