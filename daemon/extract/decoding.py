"""Bytes as text: which encoding a file is in, or that it is not text at all.

Order: a byte order mark, UTF-8, UTF-16 without a mark, what the file itself declares, GB18030, Latin. What
decodes to control characters is binary. Guesses no other legacy encoding: EUC and Shift JIS
must be declared.
"""

import codecs
import re
from typing import NamedTuple

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
HEAD = 8192  # bytes that are looked at to tell binary from text
DECLARED = re.compile(rb"(?:coding[:=]|charset=|encoding=)\s*[\"']?([-\w.]+)", re.IGNORECASE)
# Codecs that are encodings of text; Python knows others under such names (idna, unicode_escape).
TEXT_CODEC = re.compile(
    r"utf[-_]?\d+|gbk|gb2312|gb18030|cp936|big5\w*|euc[-_]?\w+|shift[-_]?jis|cp\d+|windows-\d+|"
    r"iso[-_]?8859[-_]\d+|latin[-_]?\d+|koi8[-_]\w+|mac[-_]roman",
    re.IGNORECASE,
)
HANZI_PAIR = re.compile(
    rb"[\xa1-\xf7][\xa1-\xfe]"
)  # GB2312's square; Latin text rarely has two such bytes in a row
HIGH = bytes(range(0x80, 0x100))
CONTROLS = bytes(set(range(0x20)) - set(b"\t\n\r\f\v\x1b\b")) + b"\x7f"


class Decoded(NamedTuple):
    """A file's text with ``\\n`` as its only line end, and the name of the encoding it was read in."""

    text: str
    encoding: str


def decode(data: bytes) -> Decoded | None:
    """``data`` as text; None when it is not text."""
    wide = b"\0" in data[:HEAD]
    for read in (read_marked, read_utf16) if wide else (read_marked, read_utf8, *LEGACY):
        if found := read(data):
            return Decoded(one_line_end(found.text), found.encoding) if is_text(found.text) else None
    return None


def one_line_end(text: str) -> str:
    """CR LF and lone CR as LF: lines keep their numbers, and every later room counts ``\\n`` alone."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def is_text(text: str) -> bool:
    """No NUL in its beginning, and almost no other control characters."""
    head = text[:HEAD].encode("utf-8", "replace")
    controls = len(head) - len(head.translate(None, CONTROLS))
    return b"\0" not in head and controls * 50 <= len(head)


def read_marked(data: bytes) -> Decoded | None:
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return attempt(data, encoding)
    return None


def read_utf8(data: bytes) -> Decoded | None:
    return attempt(data, "utf-8")


def read_declared(data: bytes) -> Decoded | None:
    """What an editor's or an XML declaration in the first 1,024 bytes says."""
    declared = DECLARED.search(data[:1024])
    name = declared[1].decode("ascii", "replace") if declared else ""
    return attempt(data, name) if TEXT_CODEC.fullmatch(name) else None


def read_utf16(data: bytes) -> Decoded | None:
    """Text of mostly Latin characters has its zeros in every other byte; a mark was looked for before."""
    head = data[:HEAD]
    odd, even = head[1::2].count(0), head[::2].count(0)
    if max(odd, even) * 4 < len(head) or min(odd, even) * 10 > max(odd, even):
        return None
    return attempt(data, "utf-16-le" if odd > even else "utf-16-be")


def read_gb18030(data: bytes) -> Decoded | None:
    high = len(data) - len(data.translate(None, HIGH))
    pairs = len(HANZI_PAIR.findall(data))
    return attempt(data, "gb18030") if pairs * 20 >= high * 8 else None


def read_latin(data: bytes) -> Decoded | None:
    """Latin-1, or Windows' 1252 where bytes are used that Latin-1 has controls at; never fails."""
    if re.search(rb"[\x80-\x9f]", data) and (found := attempt(data, "cp1252")):
        return found
    return attempt(data, "latin-1")


def attempt(data: bytes, encoding: str) -> Decoded | None:
    try:
        return Decoded(data.decode(encoding), encoding)
    except (UnicodeDecodeError, LookupError):
        return None


LEGACY = (read_declared, read_gb18030, read_latin)
