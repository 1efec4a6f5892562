"""A text as its parser sees it: UTF-8 bytes, with the offsets of its lines.

Slices by offsets: a node's own ``text`` is 20 times slower on a tree that was parsed from a callable.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate

DEPRECATION = (
    b"eprecat",
    b"EPRECAT",
    b"bsolete",
    b"RemovedIn",
)  # plain searches: 20 times as fast as a pattern
BLANK = re.compile(rb"[^\n]")


class Source:
    """``data`` in UTF-8, line ends ``\\n``. Lines count from 1."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.data = text.encode("utf-8", "replace")
        rows = self.data.split(b"\n")
        if not rows[-1]:
            rows.pop()
        self.rows = rows
        self.starts = [0, *accumulate([len(row) + 1 for row in rows])]

    @property
    def lines(self) -> int:
        """A last line without its newline counts."""
        return len(self.rows)

    @cached_property
    def may_deprecate(self) -> bool:
        """Whether anything could be marked as deprecated: mostly not, and then no definition is asked."""
        return any(mark in self.data for mark in DEPRECATION)

    @cached_property
    def may_block(self) -> bool:
        """Whether anything could be a block of C's comments."""
        return b"*/" in self.data

    def line_of(self, offset: int) -> int:
        """The line that a byte offset lies in."""
        return bisect_right(self.starts, offset, 0, len(self.rows)) or 1

    def row(self, line: int) -> bytes:
        """Line ``line`` without its end."""
        return self.rows[line - 1]

    def span(self, line: int, end_line: int) -> bytes:
        """Lines ``line`` to ``end_line``, both included."""
        return self.data[self.starts[line - 1] : self.starts[end_line]]

    def slice(self, start: int, end: int) -> str:
        """The text between two byte offsets."""
        return self.data[start:end].decode("utf-8", "replace")

    def only(self, ranges: Iterable[tuple[int, int]]) -> "Source":
        """The same lines and offsets with blanks for all that is outside of these byte ranges."""
        data = bytearray(BLANK.sub(b" ", self.data))
        for start, end in ranges:
            data[start:end] = self.data[start:end]
        return Source(data.decode("utf-8", "replace"))

    def without(self, ranges: Iterable[tuple[int, int]]) -> bytes:
        """The bytes with blanks for these ranges of lines, both ends included."""
        data = bytearray(self.data)
        for line, end_line in ranges:
            start, end = self.starts[line - 1], self.starts[end_line]
            data[start:end] = BLANK.sub(b" ", self.data[start:end])
        return bytes(data)
