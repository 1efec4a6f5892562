"""Tags: numbers for the parts of a tail, what a model may do with them, and what it must not bring back."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from navlog.projections.nudging.tail import Counted
from navlog.schemas.errors import UsageError
from navlog.schemas.nudges import TailTag

REDUCE = "ctx_reduce"
_REDUCE = re.compile(rf"(?:\A|[_.:/-]){REDUCE}\Z")
_MARK = re.compile(r"^[ \t]*(?:§\d+§[ \t]?)+", re.MULTILINE)
_PLACEHOLDER = re.compile(r"\[(?:dropped|truncated) §\d+§\]")
_RANGE = re.compile(r"(\d{1,9})(?:\s*-\s*(\d{1,9}))?")
KINDS: Mapping[str, Literal["message", "tool", "file"]] = {
    "text": "message", "call": "tool", "result": "tool", "file": "file",
}  # fmt: skip


class Reduction(NamedTuple):
    """The answer to a reduce: what was queued, and what was refused with the reason."""

    queued: list[int]
    refused: list[tuple[str, str]]


def is_reduce(tool: str) -> bool:
    """Whether a tool of that name is the reduce tool, by whatever server's prefix it is known."""
    return _REDUCE.search(tool) is not None


def numbered(parts: Iterable[Counted], known: Sequence[TailTag]) -> list[TailTag]:
    """Tags for what has none yet, in order of appearance: a text, a tool's call with its result, a file."""
    blocks = {tag.block for tag in known}
    number = max((tag.number for tag in known), default=0)
    open_: list[str] = []
    new: list[TailTag] = []
    for part in parts:
        if part.kind == "call":
            open_.append(part.call)
        elif part.kind == "result" and part.call in open_:
            open_.remove(part.call)
            continue  # it has its call's tag
        if not part.code and part.block not in blocks:
            number += 1
            new.append(TailTag(number, part.block, KINDS[part.kind], part.tool))
    return new


def marked(text: str, number: int) -> str:
    """A part as the model sees it where we may edit what it sees; never marked twice."""
    return f"{mark(number)}{unmarked(text)}"


def mark(number: int) -> str:
    """What a part of that number begins with."""
    return f"§{number}§ "


def unmarked(text: str) -> str:
    """What came back from a model, without the tags that it echoed at the beginning of lines."""
    return _MARK.sub("", text)


def placeholder(number: int, *, truncated: bool = False) -> str:
    """What stands where a dropped part was."""
    return f"[{'truncated' if truncated else 'dropped'} §{number}§]"


def holds_placeholder(value: Any) -> bool:
    """Whether a tool's input holds a placeholder that a model copied: such a call must not run."""
    if isinstance(value, str):
        return _PLACEHOLDER.search(value) is not None
    if isinstance(value, Mapping):
        return any(holds_placeholder(one) for pair in value.items() for one in pair)
    return isinstance(value, list | tuple) and any(map(holds_placeholder, value))


def parsed(drop: str) -> list[tuple[int, int]]:
    """ "3-5,8" as ranges, both ends included; raises `UsageError` for anything else."""
    ranges = []
    for piece in drop.replace("§", "").split(","):
        found = _RANGE.fullmatch(piece.strip())
        if found is None or int(found[2] or found[1]) < int(found[1]):
            raise UsageError(
                f"“{piece.strip()}” is no tag and no range of tags.",
                hint='Name tags like this: ctx_reduce(drop: "3-5,8").',
            )
        ranges.append((int(found[1]), int(found[2] or found[1])))
    return ranges


def reduction(drop: str, standing: Mapping[int, str]) -> Reduction:
    """What of ``drop`` is queued. ``standing`` maps each tag of the session to its reason code.

    A range names the tags that are in it; one without any is refused whole, however long it is.
    """
    queued: dict[int, None] = {}
    refused: dict[tuple[str, str], None] = {}
    numbers = sorted(standing)
    for first, last in parsed(drop):
        inside = [number for number in numbers if first <= number <= last]
        if not inside:
            refused[str(first) if first == last else f"{first}-{last}", "unknown"] = None
        for number in inside:
            if standing[number] == "reclaimable":
                queued[number] = None
            else:
                refused[str(number), _REFUSED.get(standing[number], standing[number])] = None
    return Reduction(list(queued), list(refused))


_REFUSED = {
    "recent_reduce": "protected",
    "queued": "already queued",
    "dropped": "already gone",
    "placeholder": "already gone",
}
