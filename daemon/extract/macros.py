"""What the preprocessor would take away, blanked before C and C++ are parsed: macros that stand where the
grammar knows no name. Offsets hold; only the parser sees the result.

A guess by habit: names in capitals, at places where one can be no part of an expression. ``TEST(name) {`` and
``TEST(suite, name) {`` define something called name, and are handed over as ``int name(){``.
"""

import re
from collections.abc import Callable

_NAME = rb"[A-Z][A-Z0-9_]{2,}(?:\([^()\n]*\))?"
# ``class EXPORT Name {``, ``f() const LOCKED(mutex) {``, ``EXPORT static int f();``
_KEYWORDS = (
    rb"(?:explicit|static|inline|virtual|constexpr|template|void|int|bool|char|auto|size_t|const|unsigned|friend"
    rb"|class|struct|enum|extern|typename)\b"
)
_BESIDE = re.compile(
    rb"\b(?P<head>(?:class|struct|union|enum)[ \t]+)" + _NAME +
    rb"(?=[ \t]+[A-Za-z_]\w*(?:<[^<>\n]*>)?\s*(?:final\s*)?(?:\{|:[^:]))"
    rb"|(?P<end>\)[ \t]*(?:const\b|noexcept\b|override\b)?[ \t]*)" + _NAME + rb"(?=[ \t]*\{)"
    rb"|^(?P<start>[ \t]*)" + _NAME +
    rb"(?=[ \t]+(?:" + _KEYWORDS + rb"|[A-Z][A-Z0-9_]{2,}[ \t]+[A-Za-z_~]))",
    re.MULTILINE,
)  # fmt: skip
_DEFINING = re.compile(rb"^([A-Z][A-Z0-9_]{2,}\((?:\w+,[ \t]*)?)([A-Za-z_]\w*)\)[ \t]\{", re.MULTILINE)
_ALONE = re.compile(rb"^[ \t]*" + _NAME + rb"[ \t]*$", re.MULTILINE)
_ENDS = (b";", b"{", b"}", b":", b"*/")  # of a line after which something new begins
_CAPITALS = re.compile(rb"[A-Z]{3}")


def without_macros(data: bytes) -> bytes:
    """``data`` with blanks for such macros; the same object where there is none."""
    if not _CAPITALS.search(data):
        return data
    named = _DEFINING.sub(lambda found: b"int".ljust(len(found[1])) + found[2] + b"(){", data)
    return _BESIDE.sub(_blank_beside, _ALONE.sub(_blank_alone(data), named))


def _blank_beside(found: re.Match[bytes]) -> bytes:
    kept = found["head"] or found["end"] or found["start"] or b""
    return kept + b" " * (len(found[0]) - len(kept))


def _blank_alone(data: bytes) -> Callable[[re.Match[bytes]], bytes]:
    """A line that holds nothing else, after the end of something and not before a body."""

    def blank(found: re.Match[bytes]) -> bytes:
        before = data[data.rfind(b"\n", 0, max(found.start() - 1, 0)) + 1 : max(found.start() - 1, 0)].strip()
        after = data[found.end() : found.end() + 200].lstrip()
        fresh = not before or before.startswith((b"#", b"//")) or before.endswith(_ENDS)
        return b" " * len(found[0]) if fresh and not after.startswith(b"{") else found[0]

    return blank
