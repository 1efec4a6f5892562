"""Events of sessions and tasks -> what is known of them."""

from navlog.projections.sessions.fold import fold
from navlog.projections.sessions.state import State
from navlog.schemas.events import CommitFile, CommitRecorded
from navlog.schemas.sessions import TaskJoined, TaskNoted
from support.sessions import Told, closed, ended, opened, prompt, rest, started, tool


def known(told: Told) -> State:
    state = State()
    fold(state, told.records)
    return state


def commit(*paths: str, at: str = "2026-01-01T01:00:00Z") -> CommitRecorded:
    return CommitRecorded(
        commit="c0ffee", parents=["0"], committed_at=at, author="a", subject="Fix it",
        files=[CommitFile(path, "M") for path in paths], file_count=len(paths),
    )  # fmt: skip


def test_a_task_has_what_its_session_did_with_counts() -> None:
    told = Told().tell(
        started(), opened(), prompt("Fix the login"), tool("read", "a.py"), tool("read", "a.py"),
        tool("modified", "a.py"), tool("tested", "test_a.py", failed=True, said="pytest", head="1 failed"),
        tool("tested", "test_a.py", said="pytest", head="1 passed"), rest(),
    )  # fmt: skip
    state = known(told)
    task, session = state.tasks["p", "t"], state.sessions["p", "s"]
    assert (task.files["a.py"].read, task.files["a.py"].modified, task.files["test_a.py"].tested) == (2, 1, 2)
    assert [(run.failed, run.head) for run in task.runs] == [(True, "1 failed"), (False, "1 passed")]
    assert task.tests_failed is False
    assert task.asked == ["Fix the login"]
    assert (session.prompts, session.tools, session.failures, session.waiting, session.task) == (
        1,
        5,
        1,
        True,
        "t",
    )


def test_what_happens_without_a_task_is_the_sessions_alone() -> None:
    state = known(Told().tell(started(), tool("read", "a.py"), opened(), closed(), tool("read", "b.py")))
    assert not state.tasks["p", "t"].files
    assert state.sessions["p", "s"].tools == 2


def test_a_commit_takes_in_what_was_modified_before_it() -> None:
    told = Told().tell(
        started(), opened(), tool("modified", "a.py", "b.py"), closed(), commit("a.py", "c.py")
    )
    task = known(told).tasks["p", "t"]
    assert [one.subject for one in task.commits] == ["Fix it"]
    assert not task.committed
    assert known(told.tell(commit("b.py"))).tasks["p", "t"].committed


def test_an_older_commit_that_is_read_late_takes_in_nothing() -> None:
    told = Told().tell(opened(), tool("modified", "a.py"), commit("a.py", at="2025-12-31T00:00:00Z"))
    assert not known(told).tasks["p", "t"].commits


def test_another_projects_commit_takes_in_nothing() -> None:
    told = Told().tell(opened(), tool("modified", "a.py")).tell(commit("a.py"), project="q")
    assert not known(told).tasks["p", "t"].commits


def test_sessions_of_two_projects_with_one_name_stay_apart() -> None:
    told = (
        Told()
        .tell(started(), opened(), tool("read", "a.py"))
        .tell(started(), tool("read", "b.py"), project="q")
    )
    state = known(told)
    assert list(state.tasks["p", "t"].files) == ["a.py"]
    assert (state.sessions["p", "s"].tools, state.sessions["q", "s"].tools) == (1, 1)


def test_a_task_is_closed_once_and_goes_on_when_a_session_joins() -> None:
    told = Told().tell(opened(), closed(), closed())
    task = known(told).tasks["p", "t"]
    assert (task.status, task.closed_at, task.ended_by) == ("completed", "2026-01-01T00:00:02.000Z", "rule")
    told.tell(TaskJoined(task="t", session="s2"), tool("read", "a.py", session="s2"))
    task = known(told).tasks["p", "t"]
    assert (task.status, task.closed_at, task.sessions, list(task.files)) == (
        "open",
        "",
        ["s", "s2"],
        ["a.py"],
    )


def test_a_persons_word_is_kept_with_the_task() -> None:
    told = Told().tell(
        opened(), TaskNoted(task="t", text="keep it", who="me"), TaskNoted(task="gone", text="x")
    )
    told.tell(closed(), source="person")
    task = known(told).tasks["p", "t"]
    assert [(note.who, note.text) for note in task.notes] == [("me", "keep it")]
    assert task.ended_by == "person"


def test_a_session_that_goes_on_has_not_ended() -> None:
    told = Told().tell(started(), ended())
    assert known(told).sessions["p", "s"].ended_at
    assert not known(told.tell(started(how="resume"))).sessions["p", "s"].ended_at
