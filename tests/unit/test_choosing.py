"""Choosing the part of a file: quick ways give what the plain rule gives, and a memo changes nothing."""

import math
from array import array

from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.choosing import AT_LINE, IN_NAME, LENGTH, OFTEN, Part, best_part
from navlog.projections.views import FileView
from navlog.schemas.events import Chunk, Symbol

WORDS = ("set", "cookie", "cook", "jar", "ß", "value")
LINES = (
    "def set_cookie(jar):",
    "  value = Cookie",
    "SETSET set",
    "",
    "x",
    "STRASSE ß",
    "# cooking a jar",
    "\tjar",
)
NAMES = ("set_cookie", "Jar", "other", "setSet")


@st.composite
def files(draw: st.DrawFn) -> tuple[FileView, str]:
    lines = draw(st.lists(st.sampled_from(LINES), max_size=12))
    symbols = [Symbol(name, "function", 1, 2) for name in draw(st.lists(st.sampled_from(NAMES), max_size=3))]
    spans = draw(st.lists(st.tuples(st.integers(1, 14), st.integers(0, 5), st.integers(-1, 2)), max_size=4))
    chunks = [
        Chunk(first, first + more, 5, number if number < len(symbols) else -1)
        for first, more, number in sorted(spans)
    ]
    return FileView("a.py", "0" * 40, "python", 1, 0, 0.0, len(lines), "", symbols, chunks), "\n".join(lines)


WEIGHTS = st.dictionaries(st.sampled_from(WORDS), st.sampled_from((0.25, 0.5, 1.0, 1.7)), max_size=5)


@given(files(), WEIGHTS, st.integers(0, 14))
def test_the_part_is_the_one_that_the_plain_rule_gives(
    file: tuple[FileView, str], words: dict[str, float], line: int
) -> None:
    assert best_part(*file, words, line) == plainly(*file, words, line)


@given(files(), st.lists(WEIGHTS, max_size=4))
def test_what_was_looked_for_before_changes_nothing(
    file: tuple[FileView, str], questions: list[dict[str, float]]
) -> None:
    memo: dict[str, array[int]] = {}
    for words in questions:
        assert best_part(*file, words, memo=memo) == best_part(*file, words)


def test_a_word_is_looked_for_once() -> None:
    memo = {"jar": array("i", [2])}
    assert best_part(FileView("a.py", "", "python", 1, 0, 0.0), "jar\nx", {"jar": 1.0}, memo=memo).best == 1


def plainly(file: FileView, text: str, words: dict[str, float], line: int) -> Part:
    """The rule as it is written down, line by line."""
    lines = text.split("\n") if text else []
    chunks = [one for one in file.chunks if one.line <= len(lines)]
    chunks = chunks or ([Chunk(1, min(24, len(lines)), 0)] if lines else [])
    if not chunks:
        first = file.chunks[0] if file.chunks else Chunk(1, 1, 0)
        return Part(first.line, first.end_line, first.symbol, (), 0)
    folded = text.casefold()
    lowered = (folded if len(folded) == len(text) else text).split("\n")
    places = {
        word: [number for number, one in enumerate(lowered, 1) for _ in range(one.count(word))][:OFTEN]
        for word in words
    }
    said = {number: [word for word in words if number in places[word]] for number in range(1, len(lines) + 1)}

    def worth(chunk: Chunk) -> float:
        inside = [word for number in range(chunk.line, chunk.end_line + 1) for word in said.get(number, ())]
        spoken = dict.fromkeys(inside)
        total = sum(words[word] * (1 + math.log(inside.count(word))) for word in spoken)
        if 0 <= chunk.symbol < len(file.symbols):
            name = file.symbols[chunk.symbol].name.casefold()
            total += IN_NAME * sum(weight for word, weight in words.items() if word in name)
        total /= 1 + LENGTH * math.log1p(chunk.end_line - chunk.line)
        return total + (AT_LINE if chunk.line <= line <= chunk.end_line else 0.0)

    best = chunks[0]
    for chunk in chunks:
        if (worth(chunk), -chunk.line) > (worth(best) if worth(best) > 0 else 0.0, -best.line) and worth(
            chunk
        ) > 0:
            best = chunk
    end = min(best.end_line, len(lines))
    loud = [
        sum(words[word] for word in said[number]) + (AT_LINE if number == line else 0.0)
        for number in range(best.line, end + 1)
    ]
    return Part(best.line, end, best.symbol, lines[best.line - 1 : end], loud.index(max(loud)))
