"""Which past tasks say something of a new one."""

import pytest

from navlog.projections.ranking import parse
from navlog.projections.sessions.fold import fold
from navlog.projections.sessions.past import Past
from navlog.projections.sessions.state import State
from navlog.projections.sessions.telling import brief
from support.sessions import Told, closed, opened, prompt, tool


def past(*tasks: tuple[str, str, str]) -> Past:
    """Tasks of (title, what else was asked, the file that was modified)."""
    told = Told()
    for number, (title, asked, path) in enumerate(tasks):
        session = f"s{number}"
        told.tell(
            opened(f"t{number}", title, session),
            prompt(asked, session),
            tool("modified", path, session=session),
        )
    state = State()
    fold(state, told.records)
    return Past(state)


PAST = past(
    ("Make the session cookie SameSite=Lax", "use samesite by default", "src/sessions.py"),
    ("Faster URL routing", "the matcher is slow", "src/routing.py"),
    ("修复会话过期的问题", "会话总是过期", "src/expiry.py"),
    ("Document the blueprints", "write a page", "docs/blueprints.md"),
)


def related(words: str, *paths: str, but: str = "") -> list[str]:
    found = PAST.related("p", dict.fromkeys(words.split(), 1.0), paths, but=but)
    return [one.task.task for one in found]


def test_rare_words_in_common_make_a_task_related() -> None:
    assert related("samesite cookie") == ["t0"]
    assert related("routing slow") == ["t1"]
    assert related("会话 过期") == ["t2"]


def test_a_task_with_hardly_a_word_in_common_is_none() -> None:
    assert related("page for the admin login with tokens and redirects") == []
    assert related("nothing like it") == []


def test_work_on_the_files_of_the_answer_counts() -> None:
    assert related("cookie banner colours text", "src/sessions.py") == ["t0"]
    assert related("cookie banner colours text", "src/routing.py") == []


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("route matching is slow", "t1"),
        ("the router matches slowly", "t1"),
        ("documenting a blueprint", "t3"),
        ("documentation of blueprints", "t3"),
        ("会话的过期时间不对", "t2"),
        ("过期的会话没有清理", "t2"),
    ],
)
def test_a_word_counts_in_every_form_and_where_words_meet_nothing_is_missing(
    question: str, found: str
) -> None:
    assert [one.task.task for one in PAST.related("p", parse(question).words)] == [found]


def test_the_words_a_task_was_found_by_are_those_of_the_question() -> None:
    (one,) = PAST.related("p", parse("a slow router").words)
    assert one.words == ["router", "slow"]


def test_the_concepts_of_the_answer_count() -> None:
    told = Told()
    for name, concept in (("t0", "concept:till"), ("t1", "concept:door")):
        told.tell(opened(name, "Paint it green", name), closed(name, (concept, concept)))
    state = State()
    fold(state, told.records)
    found = Past(state).related("p", {"green": 1.0}, concepts=["concept:door"])
    assert [one.task.task for one in found] == ["t1", "t0"]
    assert found[0].worth > found[1].worth


def test_a_task_is_found_by_the_names_of_what_it_affected() -> None:
    told = Told().tell(opened(), closed("t", ("concept:till", "Cash register")))
    state = State()
    fold(state, told.records)
    assert Past(state).related("p", parse("the cash registers").words)


def test_a_sessions_own_task_is_left_out() -> None:
    assert related("samesite cookie", but="s0") == []


def test_no_other_projects_task_is_related() -> None:
    assert PAST.related("q", {"samesite": 1.0}, ["src/sessions.py"]) == []


def test_at_most_so_many_the_best_first() -> None:
    many = past(*((f"Cookie number {n}", "cookie " * n, f"f{n}.py") for n in range(8)))
    found = many.related("p", {"cookie": 1.0, "number": 1.0}, ["f5.py"], limit=3)
    assert len(found) == 3
    assert found[0].task.task == "t5"


def test_tasks_of_a_path_are_those_that_worked_on_it_or_below_it() -> None:
    assert [task.task for task in PAST.tasks("p", "src")] == ["t2", "t1", "t0"]
    assert [task.task for task in PAST.tasks("p", "src/sessions.py")] == ["t0"]
    assert PAST.tasks("p", "src/sess") == []


def test_what_is_said_beside_an_answer_is_what_was_tried_what_broke_and_what_came_of_it() -> None:
    told = Told().tell(
        opened(), prompt("Fix the login"), tool("modified", "a.py"),
        tool("tested", failed=True, said="pytest -x", head="setup\nE  AssertionError: nope\n1 failed"),
        tool("tested", said="pytest -x", head="1 passed"),
    )  # fmt: skip
    state = State()
    fold(state, told.records)
    (one,) = Past(state).related("p", {"login": 1.0}, [])
    answer = brief(one)
    assert answer["modified"] == ["a.py"]
    assert answer["tests"] == "passed after 1 failed run"
    assert answer["broke"] == ["pytest -x: E  AssertionError: nope"]
