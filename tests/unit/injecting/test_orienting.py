"""What a session is told of a project before its first prompt."""

import pytest

from navlog.projections.injecting.orienting import Commit, Facts, orient, readme_of
from navlog.projections.injecting.pointing import FIRST_S, changed, pointed, routed
from navlog.projections.injecting.prose import first_prose
from navlog.projections.views import FileView
from navlog.schemas.events import Symbol
from navlog.schemas.settings import Inject
from navlog.schemas.wire import Item


def file(path: str, language: str = "python", changed_at: float = 0.0) -> FileView:
    return FileView(path, "c" * 40, language, 1, 0, changed_at)


def files(*paths: str) -> dict[str, FileView]:
    return {path: file(path) for path in paths}


def told(*paths: str, facts: Facts | None = None) -> str:
    found = orient(files(*paths), facts or Facts("main", ""))
    return "\n".join(f"{one.pointer} {one.reason}" for one in found)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "# Shop\n\n[![ci](x)](y)\n\nShop sells [many](u) `things` to people.\n",
            "Shop sells many things to people.",
        ),
        ("Shop\n====\n\nShop sells `things <u>`_ to other people.", "Shop sells things to other people."),
        ("<div>\n<h1>x</h1>\n</div>\n\n商店把各种东西卖给所有的人。", "商店把各种东西卖给所有的人。"),
        ("- one\n- two\n\n```\ncode that is long enough to count\n```", ""),
        ("", ""),
    ],
)
def test_a_readmes_first_words(text: str, said: str) -> None:
    assert first_prose(text) == said


def test_a_long_beginning_ends_with_a_sentence() -> None:
    said = first_prose("Shop sells things to many people in town. " * 20)
    assert len(said) <= 300
    assert said.endswith("town.")


def test_the_layout_names_folders_and_languages() -> None:
    assert "4 files · python 4 · src/shop/ 2; tests/ 1" in told(
        "src/shop/a.py", "src/shop/b.py", "tests/t.py", "s.py"
    )


def test_rules_are_named_and_not_quoted() -> None:
    assert "CONTRIBUTING.md, docs/AGENTS.md" in told("docs/AGENTS.md", "CONTRIBUTING.md", "a.py")


def test_chores_are_not_where_work_goes_on() -> None:
    often = [
        ("uv.lock", 9),
        (".github/workflows/t.yaml", 8),
        ("CHANGES.rst", 7),
        ("src/a.py", 3),
        ("src/b.py", 1),
    ]
    said = told("src/a.py", facts=Facts("main", "", often=often))
    assert "changed most in the last commits: src/a.py (3)" in said
    assert "uv.lock" not in said


def test_commits_come_with_their_days() -> None:
    said = told("a.py", facts=Facts("main", "", commits=[Commit("2026-01-02", "fix it")]))
    assert "newest commits on main: 2026-01-02 fix it" in said


def test_an_empty_project_has_nothing_to_tell() -> None:
    assert orient({}, Facts("", "")) == []
    assert readme_of({}) == ""


def test_a_changed_fact_is_another_piece() -> None:
    before, after = orient(files("a.py"), Facts("", "")), orient(files("a.py", "b.py"), Facts("", ""))
    assert before[0].id != after[0].id


def test_the_first_look_is_no_news() -> None:
    known = {"a": file("a", changed_at=1000.0), "b": file("b", changed_at=1005.0 + FIRST_S)}
    assert [one.path for one in changed(known)] == ["b"]


def item(path: str, score: float, state: str = "FRESH", symbol: str = "Shop.sell") -> Item:
    return Item(
        path=path, line=3, end_line=9, symbol=symbol, kind="function", score=score,
        reason="path says shop; near", state=state, age_s=60.0, text="def sell():\n    pass",  # type: ignore[arg-type]
    )  # fmt: skip


def test_what_is_not_worth_its_tokens_is_left_out() -> None:
    items = [item("a.py", 8.0), item("b.py", 3.0), item("c.py", 1.9)]
    found = routed(items, {}, 0.0, Inject())
    assert [(one.pointer, bool(one.text)) for one in found] == [("a.py:3", True), ("b.py:3", False)]
    assert routed([item("a.py", 1.0)], {}, 0.0, Inject()) == []


def test_the_others_come_with_what_they_define() -> None:
    symbol = Symbol("sell", "function", 3, 9, signature="def sell(self)", doc="Sells.")
    known = FileView("b.py", "d" * 40, "python", 1, 0, 0.0, symbols=(symbol,))
    assert pointed(item("b.py", 3.0), known, whole=False).text == "def sell(self)\nSells."


def test_a_changed_file_is_another_piece_and_its_state_is_said() -> None:
    first, second = file("a.py"), FileView("a.py", "d" * 40, "python", 1, 0, 500.0)
    assert pointed(item("a.py", 1.0), first).id != pointed(item("a.py", 1.0), second).id
    assert "STALE" in pointed(item("a.py", 1.0, "STALE"), first).reason
    assert "FRESH" not in pointed(item("a.py", 1.0), first).reason
    assert "changed 60 s ago" in pointed(item("a.py", 1.0), second, first=100.0).reason
