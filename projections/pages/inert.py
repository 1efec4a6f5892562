"""A repository's words on a page: shown as they are, and doing nothing.

What plugins and Obsidian itself act on is taken apart: Templater runs ``<%`` even inside a fence, Dataview
runs code spans that begin with ``=`` or ``$=`` and reads ``key:: value``, Obsidian makes links, embeds, tags,
comments, block ids and mathematics of plain text, and renders HTML. Nothing here shortens by meaning: texts
are cut to a length, and end in an ellipsis then.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from navlog.projections.quoting import neutral

TEXT_CHARS = 300
LABEL_CHARS = 120
KEPT = 1 << 14  # texts that are made again and again: most of a page is as it was
_BLANK = re.compile(r"\s+")
_MARKUP = re.compile(r"[\\`*_\[\]{}#~$%^=!]|:(?=[:/])|(?<=:):")
_START = re.compile(r"[-+>:]|\d+[.)]")
_PLAIN = re.compile(r"[\w./@+,()\-][\w ./@+,()\-]*", re.ASCII)
# A command or a name: nothing that Templater or Dataview runs, and no table's border.
_SPAN = re.compile(
    r"(?<![`\\])`((?=[\w./@~-])(?:[\w ./()@~&*+,;'\"=-]|:(?![:/])|%(?!%))*[\w./()*'\"])`(?!`)", re.ASCII
)
# Inside a link's label nothing can be escaped: what would end it or mean something gets a look-alike.
_ALIKE = str.maketrans(
    {"[": "(", "]": ")", "|": "¦", "<": "‹", ">": "›", "`": "'", "\\": "/", "#": "＃", "^": "＾",
     "$": "＄", "*": "＊", "~": "～"}
)  # fmt: skip


_PAIRS = (("==", "＝＝"), ("%%", "％％"), ("::", "∷"), ("://", "∶//"))  # one of them alone means nothing


def one_line(text: str, limit: int = TEXT_CHARS) -> str:
    """``text`` without unseen characters and line breaks, at most ``limit`` characters."""
    line = _BLANK.sub(" ", neutral(text[: 4 * limit])).strip()
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


@lru_cache(maxsize=KEPT)
def text(words: str, limit: int = TEXT_CHARS) -> str:
    """Prose: reads as it was written, wherever it stands in a line of a page; names in code spans stay so."""
    parts = _SPAN.split(one_line(words, limit))
    parts[::2] = map(_escaped, parts[::2])
    parts[1::2] = [f"`{one}`" for one in parts[1::2]]
    return _escaped_start("".join(parts))


@lru_cache(maxsize=KEPT)
def code(words: str, limit: int = TEXT_CHARS) -> str:
    """A name or a path in a code span; what cannot stand in one safely stands as prose."""
    line = one_line(words, limit)
    return f"`{line}`" if _PLAIN.fullmatch(line) else text(words, limit)


@lru_cache(maxsize=KEPT)
def label(words: str, limit: int = LABEL_CHARS) -> str:
    """A link's label, never empty."""
    line = one_line(words, limit).translate(_ALIKE)
    for pair, alike in _PAIRS:
        line = line.replace(pair, alike)
    return "＝" + line[1:] if line.startswith("=") else line or "…"


def block(lines: Iterable[str], limit: int = 200) -> list[str]:
    """A fence of plain text; each line is one line of it."""
    inside = (one_line(line, limit).replace("<%", "< %").replace("```", "'''") for line in lines)
    return ["```text", *(_not_leading(line) for line in inside), "```"]


def _escaped(prose: str) -> str:
    line = prose.replace("&", "&amp;").replace("<", "&lt;")
    return _MARKUP.sub(lambda match: "\\" + match[0], line)


def _not_leading(line: str) -> str:
    return f" {line}" if line.startswith(("=", "$=", "~~~")) else line


def _escaped_start(line: str) -> str:
    found = _START.match(line)
    if not found:
        return line
    at = found.end() - 1
    return f"{line[:at]}\\{line[at:]}"
