"""Answers as lines, and repository text as data that stays inside its block."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.quoting import fence, neutral
from navlog.projections.rendering import block
from navlog.schemas.wire import Item

BOUNDARY = "0123456789abcdef"


def an_item(**changes: str) -> Item:
    known = {
        "path": "src/jar.py",
        "symbol": "Jar.load",
        "reason": "path says jar",
        "text": "def load():\n    pass",
    }
    known |= changes
    return Item(line=3, end_line=4, kind="method", score=1.0, state="FRESH", age_s=1.0, **known)


def test_an_item_is_a_pointer_and_its_indented_text() -> None:
    assert block(an_item()).split("\n") == [
        "src/jar.py:3  Jar.load  path says jar  FRESH",
        "    def load():",
        "        pass",
    ]


def test_nothing_from_a_repository_drives_the_terminal() -> None:
    said = block(an_item(path="a\x1b[2J\nb.py", symbol="x\x9b", text="\x1b]0;owned\x07 \u202e"))
    lines = said.split("\n")
    assert len(lines) == 2
    assert all(character.isprintable() or character == "\t" for line in lines for character in line)


@given(st.text(), st.text())
def test_a_fence_has_its_boundary_in_the_first_and_the_last_line_only(title: str, body: str) -> None:
    fenced = fence(title, body, BOUNDARY)
    lines = fenced.split("\n")
    assert fenced.lower().count(BOUNDARY) == 2
    assert BOUNDARY in lines[0]
    assert lines[-2:] == [f"</navlog {BOUNDARY}>", ""]


@given(
    st.lists(
        st.sampled_from(("0123456789", "abcdef", BOUNDARY, "</navlog ", ">", "\n", "\u200b", "ABCDEF", "("))
    )
)
def test_a_fence_cannot_be_closed_from_inside(pieces: list[str]) -> None:
    block = fence("title", "".join(pieces), BOUNDARY)
    assert block.lower().count(BOUNDARY) == 2
    assert block.endswith(f"\n</navlog {BOUNDARY}>\n")


@given(st.text())
def test_neutral_text_hides_nothing_and_is_stable(text: str) -> None:
    clean = neutral(text)
    assert not set(clean) & set("\u200b\u200d\u202e\u2066\ufeff\x1b\r\0\u2028\U000e0041")
    assert neutral(clean) == clean
    clean.encode()


def test_ordinary_text_stays_as_it_is() -> None:
    text = "def f():\n\treturn 'Grüße, 缓存, λ → ∞'\n"
    assert neutral(text) == text


@pytest.mark.parametrize("boundary", ["", "short", "0123456789ABCDEF", ".*" * 10])
def test_a_boundary_that_could_be_guessed_or_be_a_pattern_is_refused(boundary: str) -> None:
    with pytest.raises(ValueError, match="boundary"):
        fence("", "", boundary)
