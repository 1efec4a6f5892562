"""What a change of a file changed: which lines, and which definitions in which way.

Two sides are compared. Where the text before is known, by lines; where only its outline is, by what the
outline says (a definition of the same signature, length and tokens counts as unchanged then, and no line is
named). Definitions are known by their qualified name: one that has another name now is removed and added.
"""

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from navlog.schemas.events import Chunk, Symbol
from navlog.schemas.slices import How, SymbolChange

# Lines that differ in one piece, beyond which how they differ is not worked out: it grows with the square.
LONGEST = 1500
CALLABLES = frozenset({"function", "method", "macro"})
TYPES = frozenset({"class", "interface", "trait", "enum", "struct", "type"})
VALUES = frozenset({"variable", "constant", "property", "key"})
# The order in which changes are told: what breaks others first.
ORDER: tuple[How, ...] = ("removed", "signature", "moved", "deprecated", "body", "added")


class Side(NamedTuple):
    """A content: what its outline says, and its lines without their ends (None: not known any more)."""

    symbols: Sequence[Symbol]
    chunks: Sequence[Chunk]
    lines: Sequence[str] | None


NOTHING = Side((), (), ())


class Hunk(NamedTuple):
    """Lines [first, end) are there instead of [old_first, old_end); counted from 0."""

    old_first: int
    old_end: int
    first: int
    end: int


class Diff(NamedTuple):
    """``changes`` in `ORDER`; ``numbers`` are the changed definitions on the new side, ``gone`` on the old.

    ``lines`` are the changed lines of the new text, from 1, both ends included; empty when no text before is
    known. ``loose``: lines outside of every definition changed.
    """

    changes: list[SymbolChange]
    numbers: list[int]
    gone: list[int]
    lines: list[tuple[int, int]]
    loose: bool


def compare(before: Side, after: Side) -> Diff:
    """What leads from ``before`` to ``after``."""
    hunks = (
        diff_lines(before.lines, after.lines)
        if before.lines is not None and after.lines is not None
        else None
    )
    old, new = names(before.symbols), names(after.symbols)
    moved = dict(_moves(before.symbols, after.symbols, old, new))
    touched, loose = _touched(before, after, hunks, old, new)
    changes = [
        *_gone(before.symbols, old, new, moved),
        *_come(after.symbols, old, new, moved),
        *_kept(before, after, old, new, touched),
    ]
    changes.sort(key=lambda change: (ORDER.index(change.how), change.line, change.name))
    return Diff(
        changes=changes,
        numbers=[
            new[one.name if one.how != "moved" else one.after] for one in changes if one.how != "removed"
        ],
        gone=[old[one.name] for one in changes if one.how == "removed"],
        lines=[(hunk.first + 1, hunk.end) for hunk in hunks or () if hunk.end > hunk.first],
        loose=loose,
    )


def diff_lines(before: Sequence[str], after: Sequence[str]) -> list[Hunk]:
    """Where the texts differ, in order."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    tail = 0
    while tail < min(len(before), len(after)) - start and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    left, right = before[start : len(before) - tail], after[start : len(after) - tail]
    if not left and not right:
        return []
    if not left or not right or max(len(left), len(right)) > LONGEST:
        return [Hunk(start, start + len(left), start, start + len(right))]
    codes = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    return [Hunk(start + a, start + b, start + c, start + d) for tag, a, b, c, d in codes if tag != "equal"]


def names(symbols: Sequence[Symbol]) -> dict[str, int]:
    """Qualified name -> number; the second of a name is ``name#2``."""
    found: dict[str, int] = {}
    said: list[str] = []
    for number, symbol in enumerate(symbols):
        owner = said[symbol.parent] if 0 <= symbol.parent < number else ""
        name = f"{owner}.{symbol.name}" if owner else symbol.name
        said.append(name)
        again = 2
        unique = name
        while unique in found:
            unique, again = f"{name}#{again}", again + 1
        found[unique] = number
    return found


def owners(side: Side) -> list[int]:
    """For each line, from 0, the definition it belongs to, decorators and comments above included; else -1.

    A value inside of a function is the function's business.
    """
    last = max((symbol.end_line for symbol in side.symbols), default=0)
    found = [-1] * max(last, len(side.lines or ()), max((chunk.end_line for chunk in side.chunks), default=0))
    for chunk in side.chunks:
        found[chunk.line - 1 : chunk.end_line] = [chunk.symbol] * (chunk.end_line - chunk.line + 1)
    for number, symbol in enumerate(side.symbols):
        length = max(0, symbol.end_line - symbol.line + 1)
        found[symbol.line - 1 : symbol.end_line] = [_told_by(side.symbols, number)] * length
    return found


def is_public(name: str, kind: str) -> bool:
    """Whether others may rely on a definition: no part of its name is private by its underscore."""
    parts = name.partition("#")[0].split(".")
    hidden = any(part.startswith("_") and not part.endswith("__") for part in parts)
    return kind in CALLABLES | TYPES and not hidden


def _moves(
    before: Sequence[Symbol], after: Sequence[Symbol], old: dict[str, int], new: dict[str, int]
) -> Iterator[tuple[str, str]]:
    """Definitions of the same name and kind that stand in another owner now, where there is one of each."""
    gone, come = _by_kind(before, old.keys() - new.keys(), old), _by_kind(after, new.keys() - old.keys(), new)
    for kind in sorted(gone.keys() & come.keys()):
        if len(gone[kind]) == len(come[kind]) == 1:
            yield gone[kind][0], come[kind][0]


def _by_kind(
    symbols: Sequence[Symbol], names: Iterable[str], numbers: dict[str, int]
) -> dict[tuple[str, bool], list[str]]:
    found: dict[tuple[str, bool], list[str]] = {}
    for name in sorted(names):
        symbol = symbols[numbers[name]]
        if symbol.kind in CALLABLES | TYPES:
            found.setdefault((symbol.name, symbol.kind in CALLABLES), []).append(name)
    return found


def _gone(
    symbols: Sequence[Symbol], old: dict[str, int], new: dict[str, int], moved: dict[str, str]
) -> Iterator[SymbolChange]:
    away = {number for name, number in old.items() if name not in new and name not in moved}
    for name, number in old.items():
        symbol = symbols[number]
        if name in moved:
            yield SymbolChange(name, symbol.kind, "moved", 0, before=name, after=moved[name])
        elif number in away and _tells(symbols, number, away):
            yield SymbolChange(name, symbol.kind, "removed", 0, before=symbol.signature)


def _come(
    symbols: Sequence[Symbol], old: dict[str, int], new: dict[str, int], moved: dict[str, str]
) -> Iterator[SymbolChange]:
    arrived = set(moved.values())
    come = {number for name, number in new.items() if name not in old and name not in arrived}
    for name, number in new.items():
        symbol = symbols[number]
        if number in come and _tells(symbols, number, come):
            yield SymbolChange(name, symbol.kind, "added", symbol.line, after=symbol.signature)


def _told_by(symbols: Sequence[Symbol], number: int) -> int:
    """The definition that speaks for this one: itself, or the function around a value."""
    while symbols[number].kind in VALUES:
        parent = symbols[number].parent
        if parent < 0 or symbols[parent].kind not in CALLABLES:
            break
        number = parent
    return number


def _tells(symbols: Sequence[Symbol], number: int, others: set[int]) -> bool:
    """Whether it is a change of its own: not if its owner came or went with it."""
    parent = symbols[number].parent
    return parent not in others and _told_by(symbols, number) == number


def _kept(
    before: Side, after: Side, old: dict[str, int], new: dict[str, int], touched: set[str]
) -> Iterator[SymbolChange]:
    for name in old.keys() & new.keys():
        was, now = before.symbols[old[name]], after.symbols[new[name]]
        how = _how(was, now, touched=name in touched)
        if how == "body" and _text(before, old[name]) == _text(after, new[name]) is not None:
            how = "moved"
        if how:
            said = (was.signature, now.signature) if was.signature != now.signature else ("", "")
            said = (name, name) if how == "moved" else said
            yield SymbolChange(name, now.kind, how, now.line, *said)


def _how(was: Symbol, now: Symbol, *, touched: bool) -> How | None:
    if now.deprecated and not was.deprecated:
        return "deprecated"
    if was.signature != now.signature and now.kind not in VALUES:
        return "signature"
    return "body" if touched else None


def _text(side: Side, number: int) -> Sequence[str] | None:
    """A definition's lines, with the decorators and comments that its chunk begins with."""
    symbol = side.symbols[number]
    first = next((chunk.line for chunk in side.chunks if chunk.symbol == number), symbol.line)
    return None if side.lines is None else side.lines[min(first, symbol.line) - 1 : symbol.end_line]


def _touched(
    before: Side, after: Side, hunks: list[Hunk] | None, old: dict[str, int], new: dict[str, int]
) -> tuple[set[str], bool]:
    """The names of the definitions in which lines changed, and whether lines outside of all did."""
    if hunks is None:
        return _unlike(before, after, old, new), False
    left = _owning(before, [(hunk.old_first, hunk.old_end) for hunk in hunks])
    right = _owning(after, [(hunk.first, hunk.end) for hunk in hunks])
    called = {number: name for name, number in old.items()}, {number: name for name, number in new.items()}
    found = {called[0][one] for one in left if one >= 0} | {called[1][one] for one in right if one >= 0}
    return found, -1 in left | right


def _owning(side: Side, spans: Sequence[tuple[int, int]]) -> set[int]:
    """The definitions that the lines of the spans belong to, blank ones left out; -1 for those of none."""
    lines, whose = side.lines or (), owners(side) if spans else []
    return {whose[line] for first, end in spans for line in range(first, end) if lines[line].strip()}


def _unlike(before: Side, after: Side, old: dict[str, int], new: dict[str, int]) -> set[str]:
    """By outlines alone: definitions of another length, or whose chunks count other tokens.

    One that holds another such definition is not told: it is longer because of that one.
    """
    left, right = _tokens(before), _tokens(after)
    found = {
        name
        for name in old.keys() & new.keys()
        if left.get(old[name]) != right.get(new[name])
        or _length(before.symbols[old[name]]) != _length(after.symbols[new[name]])
        or before.symbols[old[name]].signature != after.symbols[new[name]].signature
    }
    inner = found | (old.keys() ^ new.keys())
    return {name for name in found if not any(one.startswith(f"{name}.") for one in inner)}


def _tokens(side: Side) -> dict[int, int]:
    counts: dict[int, int] = {}
    for chunk in side.chunks:
        counts[chunk.symbol] = counts.get(chunk.symbol, 0) + chunk.tokens
    return counts


def _length(symbol: Symbol) -> int:
    return symbol.end_line - symbol.line
