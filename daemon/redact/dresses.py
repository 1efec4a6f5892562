"""Secrets in disguise: percent-encoded, JSON-escaped, base64. What is found inside is hidden outside."""

import bisect
import re
from collections.abc import Iterator
from typing import NamedTuple

from navlog.daemon.redact.finding import ANYWHERE, IN_TOKENS, Found, find, keywords_in, merged
from navlog.daemon.redact.tokens import SHORTEST
from navlog.daemon.redact.values import unbase64

_ESCAPES = ("%2", "%3", "%0A", "%0a", "%0D", "%0d", "%4", "%5", "%7", "\\u00", "\\/")
_ESCAPE = re.compile(r"%(0[aAdD]|[2-7][0-9a-fA-F])|\\+u00([2-7][0-9a-fA-F])|\\+(/)")
_RUN_LENGTH = 24
RUN = re.compile(rf"[A-Za-z0-9+/_-]{{{_RUN_LENGTH},}}+")
_MORE = re.compile(r"={0,2}(?:(?:\\+[nr]|[\s\"']){1,40}+[A-Za-z0-9+/_-]{4,}+={0,2}(?=[\s\"'\\]|$))*")
_INSIDE = re.compile(r"\\+[nr]|[^A-Za-z0-9+/_=-]")
_PRINTABLE = bytes(range(32, 127)) + b"\t\r\n\0"


class Signs(NamedTuple):
    """What the first stage saw in a text. Without any of it there is no secret."""

    words: list[str]
    escaped: bool
    encoded: bool


NONE = Signs([], escaped=False, encoded=False)


def signs(text: str) -> Signs:
    """One look at the text, each of its words once: source repeats itself, and no keyword holds a space."""
    words = set(text.split())
    # Most events hold neither sign: two looks instead of eleven, for each of the 20,000 of a checkout.
    vocabulary = " ".join(words)
    long = [word for word in words if len(word) >= SHORTEST]
    return Signs(
        keywords_in(vocabulary, ANYWHERE) + keywords_in(" ".join(long), IN_TOKENS),
        ("%" in vocabulary or "\\" in vocabulary) and any(sign in vocabulary for sign in _ESCAPES),
        _holds_run(" ".join([word for word in long if len(word) >= _RUN_LENGTH])),
    )


def find_all(text: str) -> list[Found]:
    """Every secret in ``text``, as it stands and in disguise."""
    seen = signs(text)
    if seen == NONE:
        return []
    found = find(text, seen.words)
    if seen.escaped:
        found += _escaped(text)
    if seen.encoded:
        found += _encoded(text)
    return merged(text, found)


def _escaped(text: str) -> Iterator[Found]:
    """Secrets in the lines that have an escape, each line read without its escapes."""
    done = 0
    while escape := _ESCAPE.search(text, done):
        start = text.rfind("\n", 0, escape.start()) + 1
        done = (text.find("\n", escape.end()) + 1 or len(text) + 1) - 1
        yield from _in_line(text[start:done], start)


def _in_line(line: str, offset: int) -> Iterator[Found]:
    plain, places = _unescape(line)
    for found in (*find(plain, keywords_in(plain)), *_encoded(plain)):
        start, end = _outside(places, found.start), _outside(places, found.end - 1, last=True)
        yield found._replace(start=offset + start, end=offset + end)


def _unescape(text: str) -> tuple[str, list[tuple[int, int, int]]]:
    """The text without escapes, and for each escape (its place inside, its start and its end outside)."""
    parts: list[str] = []
    places: list[tuple[int, int, int]] = [(-1, -1, 0)]
    size = done = 0
    for match in _ESCAPE.finditer(text):
        parts += text[done : match.start()], match[3] or chr(int(match[1] or match[2], 16))
        size += match.start() - done
        places.append((size, match.start(), match.end()))
        size += 1
        done = match.end()
    return "".join([*parts, text[done:]]), places


def _outside(places: list[tuple[int, int, int]], inside: int, *, last: bool = False) -> int:
    """Where the character at ``inside`` begins in the escaped text, or ends for the ``last`` one."""
    at, start, end = places[bisect.bisect_right(places, inside, key=lambda place: place[0]) - 1]
    if at == inside:
        return end if last else start
    return end + inside - at - 1 + last


def _encoded(text: str) -> Iterator[Found]:
    for start, end, inside in _runs(text):
        if spans := find(inside, keywords_in(inside)):
            first = min(spans, key=lambda found: found.order)
            yield first._replace(start=start, end=end)


def _holds_run(text: str) -> bool:
    return next(_runs(text), None) is not None


def _runs(text: str) -> Iterator[tuple[int, int, str]]:
    """Every run of base64 with a text behind it, over line ends: its span and that text."""
    done = 0
    for match in RUN.finditer(text):
        # One case alone: a name of the program or a hash. Base64 of a text mixes both.
        if match.start() < done or match[0].islower() or match[0].isupper():
            continue
        if _decoded(match[0]):
            done = run_end(text, match.end())
            yield match.start(), done, _decoded(text[match.start() : done])


def run_end(text: str, position: int) -> int:
    """Where a run of base64 ends that goes on over line ends after ``position``."""
    more = _MORE.match(text, position)
    return more.end() if more else position


def unbroken(run: str) -> str:
    """A run of base64 without what breaks its lines."""
    return _INSIDE.sub("", run)


def _decoded(run: str) -> str:
    """The text behind base64, "" when there is none: bytes at random, an identifier, a hash."""
    data = unbase64(unbroken(run))
    if len(data.translate(None, _PRINTABLE)) * 8 > len(data):
        return ""
    return data.replace(b"\0", b"").decode("latin-1")
