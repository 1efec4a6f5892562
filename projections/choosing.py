"""The part of a file a task is about: the chunk whose lines say most of the task's words.

Works on the text as it is now and the chunks as they were indexed; where there are none, on windows of lines.
Words are looked for as parts of the text (``cookie`` in ``set_cookies``): it takes a fraction of the time
of cutting a text into terms, and errs on the side of finding.
"""

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
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
    said = _said(text, lines, words)
    chunk = max(chunks, key=lambda chunk: (_worth(file, chunk, said, words, line), -chunk.line))
    end = min(chunk.end_line, len(lines))
    inside = [_line_worth(said, number, line) for number in range(chunk.line, end + 1)]
    return Part(chunk.line, end, chunk.symbol, lines[chunk.line - 1 : end], inside.index(max(inside)))


def _said(text: str, lines: Sequence[str], words: Mapping[str, float]) -> dict[int, dict[str, float]]:
    """Line number -> the words it says, with their weights."""
    lowered = text.casefold() if len(text.casefold()) == len(text) else text
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    found: dict[int, dict[str, float]] = {}
    for word, weight in words.items():
        at = lowered.find(word)
        for _ in range(OFTEN):
            if at < 0:
                break
            found.setdefault(bisect_right(starts, at), {})[word] = weight
            at = lowered.find(word, at + len(word))
    return found


def _worth(
    file: FileView,
    chunk: Chunk,
    said: Mapping[int, Mapping[str, float]],
    words: Mapping[str, float],
    line: int,
) -> float:
    counts: dict[str, int] = {}
    for number in range(chunk.line, chunk.end_line + 1):
        for word in said.get(number, ()):
            counts[word] = counts.get(word, 0) + 1
    worth = sum(words[word] * (1 + math.log(times)) for word, times in counts.items())
    name = file.symbols[chunk.symbol].name.casefold() if 0 <= chunk.symbol < len(file.symbols) else ""
    worth += IN_NAME * sum(weight for word, weight in words.items() if word in name)
    worth /= 1 + LENGTH * math.log1p(chunk.end_line - chunk.line)
    return worth + (AT_LINE if chunk.line <= line <= chunk.end_line else 0.0)


def _line_worth(said: Mapping[int, Mapping[str, float]], number: int, line: int) -> float:
    return sum(said.get(number, {}).values()) + (AT_LINE if number == line else 0.0)


def _windows(count: int) -> list[Chunk]:
    """The whole as windows of lines, none of them holding a symbol."""
    return [Chunk(start, min(start + WINDOW - 1, count), 0) for start in range(1, count + 1, WINDOW)]
