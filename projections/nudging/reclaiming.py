"""Reclaim by itself: which spent outputs are set aside unasked, where a person switched that on.

Pure. Chosen are tool results alone, and only those that the stored measurement calls reclaimable: nothing of
the protected window, no word of a person or the model. What was superseded goes first (a file read again
later, a test run repeated), then what has been carried at the highest cost: its tokens times the tags since.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from navlog.projections.nudging.bands import level, severity
from navlog.projections.nudging.hints import is_left_out, words_of
from navlog.projections.nudging.tail import Counted, stable_json
from navlog.schemas.nudges import MeasuredPart, TailTag
from navlog.schemas.settings import Nudge

_READS = frozenset({"read", "view", "cat"})
_PATHS = ("filePath", "file_path", "path", "absolute_path", "notebook_path")
# What a call says about itself, or how long it may take, changes nothing of what it looks at.
_ASIDE = frozenset({"description", "timeout"})
# The newer one has to be there still for the older one to be needless.
_THERE = frozenset({"reclaimable", "protected", "recent_reduce"})


class Subject(NamedTuple):
    """What a call looked at. ``first`` and ``last`` are lines of a file, both included."""

    name: str
    first: int = 1
    last: float = math.inf

    def covers(self, other: "Subject") -> bool:
        """Whether this look shows all that the other one showed."""
        return self.name == other.name and self.first <= other.first and self.last >= other.last


class Spent(NamedTuple):
    """A tool's arc: its tag, the local tokens of call and result, and the reason code it was measured with.

    ``subject`` is None where nobody knows what it looked at: then it supersedes nothing.
    """

    tag: int
    tool: str
    tokens: int
    code: str
    subject: Subject | None = None


class Tail(NamedTuple):
    """The stored measurement: ``u`` and ``t`` in provider tokens, ``ratio`` from local tokens to these."""

    u: int
    t: int
    ratio: float = 1.0


def subject(tool: str, given: Any) -> Subject | None:
    """What a call of ``tool`` with the input ``given`` looks at; None for an input that says nothing."""
    if not isinstance(given, Mapping) or not given:
        return None
    path = next((given[name] for name in _PATHS if isinstance(given.get(name), str)), "")
    if path and words_of(tool) & _READS:
        return Subject(f"read {path}", *_lines(given.get("offset"), given.get("limit")))
    asked = {key: _plain(value) for key, value in given.items() if key not in _ASIDE}
    return Subject(f"{tool.lower()} {stable_json(asked)}") if asked else None


def arcs(
    parts: Iterable[tuple[MeasuredPart, Counted]], tags: Iterable[TailTag], subjects: Mapping[str, Subject]
) -> list[Spent]:
    """The arcs that have a result, the oldest first; a call that still runs is none.

    ``parts`` are as measured and as counted, ``subjects`` by the block of the call.
    """
    codes: dict[int, str] = {}
    tokens: Counter[int] = Counter()
    for part, counted in parts:
        tokens[part.tag] += part.tokens
        if counted.kind == "result":
            codes[part.tag] = part.code
    return [
        Spent(tag.number, tag.tool, tokens[tag.number], codes[tag.number], subjects.get(tag.block))
        for tag in tags
        if tag.kind == "tool" and tag.number in codes
    ]


def superseded(spent: Iterable[Spent]) -> set[int]:
    """The tags of looks that a later one, still in the tail, repeats or covers."""
    later: dict[str, list[Subject]] = defaultdict(list)
    found = set()
    for arc in sorted(spent, key=lambda one: -one.tag):
        if arc.subject is None or arc.code not in _THERE:
            continue
        same = later[arc.subject.name]
        if any(one.covers(arc.subject) for one in same):
            found.add(arc.tag)
        else:
            same.append(arc.subject)
    return found


def chosen(spent: Sequence[Spent], tail: Tail, settings: Nudge) -> list[int]:
    """Tags to queue, the first to go first: as few as bring the severity to ``reclaim_to``, or all there are.

    Nothing while it is switched off, the tail is quiet, or its severity is below ``reclaim_from``.
    """
    if not settings.reclaim or level(tail.u, tail.t, settings) == "quiet":
        return []
    if severity(tail.u, tail.t) < settings.reclaim_from:
        return []
    excess = tail.u - settings.reclaim_to * tail.t
    taken: list[int] = []
    for arc in order(spent, settings):
        if excess <= 0:
            break
        taken.append(arc.tag)
        excess -= arc.tokens * tail.ratio
    return taken


def order(spent: Sequence[Spent], settings: Nudge) -> list[Spent]:
    """What may go, in the order in which it goes. Small ones are not worth a hole in the conversation."""
    newest = max((arc.tag for arc in spent), default=0)
    again = superseded(spent)
    may = [
        arc
        for arc in spent
        if arc.code == "reclaimable" and arc.tokens >= settings.hint_tokens and not is_left_out(arc.tool)
    ]
    return sorted(may, key=lambda arc: (arc.tag not in again, -arc.tokens * (newest - arc.tag), arc.tag))


def _lines(offset: Any, limit: Any) -> tuple[int, float]:
    """A read's lines; without a limit to the end, as far as the tool shows it."""
    first = offset if isinstance(offset, int) and offset > 0 else 1
    return first, first + limit - 1 if isinstance(limit, int) and limit > 0 else math.inf


def _plain(value: Any) -> Any:
    return " ".join(value.split()) if isinstance(value, str) else value
