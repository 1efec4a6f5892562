"""{U, T}: how many tokens the tail has, and how many of them could be given up. Every part has its reason.

The rule in plain words, of a whole tail at once: what the golden data is checked against, and what
`navlog.projections.nudging.ledger`, which measures the same step by step, is checked against in turn.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from navlog.projections.nudging.tail import Counted
from navlog.projections.nudging.window import Output, calibrated, cutoff
from navlog.schemas.nudges import MeasuredPart, TailTag
from navlog.schemas.settings import Nudge

CODES: Mapping[str, str] = {
    "reclaimable": "could be given up",
    "protected": "among the newest tool results",
    "recent_reduce": "one of the newest calls of the reduce tool",
    "queued": "queued for dropping",
    "untagged": "has no tag",
    "dropped": "its tag was dropped",
    "synthetic": "not from the user or the model",
    "ignored": "not shown to the model",
    "reasoning": "reasoning",
    "other": "of a kind that is not counted",
    "empty": "empty",
    "placeholder": "only says that something was here",
}
IN_TAIL = frozenset({"reclaimable", "protected", "recent_reduce", "queued", "untagged", "dropped"})


class Arranged(NamedTuple):
    """The parts with their tags: what stays as long as the parts do, whatever becomes of them.

    ``numbers`` is each part's tag number (-1: none), ``arcs`` joins calls and results by index both ways,
    ``masses`` the local tokens of each tool tag's output.
    """

    parts: Sequence[Counted]
    tags: Sequence[TailTag]
    numbers: list[int]
    arcs: Mapping[int, int]
    masses: Mapping[int, int]


class Standing(NamedTuple):
    """What has become of the tags, and by what the tokens are calibrated.

    ``floor`` is in provider tokens; ``reduce_tool`` the name of that tool. ``masses``: the tokens of outputs
    by tag, where they are known better than from the tail as it is now.
    """

    queued: frozenset[int] = frozenset()
    dropped: frozenset[int] = frozenset()
    floor: int = 0
    reduce_tool: str = ""
    tool_ratio: float = 1.0
    prose_ratio: float = 1.0
    masses: Mapping[int, int] = {}


class Measurement(NamedTuple):
    """``outputs`` counts the spent tool outputs in U; ``cutoff`` is the oldest tag ``floor`` protects."""

    u: int
    t: int
    parts: list[MeasuredPart]
    cutoff: int | None
    outputs: int
    floor: int = 0


def arrange(parts: Sequence[Counted], tags: Sequence[TailTag]) -> Arranged:
    """Which part has which tag, by block, by arc, or by a call id that stands for one arc alone."""
    arcs = _arcs(parts)
    numbers = _numbers(parts, arcs, tags)
    masses: dict[int, int] = defaultdict(int)
    for part, number in zip(parts, numbers, strict=True):
        if part.kind == "result" and number >= 0:
            masses[number] += part.tokens
    return Arranged(parts, tags, numbers, arcs, masses)


def measure(tail: Arranged, standing: Standing, settings: Nudge) -> Measurement:
    """The whole tail at once. Local tokens are summed by their unit, then calibrated, and rounded up once."""
    tools = [tag for tag in tail.tags if tag.kind == "tool" and tag.number not in standing.dropped]
    masses = {**tail.masses, **standing.masses}
    outputs = [Output(tag.number, masses.get(tag.number)) for tag in tools]
    cut = cutoff(outputs, standing.floor, settings, standing.tool_ratio)
    codes = _codes(tail, _codes_of(tail.tags, tools, cut, standing, settings))
    measured = []
    whole, spent = _empty(), _empty()
    for part, tag, code in zip(tail.parts, tail.numbers, codes, strict=True):
        measured.append(MeasuredPart(part.block, tag, part.tokens, code))
        if code in IN_TAIL:
            whole[part.unit] += part.tokens
            if code == "reclaimable":
                spent[part.unit] += part.tokens
    u, t = _calibrated(spent, standing), _calibrated(whole, standing)
    return Measurement(
        min(max(0, u), max(0, t)), t, measured, cut, _spent_outputs(measured, tools), standing.floor
    )


def _arcs(parts: Sequence[Counted]) -> dict[int, int]:
    """Calls and results that belong together, by index, both ways. An id may come again, in order."""
    open_: dict[str, list[int]] = defaultdict(list)
    arcs: dict[int, int] = {}
    for index, part in enumerate(parts):
        if part.kind == "call":
            open_[part.call].append(index)
        elif part.kind == "result" and open_[part.call]:
            call = open_[part.call].pop(0)
            arcs[call], arcs[index] = index, call
    return arcs


def _numbers(parts: Sequence[Counted], arcs: Mapping[int, int], tags: Iterable[TailTag]) -> list[int]:
    """Each part's tag number, -1 for none."""
    known = {tag.block: tag.number for tag in tags}
    numbers = [known.get(part.block, -1) for part in parts]
    calls = Counter(part.call for part in parts if part.kind == "call")
    for index, part in enumerate(parts):
        if numbers[index] < 0 and part.kind in ("call", "result"):
            partner = arcs.get(index)
            numbers[index] = known.get(parts[partner].block, -1) if partner is not None else -1
            if numbers[index] < 0 and calls[part.call] <= 1:
                numbers[index] = known.get(part.call, -1)
    return numbers


def _codes_of(
    tags: Iterable[TailTag],
    tools: Sequence[TailTag],
    cut: int | None,
    standing: Standing,
    settings: Nudge,
) -> dict[int, str]:
    """The reason code of each tag; where two apply, the later one here."""
    codes = dict.fromkeys((tag.number for tag in tags), "reclaimable")
    if cut is not None:
        codes.update((tag.number, "protected") for tag in tools if tag.number >= cut)
    codes.update(dict.fromkeys(_newest_reduces(tools, standing.reduce_tool, settings), "recent_reduce"))
    codes.update(dict.fromkeys(standing.queued, "queued"))
    codes.update(dict.fromkeys(standing.dropped, "dropped"))
    return codes


def _newest_reduces(tools: Iterable[TailTag], reduce_tool: str, settings: Nudge) -> list[int]:
    calls = sorted((tag.number for tag in tools if reduce_tool and tag.tool == reduce_tool), reverse=True)
    return calls[: settings.recent_reduces]


def _codes(tail: Arranged, codes: Mapping[int, str]) -> list[str]:
    """The reason code of each part: its own, its tag's, or that its pair is only a placeholder."""
    parts = tail.parts
    found = [
        part.code or codes.get(number, "untagged") for part, number in zip(parts, tail.numbers, strict=True)
    ]
    for index, partner in tail.arcs.items():
        if parts[partner].code == "placeholder":
            found[index] = parts[index].code or "placeholder"
    return found


def _spent_outputs(measured: Iterable[MeasuredPart], tools: Iterable[TailTag]) -> int:
    spent = {part.tag for part in measured if part.code == "reclaimable"}
    return sum(tag.number in spent for tag in tools)


def _empty() -> dict[str, int]:
    return {"tool": 0, "prose": 0, "image": 0, "": 0}


def _calibrated(sums: Mapping[str, int], standing: Standing) -> int:
    return calibrated(
        sums["tool"] * standing.tool_ratio + sums["prose"] * standing.prose_ratio + sums["image"]
    )
