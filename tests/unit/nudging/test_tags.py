"""Tags: numbers in order of appearance, taken from what comes back; and what a reduce may name."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navlog.projections.nudging.tags import (
    Reduction,
    holds_placeholder,
    marked,
    numbered,
    parsed,
    placeholder,
    reduction,
    unmarked,
)
from navlog.projections.nudging.tail import Counted, is_placeholder
from navlog.schemas.errors import UsageError
from navlog.schemas.nudges import TailTag

PARTS = [
    Counted("a#0", "text", "prose", 5),
    Counted("b#0", "reasoning", "", 0, "reasoning"),
    Counted("b#1", "call", "tool", 5, "", "1", "bash"),
    Counted("b#2", "call", "tool", 5, "", "2", "read"),
    Counted("c#0", "result", "tool", 5, "", "2", "read"),
    Counted("c#1", "result", "tool", 5, "", "1", "bash"),
    Counted("c#2", "result", "tool", 5, "", "lost", "bash"),
    Counted("d#0", "file", "prose", 5),
    Counted("d#1", "text", "", 0, "empty"),
]


def test_texts_arcs_and_files_are_numbered_in_order_of_appearance() -> None:
    assert numbered(PARTS, []) == [
        TailTag(1, "a#0", "message"),
        TailTag(2, "b#1", "tool", "bash"),
        TailTag(3, "b#2", "tool", "read"),
        TailTag(4, "c#2", "tool", "bash"),
        TailTag(5, "d#0", "file"),
    ]


def test_a_number_is_given_once_and_never_again() -> None:
    known = numbered(PARTS[:4], [])
    assert [tag.number for tag in numbered(PARTS, known)] == [4, 5]
    assert numbered(PARTS, [*known, *numbered(PARTS, known)]) == []
    assert numbered(PARTS[:1], [TailTag(7, "gone#0", "message")]) == [TailTag(8, "a#0", "message")]


def test_a_mark_stands_once_and_is_taken_from_what_comes_back() -> None:
    assert marked("hello", 12) == "§12§ hello"
    assert marked(marked("hello", 12), 13) == "§13§ hello"
    assert unmarked("§12§ hello\n  §3§ §4§ there §5§ stays") == "hello\nthere §5§ stays"


@settings(deadline=None)
@given(st.text(), st.integers(1, 10**6))
def test_what_was_marked_comes_back(text: str, number: int) -> None:
    assert unmarked(marked(text, number)) == unmarked(text)


def test_a_placeholder_is_known_and_not_let_into_a_tools_input() -> None:
    for made in (placeholder(3), placeholder(3, truncated=True)):
        assert is_placeholder(made)
        assert holds_placeholder({"files": [{"text": f"x = {made}"}]})
        assert holds_placeholder({made: 1})
    assert not holds_placeholder({"text": "[dropped] §3§", "n": 3, "list": ["[truncated"]})


@pytest.mark.parametrize(
    ("drop", "ranges"), [("8", [(8, 8)]), ("3-5,8", [(3, 5), (8, 8)]), (" §3§ - §5§ , 8 ", [(3, 5), (8, 8)])]
)
def test_a_drop_names_tags_and_ranges(drop: str, ranges: list[tuple[int, int]]) -> None:
    assert parsed(drop) == ranges


@pytest.mark.parametrize("drop", ["", "a", "3-", "5-3", "3,,4", "-3", "3-4-5", "1e3", "9999999999"])
def test_anything_else_is_refused_with_an_example(drop: str) -> None:
    with pytest.raises(UsageError, match="ctx_reduce"):
        parsed(drop)


STANDING = {
    1: "reclaimable", 2: "protected", 3: "reclaimable", 4: "queued", 5: "dropped", 6: "recent_reduce",
    9: "reclaimable",
}  # fmt: skip


def test_a_reduce_queues_what_it_may_and_names_what_it_may_not() -> None:
    assert reduction("1-9, 3, 11, 20-999999999", STANDING) == Reduction(
        [1, 3, 9],
        [
            ("2", "protected"),
            ("4", "already queued"),
            ("5", "already gone"),
            ("6", "protected"),
            ("11", "unknown"),
            ("20-999999999", "unknown"),
        ],
    )


def test_a_part_that_counts_nothing_is_refused_by_its_reason() -> None:
    assert reduction("1", {1: "ignored"}) == Reduction([], [("1", "ignored")])
    assert reduction("1", {1: "placeholder"}) == Reduction([], [("1", "already gone")])
