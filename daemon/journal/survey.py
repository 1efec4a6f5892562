"""Looks at a log's folder before anything is decided, and writes nothing.

Says of every segment what is proven; of what is not, whether it is the torn tail of the newest segment
(damage with nothing good behind it), void (beyond the length that the next header gives), or damage.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec

from navlog.daemon.journal.anchor import read_anchor
from navlog.daemon.journal.catalog import Catalog, Segment
from navlog.daemon.journal.index import load_index
from navlog.daemon.journal.layout import anchor_path, segment_name, segment_numbers
from navlog.daemon.journal.scan import SHORTEST, Chain, Step, ceiling, pieces, walk
from navlog.daemon.journal.shapes import Damage, Kind
from navlog.daemon.journal.storage import Readable
from navlog.daemon.journal.table import Critical, Table
from navlog.schemas.counting import counted
from navlog.schemas.envelope import LINE_BYTES, Anchor, Header, is_sealed, seal_of, unseal_as
from navlog.schemas.errors import LineDamaged
from navlog.schemas.payloads import is_known

FAULTS = 1000  # remembered per segment: garbage may look like any number of lines


class Excess(msgspec.Struct, frozen=True):
    """No part of the log, from ``offset`` to the file's end. ``why``: torn, void, header, anchor."""

    path: Path
    offset: int
    why: Literal["torn", "void", "header", "anchor"]


class Survey:
    """What lies in ``folder`` of one log. Raises OSError, and `StartRefused` for a newer format.

    ``thorough`` hears the bytes of each segment looked at; then every line is proven and no table is kept.
    """

    def __init__(
        self, storage: Readable, folder: Path, log: str, *, thorough: Callable[[int], None] | None = None
    ) -> None:
        self.catalog = Catalog(storage, folder, log)
        self.records = 0
        self._thorough = thorough
        self.anchor: Anchor | None = None
        self.excess: list[Excess] = []
        self.critical: list[Critical] = []  # those this release must not write behind
        self._storage = storage
        self._folder = folder
        self._headers: dict[int, tuple[Header, int] | None] = {}
        self._look_at_anchor()
        self._look_at_segments()
        self._compare_with_anchor()

    def _look_at_anchor(self) -> None:
        try:
            self.anchor = read_anchor(self._storage, self._folder, self.catalog.log)
        except LineDamaged:
            self.excess.append(Excess(anchor_path(self._folder, self.catalog.log), 0, "anchor"))

    def _look_at_segments(self) -> None:
        numbers = segment_numbers(self.catalog.log, self._storage.listdir(self._folder))
        self._headers = {number: self._header(number) for number in numbers}
        while numbers and self._was_never_used(numbers[-1]):
            self.excess.append(Excess(self.catalog.path(numbers.pop()), 0, "header"))
        for number in range(1, numbers[-1] + 1 if numbers else 1):
            if number in numbers:
                self._look_at(number, newest=number == numbers[-1])
            else:
                self._note(number, 0, "missing", "the segment is missing")

    def _header(self, number: int) -> tuple[Header, int] | None:
        """The segment's header and its length; None where there is none to be read."""
        head = self._storage.read(self.catalog.path(number), 0, LINE_BYTES)
        line, newline, _ = head.partition(b"\n")
        try:
            return unseal_as(Header, line + newline), len(line) + 1
        except LineDamaged:
            return None

    def _was_never_used(self, number: int) -> bool:
        """No header and nothing good behind it: the making of a segment was interrupted."""
        if self._headers[number] is not None:
            return False
        path = self.catalog.path(number)
        lines = pieces(lambda at, size: self._storage.read(path, at, size), 0, self._storage.size(path))
        return not any(is_sealed(line) for _, line in lines)

    def _compare_with_anchor(self) -> None:
        """The line that ended at the anchor still ends there: another log's would not."""
        anchor = self.anchor
        if anchor is None or not anchor.bytes or self.catalog.damage:
            return
        held = [segment for segment in self.catalog.segments if segment.number == anchor.segment]
        if held and held[0].size >= anchor.bytes:
            end = self._storage.read(self.catalog.path(anchor.segment), anchor.bytes - SHORTEST, SHORTEST)
            if seal_of(end) != anchor.tail:
                why = "another line ends here than was anchored"
                self._note(anchor.segment, anchor.bytes, "anchor", why, anchor.position)

    # --- one segment ------------------------------------------------------------------------------------

    def _look_at(self, number: int, *, newest: bool) -> None:
        path = self.catalog.path(number)
        size = self._storage.size(path)
        following = self._headers.get(number + 1)
        valid = min(size, following[0].previous_bytes) if following else size
        if following and size < following[0].previous_bytes:
            lost = counted(following[0].previous_bytes - size, "byte")
            self._note(number, size, "missing", f"{lost} missing at the end")
        if valid < size:
            self.excess.append(Excess(path, valid, "void"))
        segment, chain = self._begin(number)
        if self._thorough or newest or not self._use_index(segment, valid):
            self._fill(segment, chain, valid, newest=newest)
        if self._thorough:
            self._thorough(size)
            segment.table = Table(segment.first)
        self.critical += [found for found in segment.table.critical if not is_known(*found[1:])]
        self.catalog.segments.append(segment)

    def _begin(self, number: int) -> tuple[Segment, Chain]:
        """An empty segment, as its header describes it, or as far as it can be known without."""
        own = self._headers[number]
        header, start = own or (None, 0)
        first = header.first if header else self.catalog.position + 1
        tail = header.h if header else ""
        size = self._storage.size(self.catalog.path(number))
        self._judge_header(number, header)
        segment = Segment(
            number=number, first=first, start=start, size=start, last=first - 1, tail=tail, table=Table(first)
        )
        return segment, Chain(first - 1, tail or None, ceiling(first, size))

    def _judge_header(self, number: int, header: Header | None) -> None:
        if header is None:
            self._note(number, 0, "header", "the segment has no readable header")
            return
        named = (header.log, header.segment) == (self.catalog.log, number)
        first = number == 1 or (header.first, header.prev) == (self.catalog.position + 1, self.catalog.tail)
        if not named:
            self._note(number, 0, "header", f"this is segment {header.segment} of {header.log}")
        elif not first and not self.catalog.damage:
            self._note(number, 0, "broken", "the segment does not follow the one before")

    def _use_index(self, segment: Segment, valid: int) -> bool:
        """Takes the segment's index for granted if it was made of this very file, unchanged since."""
        index = load_index(self._storage, self._folder, self.catalog.log, segment.number)
        path = self.catalog.path(segment.number)
        if index is None or (index.head.first, index.head.bytes) != (segment.first, valid):
            return False
        end = self._storage.read(path, max(valid - SHORTEST, 0), SHORTEST)
        if seal_of(end) != index.head.tail or self._storage.stamp(path) != index.head.stamp:
            return False
        segment.table, segment.size, segment.tail = index, valid, index.head.tail
        segment.last = segment.first + len(index) - 1
        self.records += len(index)
        return True

    def _fill(self, segment: Segment, chain: Chain, valid: int, *, newest: bool) -> None:
        path = self.catalog.path(segment.number)
        filling = Filling(segment, chain)
        for step in walk(lambda at, size: self._storage.read(path, at, size), segment.start, valid, chain):
            filling.take(step)
        if newest and filling.is_torn:
            self.records += filling.records
            if segment.size < valid:
                self.excess.append(Excess(path, segment.size, "torn"))
            return
        filling.settle()
        self.records += filling.records
        segment.size = valid
        for step in filling.faults:
            self._note(
                segment.number, step.offset, "broken" if step.record else "damaged", step.fault, step.position
            )

    def _note(self, number: int, offset: int, kind: Kind, why: str, position: int = 0) -> None:
        name = segment_name(self.catalog.log, number)
        self.catalog.note(Damage(segment=name, offset=offset, position=position, kind=kind, why=why))


class Filling:
    """Fills a segment's table line by line; holds back an open batch until it is complete."""

    def __init__(self, segment: Segment, chain: Chain) -> None:
        self.records = 0
        self.faults: list[Step] = []
        self.is_torn = True  # nothing is wrong but damage with nothing good behind it
        self._segment = segment
        self._table = Table(segment.first)
        self._chain = chain
        self._open: list[Step] = []
        segment.table = self._table

    def take(self, step: Step) -> None:
        """The next line of the segment."""
        if step.fault and len(self.faults) < FAULTS:
            self.faults.append(step._replace(line=b""))
        if step.record is None:
            return
        self.is_torn = not self.faults
        if step.kept:
            self._open.append(step)
            if not self._chain.in_batch:
                self.settle()

    def settle(self) -> None:
        """What is held back counts, though it may be incomplete: it is not the log's end."""
        for step in self._open:
            if step.record is not None:
                self.records += 1
                self._table.add(step.record, step.offset)
                self._segment.size = step.offset + len(step.line)
                self._segment.last, self._segment.tail = step.position, step.record.h
        self._open.clear()
