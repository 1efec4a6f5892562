"""A tail that is measured again and again: what stayed the same is not looked at again.

`Ledger.measure` says what `navlog.projections.nudging.measuring.measure` says of the same parts, tags and
standing; new parts at the end cost what they are, not what the tail is. Kept beside the tail, never stored.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from navlog.projections.nudging.measuring import IN_TAIL, Standing
from navlog.projections.nudging.tags import KINDS, is_reduce
from navlog.projections.nudging.tail import Counted
from navlog.projections.nudging.window import calibrated, cutoff_of
from navlog.schemas.nudges import MeasuredPart, TailMeasured, TailTag
from navlog.schemas.settings import Nudge


class Sums(NamedTuple):
    """A measurement without its parts; fields as in `navlog.projections.nudging.measuring.Measurement`."""

    u: int
    t: int
    cutoff: int | None
    outputs: int
    floor: int


class Ledger:
    """The parts in their order, each with its tag and reason. ``known`` are the tags that the log has."""

    def __init__(self, known: Sequence[TailTag], settings: Nudge) -> None:
        self._settings = settings
        self.tags: list[TailTag] = []
        self.logged = len(known)  # of the tags; the others have been given since
        self.parts: list[Counted] = []
        self.numbers: list[int] = []
        self.codes: list[str] = []
        self._index: dict[str, int] = {}
        self._by_block: dict[str, int] = {}
        self._number = 0
        self._tools: list[int] = []  # tags, ascending
        self._reduces: list[int] = []
        for tag in known:
            self._know(tag)
        self._open: dict[str, list[int]] = {}
        self._pairs: dict[int, int] = {}
        self._of_tag: dict[int, list[int]] = {}
        self._masses: dict[int, int] = {}
        self._fresh: list[int] = []
        self._whole, self._spent = _empty(), _empty()
        self._spent_parts: dict[int, int] = {}  # tool tag -> its parts in U
        self._standing, self._hidden = Standing(), frozenset[int]()
        self._cut: int | None = None
        self._recent: frozenset[int] = frozenset()
        self._changed: set[int] = set()  # what the log does not say yet
        self._gone: list[str] = []
        self._compared: int | None = None  # the measurement it was compared with

    def fits(self, tags: Sequence[TailTag]) -> bool:
        """Whether these are the tags it knows: those of the log, with or without those it has given."""
        if len(tags) not in (self.logged, len(self.tags)) or (tags and tags[-1] != self.tags[len(tags) - 1]):
            return False
        self.logged = len(tags)
        return True

    def new(self) -> list[TailTag]:
        """Tags that its parts were given and the log does not have yet."""
        return self.tags[self.logged :]

    # --- growing ----------------------------------------------------------------------------------------

    def add(self, parts: Iterable[Counted]) -> None:
        """At the end. Numbers go on in order of appearance, one for a call and its result."""
        for part in parts:
            index = len(self.parts)
            partner = self._partner(part, index)
            number = self._by_block.get(part.block, -1)
            if number < 0 and partner is not None:
                number = self.numbers[partner]
            elif number < 0 and not part.code:
                number = self._numbered(part)
            self._put(part, index, number, partner)

    def _partner(self, part: Counted, index: int) -> int | None:
        """The call of a result. An id may come again, in order."""
        if part.kind == "call":
            self._open.setdefault(part.call, []).append(index)
        elif part.kind == "result" and (waiting := self._open.get(part.call)):
            partner = waiting.pop(0)
            self._pairs[partner], self._pairs[index] = index, partner
            return partner
        return None

    def _numbered(self, part: Counted) -> int:
        self._know(TailTag(self._number + 1, part.block, KINDS[part.kind], part.tool))
        return self._number

    def _know(self, tag: TailTag) -> None:
        self.tags.append(tag)
        self._number = max(self._number, tag.number)
        self._by_block[tag.block] = tag.number
        if tag.kind == "tool":
            insort(self._tools, tag.number)
            if is_reduce(tag.tool):
                insort(self._reduces, tag.number)

    def _put(self, part: Counted, index: int, number: int, partner: int | None) -> None:
        self.parts.append(part)
        self.numbers.append(number)
        self.codes.append("")
        self._index[part.block] = index
        self._fresh.append(index)
        if partner is not None:
            self._fresh.append(partner)
        if number >= 0:
            self._of_tag.setdefault(number, []).append(index)
            if part.kind == "result":
                self._masses[number] = self._masses.get(number, 0) + part.tokens

    # --- measuring --------------------------------------------------------------------------------------

    def measure(self, standing: Standing, hidden: frozenset[int] = frozenset()) -> Sums:
        """``hidden``: tags whose parts the model sees as placeholders, whatever the host still keeps."""
        gone = standing.dropped
        newest = (tag for tag in reversed(self._tools) if tag not in gone)
        cut = cutoff_of(newest, self._masses, standing.floor, self._settings, standing.tool_ratio)
        recent = self._newest_reduces(gone)
        touched = (standing.queued ^ self._standing.queued) | (gone ^ self._standing.dropped)
        touched |= (hidden ^ self._hidden) | (recent ^ self._recent)
        moved = self._between(self._cut, cut)
        self._standing, self._hidden, self._cut, self._recent = standing, hidden, cut, recent
        for index in self._fresh:
            self._recode(index)
        self._fresh.clear()
        for tag in (*touched, *moved):
            for index in self._of_tag.get(tag, ()):
                self._recode(index)
        u, t = _calibrated(self._spent, standing), _calibrated(self._whole, standing)
        return Sums(min(max(0, u), max(0, t)), t, cut, len(self._spent_parts), standing.floor)

    def _newest_reduces(self, gone: frozenset[int]) -> frozenset[int]:
        found: list[int] = []
        for tag in reversed(self._reduces):
            if tag not in gone:
                found.append(tag)
            if len(found) == self._settings.recent_reduces:
                break
        return frozenset(found[: self._settings.recent_reduces])

    def _between(self, before: int | None, after: int | None) -> list[int]:
        """The tool tags that came into the protected window, or left it."""
        if before == after:
            return []
        ends = [len(self._tools) if cut is None else bisect_left(self._tools, cut) for cut in (before, after)]
        return self._tools[min(ends) : max(ends)]

    def _recode(self, index: int) -> None:
        code, before = self._code(index), self.codes[index]
        if code == before:
            return
        part = self.parts[index]
        self.codes[index] = code
        self._changed.add(index)
        self._count(part, self.numbers[index], before, -1)
        self._count(part, self.numbers[index], code, 1)

    def _count(self, part: Counted, tag: int, code: str, sign: int) -> None:
        if code not in IN_TAIL:
            return
        self._whole[part.unit] += sign * part.tokens
        if code == "reclaimable":
            self._spent[part.unit] += sign * part.tokens
            if part.kind in ("call", "result"):
                left = self._spent_parts.pop(tag, 0) + sign
                if left:
                    self._spent_parts[tag] = left

    def _code(self, index: int) -> str:
        """The part's own reason, that its pair is only a placeholder, or what has become of its tag."""
        part, tag = self.parts[index], self.numbers[index]
        if part.code:
            return part.code
        partner = self._pairs.get(index)
        if self._is_placeholder(index) or (partner is not None and self._is_placeholder(partner)):
            return "placeholder"
        standing = self._standing
        if tag < 0:
            return "untagged"
        if tag in standing.dropped:
            return "dropped"
        if tag in standing.queued:
            return "queued"
        if tag in self._recent:
            return "recent_reduce"
        is_tool = part.kind in ("call", "result")
        return "protected" if is_tool and self._cut is not None and tag >= self._cut else "reclaimable"

    def _is_placeholder(self, index: int) -> bool:
        part = self.parts[index]
        if part.code:
            return part.code == "placeholder"
        return part.kind != "call" and self.numbers[index] in self._hidden

    # --- telling ----------------------------------------------------------------------------------------

    def row(self, index: int) -> MeasuredPart:
        """One part as it was measured last."""
        part, code = self.parts[index], self.codes[index]
        tokens = 0 if not part.code and self._is_placeholder(index) else part.tokens
        return MeasuredPart(part.block, self.numbers[index], tokens, code)

    def rows(self, blocks: Iterable[str] | None = None) -> Iterator[tuple[MeasuredPart, Counted]]:
        """Those of ``blocks``, or all."""
        indices = range(len(self.parts)) if blocks is None else (self._index[block] for block in blocks)
        return ((self.row(index), self.parts[index]) for index in indices)

    def of_tags(self, tags: Iterable[int]) -> Iterator[tuple[MeasuredPart, Counted]]:
        """The parts of these tags."""
        indices = (index for tag in sorted(tags) for index in self._of_tag.get(tag, ()))
        return ((self.row(index), self.parts[index]) for index in indices)

    def changes(
        self, before: Mapping[str, MeasuredPart], last: TailMeasured | None
    ) -> tuple[list[MeasuredPart], list[str]]:
        """What `TailMeasured` holds: new or changed parts, and what is gone; ``before`` is as of ``last``.

        What was compared before is compared again only where it had changed: until the log says it.
        """
        number = last.measured if last else 0
        if self._compared is None or number - self._compared not in (0, 1):
            self._changed = set(range(len(self.parts)))
            self._gone = [block for block in before if block not in self._index]
        self._compared = number
        rows = {index: self.row(index) for index in sorted(self._changed)}
        self._changed = {index for index, row in rows.items() if before.get(row.block) != row}
        self._gone = [block for block in self._gone if block in before]
        return [row for index, row in rows.items() if index in self._changed], list(self._gone)


def _empty() -> dict[str, int]:
    return {"tool": 0, "prose": 0, "image": 0, "": 0}


def _calibrated(sums: Mapping[str, int], standing: Standing) -> int:
    return calibrated(
        sums["tool"] * standing.tool_ratio + sums["prose"] * standing.prose_ratio + sums["image"]
    )
