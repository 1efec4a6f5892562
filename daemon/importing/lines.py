"""JSON objects out of a file that may be damaged: read by bytes, bounded, what cannot be read is named.

Two objects glued together come out as two, an object glued to a torn one comes out alone, runs of NUL are
passed over. A line over the limit is skipped without being held.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

CHUNK = 1024 * 1024
LINE_BYTES = 8 * 1024 * 1024
TRIES = 64  # beginnings of an object that are looked at in one damaged line
_DECODER = json.JSONDecoder(strict=False)


class Found(NamedTuple):
    """An object of line ``line``, or ``wrong``: why what stands there is none."""

    line: int
    value: dict[str, Any] | None
    wrong: str = ""


def read_objects(path: Path, limit: int = LINE_BYTES) -> Iterator[Found]:
    """All of a file's objects, in order; raises `OSError`."""
    for number, line in _lines(path, limit):
        if line is None:
            yield Found(number, None, f"the line is longer than {limit:,} bytes")
        else:
            yield from objects(number, line)


def _lines(path: Path, limit: int) -> Iterator[tuple[int, bytes | None]]:
    """(number, line without its end); None for one over the limit."""
    with path.open("rb") as file:
        number, held, size = 1, bytearray(), 0
        while chunk := file.read(CHUNK):
            *whole, rest = chunk.split(b"\n")
            for part in whole:
                size += len(part)
                yield number, bytes(held + part) if size <= limit else None
                number, held, size = number + 1, bytearray(), 0
            size += len(rest)
            if size <= limit:
                held += rest
            else:
                held.clear()
        if size:
            yield number, bytes(held) if size <= limit else None


def objects(number: int, line: bytes) -> Iterator[Found]:
    """What stands in one line of a file; what does not, is named."""
    bare = line.replace(b"\x00", b"")
    if len(bare) != len(line):
        yield Found(number, None, f"{len(line) - len(bare):,} bytes are NUL")
    if not bare.strip():
        return
    try:
        text = bare.decode()
    except UnicodeDecodeError as fault:
        yield Found(number, None, f"byte {fault.start} is not UTF-8")
        text = bare.decode(errors="replace")
    yield from _parsed(number, text)


def _parsed(number: int, text: str) -> Iterator[Found]:
    at, tries = 0, 0
    while (at := text.find("{", at)) >= 0 and tries < TRIES:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            if not tries:
                yield Found(number, None, f"a torn object at character {at}")
            tries += 1
            at = text.find('{"', at + 1)
            if at < 0:
                return
            continue
        yield Found(number, value)
        at = end
