"""The part of a file a task is about: the chunk whose lines say most of the task's words.

Works on the text as it is now and the chunks as they were indexed; where there are none, on windows of lines.
Words are looked for as parts of the text (``cookie`` in ``set_cookies``): it takes a fraction of the time
of cutting a text into terms, and errs on the side of finding.
"""

import math
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from navlog.projections.views import FileView
from navlog.schemas.events import Chunk

# Lines of a window where a file has no chunks.
WINDOW = 24
# A word found more often than this in one file says nothing of where.
OFTEN = 60
# What a word in the symbol's name, and the line the task named, count more.
IN_NAME, AT_LINE = 2.0, 100.0
# How much length is held against a chunk.
LENGTH = 0.35


class Part(NamedTuple):
    """``lines`` is the text of ``line``..``end_line``; ``best`` the index of the line that says most."""

    line: int
    end_line: int
    symbol: int
    lines: Sequence[str]
    best: int


Memo = MutableMapping[str, "array[int]"]
"""Of one text: word -> the lines that say it. Who keeps it by content need not look again."""


def best_part(
    file: FileView, text: str, words: Mapping[str, float], line: int = 0, memo: Memo | None = None
) -> Part:
    """The part to show; without text the first chunk's pointer. ``line``: one the task names, or 0.

    What is looked for in the text goes into ``memo``, and what is there is not looked for.
    """
    count = text.count("\n") + 1 if text else 0
    chunks = [chunk for chunk in file.chunks if chunk.line <= count] or _windows(count)
    if not chunks:
        first = file.chunks[0] if file.chunks else Chunk(1, 1, 0)
        return Part(first.line, first.end_line, first.symbol, (), 0)
    said = _said(text, words, {} if memo is None else memo)
    chunk = _best(chunks, said, _naming(file, words), words, line)
    end = min(chunk.end_line, count)
    lines = text.split("\n", end)[chunk.line - 1 : end]
    return Part(chunk.line, end, chunk.symbol, lines, _loudest(said, words, chunk.line, end, line))


class _Said(NamedTuple):
    """Where which word is said: parallel, in the order of the lines, then of the words asked for."""

    lines: list[int]
    words: list[str]


def _best(
    chunks: Sequence[Chunk],
    said: _Said,
    naming: Mapping[int, float],
    words: Mapping[str, float],
    line: int,
) -> Chunk:
    """The first of the chunks that say most; the first of all where none says anything."""
    best, most = chunks[0], 0.0
    lines = said.lines
    for chunk in chunks:
        first, last = chunk.line, chunk.end_line
        low = bisect_left(lines, first)
        high = bisect_right(lines, last, low)
        named = naming.get(chunk.symbol, 0.0)
        if low < high or named or first <= line <= last:
            worth = _worth(chunk, named, said.words[low:high], words, line)
            if worth > most or (worth == most and first < best.line):
                best, most = chunk, worth
    return best


def _naming(file: FileView, words: Mapping[str, float]) -> dict[int, float]:
    """What the words in each symbol's name weigh, by the symbol's number; only of those that say any."""
    names = "\n".join([symbol.name for symbol in file.symbols]).casefold()
    worth: dict[int, float] = {}
    for word, weight in words.items():
        for line in _lines_with(word, names):
            worth[line - 1] = worth.get(line - 1, 0.0) + weight
    return {number: named for number, named in worth.items() if named}


def _said(text: str, words: Mapping[str, float], memo: Memo) -> _Said:
    """The lines that say a word, each once for each word."""
    unknown = [word for word in words if word not in memo]
    if unknown:
        folded = text.casefold()
        lowered = folded if len(folded) == len(text) else text  # else lines could have moved
        for word in unknown:
            memo[word] = array("i", _lines_with(word, lowered, OFTEN))
    found = sorted((line, number) for number, word in enumerate(words) for line in memo[word])
    names = list(words)
    return _Said([line for line, _ in found], [names[number] for _, number in found])


def _lines_with(word: str, text: str, most: int = -1) -> Iterable[int]:
    """The lines that hold the word, each once, ascending; by the first ``most`` places in the text.

    Split and counted, not searched from place to place: it all happens in C.
    """
    pieces = text.split(word, most)
    if len(pieces) == 1:
        return ()
    pieces.pop()
    return dict.fromkeys(
        accumulate([piece.count("\n") for piece in pieces[1:]], initial=1 + pieces[0].count("\n"))
    )


def _worth(chunk: Chunk, named: float, said: Iterable[str], words: Mapping[str, float], line: int) -> float:
    """``named`` is what its symbol's name says; ``said``: the words of its lines, once a line."""
    counts: dict[str, int] = {}
    for word in said:
        counts[word] = counts.get(word, 0) + 1
    worth = sum([words[word] * (1 + math.log(times)) for word, times in counts.items()])
    worth += IN_NAME * named
    worth /= 1 + LENGTH * math.log1p(chunk.end_line - chunk.line)
    return worth + (AT_LINE if chunk.line <= line <= chunk.end_line else 0.0)


def _loudest(said: _Said, words: Mapping[str, float], first: int, last: int, line: int) -> int:
    """Which of the lines says most, as an index; the first of them where several or none do."""
    worth: dict[int, float] = {}
    low = bisect_left(said.lines, first)
    for at in range(low, bisect_right(said.lines, last, low)):
        number = said.lines[at]
        worth[number] = worth.get(number, 0.0) + words[said.words[at]]
    if first <= line <= last:
        worth[line] = worth.get(line, 0.0) + AT_LINE
    loudest = max(worth, key=lambda number: (worth[number], -number), default=first)
    return loudest - first if worth.get(loudest, 0.0) > 0 else 0


def _windows(count: int) -> list[Chunk]:
    """The whole as windows of lines, none of them holding a symbol."""
    return [Chunk(start, min(start + WINDOW - 1, count), 0) for start in range(1, count + 1, WINDOW)]
