"""JSON objects out of a file that may be damaged: read by bytes, bounded, what cannot be read is named.

Two objects glued together come out as two, an object glued to a torn one comes out alone, runs of NUL are
passed over. Of a line over the limit the long texts are cut as it is read, so that it is never held whole; it
is skipped where that is not enough.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

CHUNK = 1024 * 1024
LINE_BYTES = 8 * 1024 * 1024
TEXT_BYTES = 64 * 1024  # of one text of a line over the limit
ESCAPED = 6  # bytes of \\u00e9
TRIES = 64  # beginnings of an object that are looked at in one damaged line
_REST = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_MARK = re.compile(rb'["\\]')
_DECODER = json.JSONDecoder(strict=False)


class Found(NamedTuple):
    """An object of line ``line``, or ``wrong``: why what stands there is none."""

    line: int
    value: dict[str, Any] | None
    wrong: str = ""


def read_objects(path: Path, limit: int = LINE_BYTES) -> Iterator[Found]:
    """All of a file's objects, in order; raises `OSError`."""
    for number, line, wrong in _lines(path, limit):
        if wrong:
            yield Found(number, None, wrong)
        if line is not None:
            yield from objects(number, line)


def _lines(path: Path, limit: int) -> Iterator[tuple[int, bytes | None, str]]:
    """(number, line without its end, what is wrong with it); None for one that is still over the limit."""
    with path.open("rb") as file:
        number, held = 1, _Line(limit)
        while chunk := file.read(CHUNK):
            *whole, rest = chunk.split(b"\n")
            for part in whole:
                held.add(part)
                yield number, *held.done()
                number, held = number + 1, _Line(limit)
            held.add(rest)
        if held.size:
            yield number, *held.done()


class _Line:
    """A line as it comes in: whole up to ``limit`` bytes, then with its long texts cut."""

    def __init__(self, limit: int) -> None:
        self.size = 0
        self._limit = limit
        self._held = bytearray()
        self._cut: Cutter | None = None

    def add(self, part: bytes) -> None:
        """Its next bytes."""
        self.size += len(part)
        if self._cut is None and self.size > self._limit:
            self._cut = Cutter(min(TEXT_BYTES, self._limit // 8))
            self._held = bytearray(self._cut.feed(bytes(self._held)))
        if len(self._held) <= self._limit:
            self._held += self._cut.feed(part) if self._cut else part

    def done(self) -> tuple[bytes | None, str]:
        """The line, and what is wrong with it."""
        if self._cut is None:
            return bytes(self._held), ""
        wrong = f"the line has {self.size:,} bytes, over {self._limit:,}"
        if len(self._held) > self._limit:
            return None, f"{wrong}: it is passed over"
        return bytes(self._held), f"{wrong}: of its texts the beginnings were read"


class Cutter:
    """JSON in, the same JSON out with each text cut after ``most`` bytes; what was left out is said in it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._inside = False
        self._kept = self._left = 0
        self._escape = b""  # begun, and not yet whole: a backslash, or \\u with fewer than four digits

    def feed(self, data: bytes) -> bytes:
        """The part of the output that ``data`` makes."""
        out, at = bytearray(), 0
        while at < len(data):
            at = self._text(data, at, out) if self._inside else self._between(data, at, out)
        return bytes(out)

    def _between(self, data: bytes, at: int, out: bytearray) -> int:
        end = data.find(b'"', at)
        if end < 0:
            out += data[at:]
            return len(data)
        out += data[at : end + 1]
        self._inside, self._kept, self._left = True, 0, 0
        return end + 1

    def _text(self, data: bytes, at: int, out: bytearray) -> int:
        """One run without an escape, and what ends it."""
        if self._escape:
            self._escape += data[at : at + 1]
            if len(self._escape) == (ESCAPED if self._escape[1:2] == b"u" else 2):
                self._keep(self._escape, out)
                self._escape = b""
            return at + 1
        if self._left:
            at = self._pass_over(data, at)
        found = _MARK.search(data, at)
        end = found.start() if found else len(data)
        self._keep(data[at:end], out)
        if found and found[0] == b'"':
            out += f"… {self._left:,} bytes left out".encode() + b'"' if self._left else b'"'
            self._inside = False
        elif found:
            self._escape = b"\\"
        return end + 1

    def _pass_over(self, data: bytes, at: int) -> int:
        """Where what is left out ends: at the quote that closes the text, or in ``data``'s last escape."""
        found = _REST.match(data, at)
        end = found.end() if found else at
        self._left += end - at
        return end

    def _keep(self, part: bytes, out: bytearray) -> None:
        """Never half of an escape: once something was left out, all that follows is."""
        if self._left or self._kept + len(part) > self._most:
            room = 0 if self._left or part.startswith(b"\\") else self._most - self._kept
            whole = part[:room].decode(errors="ignore").encode()
            out += whole
            self._kept, self._left = self._most, self._left + len(part) - len(whole)
        else:
            out += part
            self._kept += len(part)


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
