"""Names used: what is called on what, which types are named, what is derived from what.

The same name on the same receiver is one entry with its lines; the enclosing symbol follows from the line.
"""

import re
from collections.abc import Iterable

from navlog.daemon.extract.parsing import Match
from navlog.daemon.extract.source import Source
from navlog.schemas.events import Reference

RECEIVER_BYTES = 60
PLAIN = re.compile(r"[\w$.:@>?\\-]+|super\(\)")
EXPRESSION = "()"  # a receiver that is no plain name: the result of a call, an index, a literal

Use = tuple[str, str, str]


def references(found: Iterable[Match], source: Source) -> list[Reference]:
    """By first line, then name, kind and receiver."""
    lines: dict[Use, set[int]] = {}
    for match in found:
        node = match.captures["name"][0]
        path, _, name = source.slice(node.start_byte, node.end_byte).rpartition(".")
        use = (name, match.role.partition(".")[2], path or receiver(match, source))
        lines.setdefault(use, set()).add(node.start_point[0] + 1)
    listed = [Reference(name, kind, sorted(at), on) for (name, kind, on), at in lines.items()]
    return sorted(listed, key=lambda r: (r.lines[0], r.name, r.kind, r.receiver))


def receiver(match: Match, source: Source) -> str:
    """The receiver's text where it is a dotted name, EXPRESSION for any other, "" without one."""
    nodes = match.captures.get("receiver")
    if not nodes:
        return ""
    start, end = nodes[0].byte_range
    text = source.slice(start, end) if end - start <= RECEIVER_BYTES else ""
    return text if PLAIN.fullmatch(text) else EXPRESSION
