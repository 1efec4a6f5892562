"""Repository text as data inside an answer: a block that its own content cannot close, and characters that
cannot hide, reorder or command.

The boundary is drawn anew by the caller for each block; this module draws nothing. It keeps a model from
being fooled by the form of a text. What a model does with the words is not promised.
"""

import re

# What shows nothing, reorders what is shown, or drives a terminal: C0 and C1 controls but tab and
# newline, soft hyphen, Arabic letter mark, zero-width and bidirectional marks, line and paragraph
# separators, invisible operators, interlinear marks, variation selectors, tags (UAX #9 and UTS #39 name
# them).
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# What is none of these and ASCII hides nothing, which is told in a tenth of a search's time.
_PLAIN = bytes(range(0x20, 0x7F)) + b"\t\n"
_BOUNDARY = re.compile(r"[0-9a-f]{16,64}")
_TAKEN = "(boundary)"


def neutral(text: str) -> str:
    """``text`` with unseen characters written as their code points, and newlines as ``\\n``."""
    if text.isascii() and not text.encode().translate(None, _PLAIN):
        return text
    return _UNSEEN.sub(lambda match: f"<U+{ord(match[0]):04X}>", text.replace("\r\n", "\n"))


def fence(title: str, body: str, boundary: str) -> str:
    """One block of data. ``boundary``: 16 to 64 lower-case hex digits, drawn for this call; else ValueError.

    The boundary stands in the first and the last line and nowhere else.
    """
    if not _BOUNDARY.fullmatch(boundary):
        raise ValueError("a boundary is 16 to 64 lower-case hex digits")
    taken = re.compile(boundary, re.IGNORECASE)
    inside = taken.sub(_TAKEN, neutral(body)).strip("\n")
    name = " ".join(taken.sub(_TAKEN, neutral(title)).split())
    return f"<navlog {boundary}> {name}\n{inside}\n</navlog {boundary}>\n"
