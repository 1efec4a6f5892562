"""The comparison of ways to find files: reading cases, the ways themselves, and what their figures say."""

import shutil
import stat
from pathlib import Path

import pytest

from navlog.daemon.comparing import ways
from navlog.daemon.comparing.cases import Case, read_cases
from navlog.daemon.comparing.scoring import Found, figures, saved
from navlog.schemas.errors import UsageError

PATHS = ("auth/login.py", "auth/token.py", "shop/basket.py")
TEXTS = {
    "auth/login.py": "def login(user):\n    return session(user)\n",
    "auth/token.py": "def refresh(token):\n    return token\n",
    "shop/basket.py": "def add(basket, item):\n    basket.append(item)\n",
}


def case(*expected: str, task: str = "login") -> Case:
    return Case(id="1", task=task, expected=frozenset(expected))


def found(*paths: str, expected: tuple[str, ...], tokens: int = 100) -> Found:
    return Found(case=case(*expected), paths=paths, tokens=tokens, seconds=0.5)


def test_a_list_and_lines_are_the_same_cases() -> None:
    listed = read_cases(b'[{"id": "1", "task": "login", "expected_files": ["a.py"], "more": 1}]')
    lines = read_cases(b'{"id": "1", "query": "login", "expected_files": ["a.py"]}\n\n')
    assert listed == lines == [Case(id="1", task="login", expected=frozenset({"a.py"}))]


def test_an_object_of_cases_is_read_and_paths_as_agentnavi_takes_them() -> None:
    wrapped = read_cases(
        b'{"cases": [{"id": "1", "query": "x", "expected_files": ["./a/b.py", "c\\\\d.py"]}]}'
    )
    assert wrapped == [Case(id="1", task="x", expected=frozenset({"a/b.py", "c/d.py"}))]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "no case"),
        (b"[]", "no case"),
        (b"{", "cannot be read"),
        (b"\xff\xfe", "cannot be read"),
        (b"[" * 2000, "cannot be read"),
        (b'{"cases": ' * 2000, "cannot be read"),
        (b'{"cases": 3}', "Case 1"),
        (b'{"id": "1", "task": "x", "expected_files": ["a"]}\n' * 2, "several cases with the id 1"),
        (b'[{"id": "1", "task": "x", "expected_files": ["a"]}, 3]', "Case 2"),
        (b'[{"id": "1", "task": " ", "expected_files": ["a"]}]', "Case 1 (1)"),
        (b'[{"id": "1", "task": "x", "expected_files": []}]', "Case 1 (1)"),
    ],
)
def test_what_is_no_case_is_named(data: bytes, says: str) -> None:
    with pytest.raises(UsageError, match=says.replace("(", r"\(").replace(")", r"\)")):
        read_cases(data)


def test_file_names_are_found_by_the_words_in_them() -> None:
    assert ways.filenames(PATHS)("auth login fails") == ["auth/login.py", "auth/token.py"]
    assert ways.filenames(PATHS)("nothing") == []


def test_bm25_looks_into_the_text() -> None:
    assert ways.bm25(TEXTS.items())("which item is in the basket")[0] == "shop/basket.py"


def test_without_ripgrep_it_is_no_way(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert ways.ripgrep(tmp_path, PATHS) is None


def test_ripgrep_counts_and_knows_the_projects_files_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A stand-in prints what ripgrep prints: the reading of it is tested where it is not installed."""
    program = tmp_path / "rg"
    program.write_text(
        f"#!{shutil.which('sh')}\nprintf './auth/login.py\\0003\\n./auth/token.py\\0007\\n./other\\0009\\n'\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path))
    way = ways.ripgrep(tmp_path, PATHS)
    assert way is not None
    assert way("login token") == ["auth/token.py", "auth/login.py"]
    assert way("the") == []


def test_accuracy_asks_for_all_expected_files_and_recall_for_their_share() -> None:
    one = figures("way", [found("a", "b", "c", expected=("a", "c"))], files=10, tokens=1000, limit=2)
    assert (one.acc["@1"], one.acc["@3"], one.recall, one.precision) == (0.0, 1.0, 0.5, 0.5)
    assert one.recall_per_1000_tokens == 5.0
    assert one.milliseconds == 500.0


def test_no_saving_is_told_where_files_are_missed() -> None:
    missed = figures("way", [found("a", expected=("a", "b"))], files=10, tokens=1000, limit=10)
    assert (missed.candidate_reduction, missed.token_reduction) == (None, None)
    assert "0.95" in missed.why
    whole = figures("way", [found("a", "b", expected=("a", "b"))], files=10, tokens=1000, limit=10)
    assert (whole.candidate_reduction, whole.token_reduction, whole.why) == (0.8, 0.9, "")


def test_a_way_that_gives_nothing_has_no_precision() -> None:
    none = figures("way", [found(expected=("a",), tokens=0)], files=10, tokens=1000, limit=10)
    assert (none.precision, none.recall_per_1000_tokens) == (0.0, 0.0)


def test_a_saving_beside_another_way_counts_the_cases_that_both_found() -> None:
    ours = [found("a", expected=("a",), tokens=10), found("b", expected=("a",), tokens=10)]
    theirs = [found("a", "c", expected=("a",), tokens=40), found("a", expected=("a",), tokens=40)]
    told = saved("BM25", ours, theirs)
    assert (told.cases, told.counted, told.token_reduction) == (2, 1, 0.75)
    assert saved("BM25", ours[1:], theirs[1:]).token_reduction is None
    assert saved("BM25", theirs[:1], ours[:1]).token_reduction == -3.0
