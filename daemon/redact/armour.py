"""Private keys: blocks between BEGIN and END that span lines, whole or cut, in any escaping."""

import re
from typing import NamedTuple

from navlog.daemon.redact.rule import Rule, Span

_KIND = r"[ +](?:[A-Z0-9]{1,12}[ +]){0,4}PRIVATE[ +]KEY(?:[ +]BLOCK)?-----"
# What stands between two lines of a block: line ends, also escaped; quotes and signs of languages that join
# strings; marks of quoting and indenting.
_BREAK = r"(?:\\+[nr]|[\s\"'`+,>|#*\\]){0,80}+"
_BODY = r"[A-Za-z0-9+/=]"
_HEADERS = rf"(?:[A-Z][A-Za-z-]{{2,20}}: [^\r\n\\]{{1,200}}{_BREAK}){{0,6}}"
_WHOLE = rf"(?:{_BREAK}{_BODY}+)*+{_BREAK}-----END{_KIND}"
_CUT = rf"(?:{_BREAK}{_BODY}{{16,}}+)*+"
_BLOCK = re.compile(rf"-----BEGIN{_KIND}{_BREAK}{_HEADERS}{_BODY}{{16,}}+(?:{_WHOLE}|{_CUT})")
_PUTTY = re.compile(rf"(?i:private-lines:) ?\d{{1,4}}{_BREAK}(?P<s>{_BODY}{{16,}}+{_CUT})")
_END = re.compile(rf"-----END{_KIND}")
_LINE = re.compile(rf"{_BREAK}{_BODY}++{_BREAK}")
_SHORTEST = 40  # characters of base64 before an END line that are worth hiding


class TailRule(NamedTuple):
    """The end of a block whose beginning was cut off, as ``tail`` prints it."""

    name: str
    keywords: tuple[str, ...]

    def at(self, text: str, position: int) -> Span | None:
        """From the first of the base64 lines before the END line to its end."""
        end = _END.match(text, position)
        if end is None:
            return None
        line = top = text.rfind("\n", 0, position) + 1
        while top:
            above = text.rfind("\n", 0, top - 1) + 1
            if not _LINE.fullmatch(text, above, top - 1):
                break
            top = above
        return (top, end.end()) if line - top >= _SHORTEST else None


ARMOUR: tuple[Rule | TailRule, ...] = (
    Rule("private-key", ("-----BEGIN",), _BLOCK),
    TailRule("private-key", ("-----END",)),
    Rule("private-key", ("private-lines:",), _PUTTY),
)
