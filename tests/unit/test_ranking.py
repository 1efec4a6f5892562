"""The ranker on a small project: what a person would expect first stands first, and says why."""

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.ranking import model, parse, rank, signals
from navlog.projections.views import FileView, ProjectView
from navlog.schemas.events import CommitFile, CommitRecorded, Symbol
from navlog.schemas.names import name_to_text

PROJECT = {
    "web/http/cookie.py": (["SimpleCookie", "parse_header"], "cookie header samesite parse value"),
    "web/http/session.py": (["Session", "save"], "session cookie store save key"),
    "web/mail/sender.py": (["send_mail"], "mail smtp send socket key"),
    "tests/test_cookie.py": (["test_cookie"], "cookie header samesite parse value test"),
    "docs/cookie.md": (["Cookies"], "cookie header samesite parse value text"),
    "web/http/wire.py": (["frame"], "bytes frame wire"),
}

SEARCHED = tuple(signals.SEARCHES)


def a_project() -> ProjectView:
    view = ProjectView()
    for path, (names, words) in PROJECT.items():
        symbols = [Symbol(name, "function", 1, 5) for name in names]
        view.put(FileView(path, "0" * 40, "python", 100, 0, 0.0, 20, "", symbols), {"1": words})
    view.relate("web/http/cookie.py", [("imports", "web/http/wire.py")])
    return view


def a_commit(name: str, subject: str, *paths: str) -> CommitRecorded:
    files = [CommitFile(path, "M") for path in paths]
    at = "2024-01-01T00:00:00Z"
    return CommitRecorded(commit=name, parents=[], committed_at=at, author="", subject=subject, files=files)


def paths(view: ProjectView, task: str, limit: int = 10) -> list[str]:
    return [hit.path for hit in rank(view, parse(task), limit)]


def test_sources_come_before_their_tests_and_documents() -> None:
    found = paths(a_project(), "cookie header samesite")
    assert found[0] == "web/http/cookie.py"
    assert {"tests/test_cookie.py", "docs/cookie.md"} < set(found)


def test_a_path_in_the_task_comes_first_and_brings_its_line() -> None:
    hit = rank(a_project(), parse("cookie header samesite\nsee http/session.py:12"))[0]
    assert (hit.path, hit.line) == ("web/http/session.py", 12)
    assert "path is in the task" in hit.reason


def test_a_symbol_in_the_task_finds_its_file() -> None:
    hit = rank(a_project(), parse("`send_mail` hangs"))[0]
    assert hit.path == "web/mail/sender.py"
    assert "defines send_mail" in hit.reason


def test_a_neighbour_of_the_hit_is_found_without_a_word_in_common() -> None:
    view = a_project()
    assert "web/http/wire.py" in paths(view, "samesite")
    view.relate("web/http/cookie.py", [])
    assert "web/http/wire.py" not in paths(view, "samesite")


def test_chinese_words_of_programming_find_code_that_has_none() -> None:
    view = ProjectView()
    for path, symbol in (("a/gate.py", "needs_approval"), ("a/log.py", "append"), ("a/hold.py", "snapshot")):
        view.put(FileView(path, "0" * 40, "python", 9, 0, 0.0, 9, "", [Symbol(symbol, "function", 1, 5)]), {})
    assert [paths(view, task)[0] for task in ("人工审批", "追加写入", "读快照")] == list(view.files)


def test_a_reason_names_a_file_as_a_person_sees_it() -> None:
    view = ProjectView()
    for name, words in ((b"co\xffokie\n.py", "samesite"), (b"wire.py", "bytes")):
        view.put(FileView(name_to_text(name), "0" * 40, "python", 100, 0, 0.0, 20, "", []), {"1": words})
    view.relate(name_to_text(b"co\xffokie\n.py"), [("imports", "wire.py")])
    reasons = {hit.path: hit.reason for hit in rank(view, parse("samesite"))}
    assert "next to co\\xffokie\\n.py" in reasons["wire.py"]


def test_past_commits_lead_where_no_word_of_the_code_does() -> None:
    view = a_project()
    view.commit(a_commit("1", "Throttle outgoing newsletters", "web/mail/sender.py"))
    hit = rank(view, parse("newsletters go out twice"))[0]
    assert hit.path == "web/mail/sender.py"
    assert "changed by commits with these words" in hit.reason


def test_the_tasks_own_commit_does_not_answer_it() -> None:
    view = a_project()
    view.commit(a_commit("1", "Throttle newsletters (#7)", "web/mail/sender.py"))
    assert paths(view, "Throttle newsletters") == []


def test_the_limit_counts_files_and_an_empty_task_finds_none() -> None:
    assert len(paths(a_project(), "cookie", limit=2)) == 2
    assert paths(a_project(), "") == []
    assert paths(ProjectView(), "cookie") == []


def test_the_same_files_in_another_order_rank_the_same() -> None:
    view = ProjectView()
    for path, file in sorted(a_project().files.items(), reverse=True):
        view.put(file, {"1": PROJECT[path][1]})
    view.relate("web/http/cookie.py", [("imports", "web/http/wire.py")])
    task = parse("session cookie header")
    assert rank(view, task) == rank(a_project(), task)


def test_companions_that_tie_are_chosen_by_name_in_every_process() -> None:
    view, names = a_project(), [f"web/page_{letter}.py" for letter in "hdkamcoeflgbijn"]
    for name in names:
        view.put(FileView(name, "0" * 40, "python", 100, 0, 0.0, 20, "", []), {"1": "page"})
    view.commit(a_commit("1", "Pages", "web/http/cookie.py", *names))
    assert [path for path in paths(view, "samesite", 20) if path in names] == sorted(names)[:10]


@given(st.randoms(use_true_random=False), st.integers(0, 200), st.sampled_from((3, 90, 1000)))
def test_the_best_of_a_column_are_those_that_a_sort_puts_first(draw: Random, size: int, kinds: int) -> None:
    column = [float(draw.randrange(kinds)) for _ in range(size)]
    sort = sorted((slot for slot, worth in enumerate(column) if worth > 0), key=lambda slot: -column[slot])
    assert signals._best(np.array(column)) == sort[: signals.BREADTH]


@given(st.lists(st.lists(st.sampled_from((0.0, 0.3, 1.0)), min_size=len(SEARCHED), max_size=len(SEARCHED))))
def test_fused_ranks_add_up_column_by_column(rows: list[list[float]]) -> None:
    fused = [0.0] * len(rows)
    for place in range(len(SEARCHED)):
        order = sorted(range(len(rows)), key=lambda row: -rows[row][place])
        for rank_, row in enumerate(order):
            fused[row] += 1 / (model.FUSE + rank_) if rows[row][place] > 0 else 0.0
    values = np.array(rows, np.float64).reshape(len(rows), len(SEARCHED))
    assert model.fused(values, SEARCHED).tolist() == fused
