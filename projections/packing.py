"""Ranked files into a small answer: one item a file, with its best chunk, within a budget of tokens.

The limit counts files. The budget drops text, never pointers: where the pointers alone cost more than the
budget, they are all there is. Looking at the disk and counting tokens are the caller's; ages are as of
``now``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from navlog.projections.choosing import Memo, Part, best_part
from navlog.projections.ranking import Ranked
from navlog.projections.rendering import indented, pointer
from navlog.projections.views import FileView
from navlog.schemas.wire import Item, State

# No text takes more than this share of what is left: the first hit is the likeliest, not the only one.
SHARE = 1 / 3
CUT = "…"


class Look(NamedTuple):
    """What is on the disk now: FRESH with the text that was indexed, STALE with another one, GONE without.

    ``memo`` is what was looked for in this very text before.
    """

    state: State
    text: str
    memo: Memo | None = None


def pack(
    ranked: Sequence[Ranked],
    files: Mapping[str, FileView],
    words: Mapping[str, float],
    *,
    look: Callable[[FileView], Look],
    count: Callable[[str], int],
    limit: int,
    budget: int,
    now: float,
) -> tuple[list[Item], int]:
    """(items in the order of ``ranked``, their tokens as rendered); ``words`` weighs what to show."""
    chosen = [_choose(hit, files[hit.path], words, look, now) for hit in ranked[:limit] if hit.path in files]
    bare = [count(pointer(item)) for item, _ in chosen]
    spent = sum(bare)
    items: list[Item] = []
    for place, (item, part) in enumerate(chosen):
        room = int(max((budget - spent) * SHARE, (budget - spent) / (len(chosen) - place)))
        filled, cost = _fill(item, part, bare[place] + room, count)
        if filled is not item:
            spent += cost - bare[place]
        items.append(filled)
    return items, spent


def _choose(
    hit: Ranked, file: FileView, words: Mapping[str, float], look: Callable[[FileView], Look], now: float
) -> tuple[Item, Part]:
    """The item without its text, and the part of the file it is to show.

    A text that is still what was indexed is searched for the words it holds only; another one for all.
    """
    seen = look(file)
    held = words if seen.state == "STALE" else {word: words[word] for word in hit.words}
    part = best_part(file, seen.text, held, hit.line, seen.memo)
    symbol = file.symbols[part.symbol] if part.symbol >= 0 else None
    item = Item(
        path=file.path,
        line=part.line,
        end_line=part.end_line,
        symbol=_qualified(file, part.symbol),
        kind=symbol.kind if symbol else "file",
        score=round(hit.score, 4),
        reason=hit.reason,
        state=seen.state,
        age_s=round(max(0.0, now - file.changed_at), 1),
        text="",
    )
    return item, part


def _fill(item: Item, part: Part, room: int, count: Callable[[str], int]) -> tuple[Item, int]:
    """(the item with as much of the part's text, around its best line, as costs ``room`` at most in all, its
    tokens); the item itself and 0 where not a line has room."""
    head = pointer(item)

    def cost(text: str) -> int:
        return count("\n".join([head, *indented(text)]))

    text = "\n".join(part.lines)
    tokens = cost(text)
    if tokens <= room:
        return msgspec.structs.replace(item, text=text), tokens
    low, high = 0, len(part.lines)
    best, best_tokens = "", 0
    while low < high:
        middle = (low + high + 1) // 2
        text = _around(part, middle)
        tokens = cost(text)
        if tokens <= room:
            low, best, best_tokens = middle, text, tokens
        else:
            high = middle - 1
    return (msgspec.structs.replace(item, text=best), best_tokens) if best_tokens else (item, 0)


def _around(part: Part, size: int) -> str:
    """The first line, then ``size`` lines at most around the best one; what is left out is marked."""
    start = max(0, min(part.best - size // 3, len(part.lines) - size))
    shown = list(part.lines[start : start + size])
    if start > 0:
        shown[:0] = [part.lines[0], CUT] if start > 1 else [part.lines[0]]
    if start + size < len(part.lines):
        shown.append(CUT)
    return "\n".join(shown)


def _qualified(file: FileView, number: int) -> str:
    """The symbol with the names of what encloses it."""
    names: list[str] = []
    while 0 <= number < len(file.symbols) and len(names) < 8:
        names.append(file.symbols[number].name)
        number = file.symbols[number].parent
    return ".".join(reversed(names))
