"""Names used: what is called on what, which types are named, what is derived from what.

The same name on the same receiver is one entry with its lines; the enclosing symbol follows from the line.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from tree_sitter import Node

from navlog.daemon.extract.parsing import Match
from navlog.daemon.extract.source import Source
from navlog.schemas.events import Reference

RECEIVER_BYTES = 60
PLAIN = re.compile(rb"[\w$.:@>?\\\x80-\xff-]+|super\(\)")
QUALIFIED = re.compile(r"(.+?)(?:\.|::|\\)([^.:\\\s]+)")
EXPRESSION = b"()"  # a receiver that is no plain name: the result of a call, an index, a literal


def references(found: Iterable[Match], source: Source) -> list[Reference]:
    """By first line, then name, kind and receiver."""
    data, starts = source.data, source.starts
    lines: defaultdict[tuple[bytes, str, bytes], set[int]] = defaultdict(set)
    for match in found:
        start = match.name.start_byte
        on = receiver(match.captures, data) if "receiver" in match.captures else b""
        lines[data[start : match.name.end_byte], match.kind, on].add(bisect_right(starts, start))
    listed = [reference(name, kind, on, at) for (name, kind, on), at in lines.items()]
    return sorted(listed, key=lambda r: (r.lines[0], r.name, r.kind, r.receiver))


def reference(name: bytes, kind: str, on: bytes, at: set[int]) -> Reference:
    path, own = parted(name.decode("utf-8", "replace"))
    return Reference(own, kind, sorted(at), path or on.decode("utf-8", "replace"))


def parted(name: str) -> tuple[str, str]:
    """``a.b.C``, ``a::b::C`` and ``a\\b\\C`` as what it is in and its own name."""
    found = None if name.isidentifier() else QUALIFIED.fullmatch(name)
    return (found[1], found[2]) if found else ("", name)


def receiver(captures: Mapping[str, Sequence[Node]], data: bytes) -> bytes:
    """The receiver's text where it is a dotted name, else EXPRESSION."""
    start, end = captures["receiver"][0].byte_range
    if end - start > RECEIVER_BYTES:
        return EXPRESSION
    text = data[start:end]
    return text if text.isalnum() or PLAIN.fullmatch(text) else EXPRESSION
