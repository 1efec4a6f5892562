"""The part of a file a task is about: the chunk whose lines say most of the task's words.

Works on the text as it is now and the chunks as they were indexed; where there are none, on windows of lines.
Words are looked for as parts of the text (``cookie`` in ``set_cookies``): it takes a fraction of the time
of cutting a text into terms, and errs on the side of finding.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
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


def best_part(file: FileView, text: str, words: Mapping[str, float], line: int = 0) -> Part:
    """The part to show; without text the first chunk's pointer. ``line``: one the task names, or 0."""
    lines = text.split("\n") if text else []
    chunks = [chunk for chunk in file.chunks if chunk.line <= len(lines)] or _windows(len(lines))
    if not chunks:
        first = file.chunks[0] if file.chunks else Chunk(1, 1, 0)
        return Part(first.line, first.end_line, first.symbol, (), 0)
    said, naming = _said(text, words), _naming(file, words)
    chunk = _best(chunks, said, naming, words, line)
    end = min(chunk.end_line, len(lines))
    inside = [_line_worth(said, number, line) for number in range(chunk.line, end + 1)]
    return Part(chunk.line, end, chunk.symbol, lines[chunk.line - 1 : end], inside.index(max(inside)))


def _best(
    chunks: Sequence[Chunk],
    said: Mapping[int, Mapping[str, float]],
    naming: Mapping[int, float],
    words: Mapping[str, float],
    line: int,
) -> Chunk:
    """The first of the chunks that say most; the first of all where none says anything."""
    best, most = chunks[0], 0.0
    speaking = sorted(said)
    for chunk in chunks:
        low, high = bisect_left(speaking, chunk.line), bisect_right(speaking, chunk.end_line)
        named = naming.get(chunk.symbol, 0.0)
        if low < high or named or chunk.line <= line <= chunk.end_line:
            worth = _worth(chunk, named, [said[number] for number in speaking[low:high]], words, line)
            if worth > most or (worth == most and chunk.line < best.line):
                best, most = chunk, worth
    return best


def _naming(file: FileView, words: Mapping[str, float]) -> dict[int, float]:
    """What the words in each symbol's name weigh, by the symbol's number; only of those that say any."""
    names = "\n".join([symbol.name for symbol in file.symbols]).casefold()
    worth: dict[int, float] = {}
    for word, weight in words.items():
        number, start, at = 0, 0, names.find(word)
        while at >= 0:
            number += names.count("\n", start, at)
            worth[number] = worth.get(number, 0.0) + weight
            end = names.find("\n", at)
            if end < 0:
                break
            number, start = number + 1, end + 1  # once a name
            at = names.find(word, start)
    return {number: named for number, named in worth.items() if named}


def _said(text: str, words: Mapping[str, float]) -> dict[int, dict[str, float]]:
    """Line number -> the words it says, with their weights."""
    folded = text.casefold()
    lowered = folded if len(folded) == len(text) else text
    found: dict[int, dict[str, float]] = {}
    for word, weight in words.items():
        line, before, at = 1, 0, lowered.find(word)
        for _ in range(OFTEN):
            if at < 0:
                break
            line += text.count("\n", before, at)
            found.setdefault(line, {})[word] = weight
            before = at
            at = lowered.find(word, at + len(word))
    return found


def _worth(
    chunk: Chunk,
    named: float,
    said: Iterable[Mapping[str, float]],
    words: Mapping[str, float],
    line: int,
) -> float:
    """``named`` is what its symbol's name says; ``said``: the words of each of its lines that says any."""
    counts: dict[str, int] = {}
    for spoken in said:
        for word in spoken:
            counts[word] = counts.get(word, 0) + 1
    worth = sum(words[word] * (1 + math.log(times)) for word, times in counts.items())
    worth += IN_NAME * named
    worth /= 1 + LENGTH * math.log1p(chunk.end_line - chunk.line)
    return worth + (AT_LINE if chunk.line <= line <= chunk.end_line else 0.0)


def _line_worth(said: Mapping[int, Mapping[str, float]], number: int, line: int) -> float:
    return sum(said.get(number, {}).values()) + (AT_LINE if number == line else 0.0)


def _windows(count: int) -> list[Chunk]:
    """The whole as windows of lines, none of them holding a symbol."""
    return [Chunk(start, min(start + WINDOW - 1, count), 0) for start in range(1, count + 1, WINDOW)]
