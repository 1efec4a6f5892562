"""Packing: the limit counts files, the budget drops text and never a pointer."""

from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.packing import Look, pack
from navlog.projections.ranking import Ranked
from navlog.projections.rendering import block
from navlog.projections.tokens import count_tokens
from navlog.projections.views import FileView
from navlog.schemas.events import Chunk, Symbol
from navlog.schemas.wire import Item

TEXT = """\
import os

def set_cookie(key):
    value = samesite(key)
    return value

def other():
    pass
"""
SYMBOLS = [
    Symbol("Jar", "class", 1, 8),
    Symbol("set_cookie", "method", 3, 5, 0),
    Symbol("other", "function", 7, 8),
]
CHUNKS = [Chunk(1, 2, 5, 0), Chunk(3, 5, 30, 1), Chunk(7, 8, 10, 2)]


def a_file(path: str = "jar.py", chunks: list[Chunk] | None = None) -> FileView:
    return FileView(
        path, "0" * 40, "python", 100, 0, 50.0, 8, "", SYMBOLS, CHUNKS if chunks is None else chunks
    )


def packed(
    files: list[FileView],
    look: Look,
    words: dict[str, float],
    *,
    limit: int = 10,
    budget: int = 1000,
    line: int = 0,
) -> tuple[list[Item], int]:
    ranked = [Ranked(file.path, 1.0, "path says jar", line, {}, list(words)) for file in files]
    by_path = {file.path: file for file in files}
    return pack(
        ranked, by_path, words, look=lambda _: look, count=count_tokens, limit=limit, budget=budget, now=60.0
    )


def one(look: Look, words: dict[str, float], *, budget: int = 1000, line: int = 0) -> Item:
    return packed([a_file()], look, words, budget=budget, line=line)[0][0]


def test_the_chunk_that_says_the_words_is_shown_with_its_symbol() -> None:
    item = one(Look("FRESH", TEXT), {"samesite": 2.0})
    assert (item.line, item.end_line, item.symbol, item.kind) == (3, 5, "Jar.set_cookie", "method")
    assert item.text.splitlines() == TEXT.splitlines()[2:5]
    assert (item.state, item.age_s) == ("FRESH", 10.0)


def test_a_line_the_task_names_decides_the_chunk() -> None:
    assert one(Look("FRESH", TEXT), {"samesite": 2.0}, line=8).symbol == "other"


def test_what_is_gone_keeps_its_pointer() -> None:
    item = one(Look("GONE", ""), {"samesite": 2.0})
    assert (item.path, item.state, item.text) == ("jar.py", "GONE", "")


def test_a_file_without_chunks_shows_a_window_of_lines() -> None:
    text = "\n".join("needle" if number == 100 else "hay" for number in range(200))
    item = packed([a_file(chunks=[])], Look("FRESH", text), {"needle": 1.0})[0][0]
    assert item.line <= 101 <= item.end_line < 130
    assert "needle" in item.text


def test_a_chunk_that_is_too_long_keeps_its_first_and_its_best_lines() -> None:
    text = "\n".join(
        ["def long():"] + ["    filler = one + two"] * 40 + ["    needle()"] + ["    more()"] * 40
    )
    items, _ = packed([a_file(chunks=[Chunk(1, 82, 600)])], Look("FRESH", text), {"needle": 1.0}, budget=140)
    shown = items[0].text.splitlines()
    assert shown[0] == "def long():"
    assert "    needle()" in shown
    assert "…" in shown


def test_a_file_that_shrank_since_shows_what_is_there() -> None:
    item = one(Look("STALE", "import os\n"), {"samesite": 2.0})
    assert item.state == "STALE"
    assert item.text == "import os\n"


texts = st.lists(st.text(alphabet="ab cookie\tÄ缓\x1b", max_size=40), max_size=40).map("\n".join)


@given(
    st.integers(1, 12),
    st.integers(0, 14),
    st.integers(0, 2000),
    texts,
    st.sampled_from(("FRESH", "STALE")),
    st.integers(),
)
def test_the_budget_drops_text_and_never_a_pointer(
    files: int, limit: int, budget: int, text: str, state: str, line: int
) -> None:
    look = Look("STALE" if state == "STALE" else "FRESH", text)
    all_files = [a_file(f"f{number}.py") for number in range(files)]
    items, tokens = packed(all_files, look, {"cookie": 1.0}, limit=limit, budget=budget, line=line)
    assert [item.path for item in items] == [file.path for file in all_files[:limit]]
    assert tokens == sum(count_tokens(block(item)) for item in items)
    assert tokens <= budget or not any(item.text for item in items)


@given(st.integers(50, 2000), texts)
def test_a_larger_budget_shows_no_less(budget: int, text: str) -> None:
    files = [a_file("a.py"), a_file("b.py")]
    _, small = packed(files, Look("FRESH", text), {"cookie": 1.0}, budget=budget)
    _, large = packed(files, Look("FRESH", text), {"cookie": 1.0}, budget=budget * 4)
    assert large >= small
