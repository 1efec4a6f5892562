"""A document as blocks of plain text under headings: Markdown, reStructuredText, or neither.

Small on purpose: enough to find sentences, list items and code. It refuses to render: tables give their
cells, HTML its text, images and badges nothing. Reads at most `CHARS`: no document takes long.
"""

import html
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

CHARS = 200_000
SENTENCE_CHARS = 600  # longer ones are tables and minified text

_ATX = re.compile(r"\s{0,3}(#{1,6})\s+(.+?)\s*#*\s*$")
_RULE = re.compile(r"([=\-~^\"'`#*+.])\1{2,}\s*$")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ITEM = re.compile(r"\s*(?:[-*+•]|(?:\d{1,3}|#)[.)、]|[a-z][.)])\s+(?:\[[ xX]\]\s+)?(?=\S)")
_FIELD = re.compile(r"\s*:[\w -]+:(?:\s|$)")
_RST = re.compile(r"\s*\.\.(?:\s|$)")
_HTML_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(r"\A---\n(.{0,2000}?)\n---\n", re.DOTALL)
_IMAGE = re.compile(r"!\[(?:[^\[\]]|\[[^\]]*\])*\](?:\([^)]*\)|\[[^\]]*\])|\|[\w -]+\|(?=\s|$)")
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\](?:\([^)]*\)|\[[^\]]*\])")
_TARGET = re.compile(r"^\s{0,3}\[[^\]]+\]:\s*\S+.*$")
_TITLE = re.compile(r"\s*<h([1-6])\b[^>]*>(.*?)(?:</h\1>|$)", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,400}>")
_AUTO = re.compile(r"<(?:https?|mailto):[^<>\s]+>")
_ROLE = re.compile(r":(?:[\w-]+:)?[\w-]+:`(?:([^`<]*?)\s*<[^`>]*>|[~!.]*([^`]*))`")
_RST_LINK = re.compile(r"`([^`<>]+?)\s*<[^`<>]+>`__?|`([^`]+)`_|\b([A-Za-z0-9]+)_(?=[\s,;:)]|\.(?!\w)|$)")
_EMPHASIS = re.compile(r"(?<![\w*_])([*_]{1,3})(?=\S)(.{1,500}?)(?<=\S)\1(?![\w*_]|\.\w)")
_CALLOUT = re.compile(r"^\[![A-Z]+\]\s*")
_STOP = re.compile(
    r"(?<=[。！？；])|(?<=[.!?])(?:[\"')\]]*)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\betc\.)(?<!\bno\.)\s+(?=[A-Z\"'`(\[<0-9\u3400-\u9fff])"
)

_NOTHING = (_TARGET, re.compile(rf"\s*{_RULE.pattern}"), _FIELD, _RST)  # lines that say nothing by themselves


class Block(NamedTuple):
    """``headings``: those above it, the highest first; ``kind`` meta is front matter. Lines count from 1."""

    headings: tuple[str, ...]
    kind: Literal["text", "item", "code", "meta"]
    text: str
    line: int

    @property
    def plain(self) -> str:
        """The text without its marks."""
        return plain(self.text)


def blocks(text: str) -> list[Block]:
    """The blocks of a document in its order."""
    text = _HTML_COMMENT.sub(lambda hit: "\n" * hit[0].count("\n"), text[:CHARS].replace("\r\n", "\n"))
    reader = _Reader()
    if meta := _META.match(text):
        reader.found.append(Block((), "meta", meta[1], 2))
        text = "\n" * meta[0].count("\n") + text[meta.end() :]
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        reader.read(number, line, lines[number] if number < len(lines) else "")
    reader.end()
    return reader.found


def sentences(text: str) -> list[str]:
    """The sentences of plain text; a colon, a list or a line of Chinese ends one where its sign does."""
    found = (part.strip() for part in _STOP.split(text))
    return [part[:SENTENCE_CHARS] for part in found if part]


def plain(text: str) -> str:
    """One line without links, images, tags, emphasis and roles; code keeps its backticks."""
    text = _IMAGE.sub(" ", _AUTO.sub(" ", text))
    text = _LINK.sub(r"\1", text)
    text = _ROLE.sub(lambda hit: f"`{(hit[1] or hit[2]).strip()}`", text)
    text = _EMPHASIS.sub(r"\2", text)
    text = _RST_LINK.sub(lambda hit: hit[1] or hit[2] or hit[3], text.replace("``", "`"))
    text = html.unescape(_TAG.sub(" ", text))
    return " ".join(_CALLOUT.sub("", text.strip()).split())


class _Reader:
    """Line by line; what a line is depends on the one before and on the next."""

    def __init__(self) -> None:
        self.found: list[Block] = []
        self._headings: list[tuple[int, str]] = []
        self._styles: dict[str, int] = {}
        self._open: list[str] = []
        self._kind: Literal["text", "item", "code"] = "text"
        self._line = 0
        self._fence = ""
        self._titled = 0
        self._listed = False  # what is indented belongs to an item, whatever stands between them

    def read(self, number: int, line: str, after: str) -> None:
        if self._in_fence(number, line) or self._is_heading(number, line, after):
            return
        if not line.strip() or any(pattern.match(line) for pattern in _NOTHING):
            self.end()
        elif self._is_code(line):
            self._go_on("code", number, line)
        elif item := _ITEM.match(line):
            self.end()
            self._listed = True
            self._go_on("item", number, line[item.end() :])
        elif line.lstrip().startswith("|"):
            self.end()
            self._row(number, line)
        else:
            kind = self._kind if self._open and self._kind != "code" else "text"
            self._listed = kind == "item" or (self._listed and line[0].isspace())
            self._go_on(kind, number, line.lstrip("> "))

    def end(self) -> None:
        """The block that is open ends."""
        headings = tuple(text for _, text in self._headings)
        join = "\n" if self._kind == "code" else " "
        block = Block(headings, self._kind, join.join(self._open), self._line)
        if block.text.strip() if self._kind == "code" else block.plain:
            self.found.append(block)
        self._open = []
        self._kind = "text"

    def _go_on(self, kind: Literal["text", "item", "code"], number: int, line: str) -> None:
        if self._open and self._kind != kind:
            self.end()
        if not self._open:
            self._kind, self._line = kind, number
        self._open.append(line if kind == "code" else line.strip())

    def _row(self, number: int, line: str) -> None:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not all(set(cell) <= set(":- ") for cell in cells):
            self._go_on("item", number, ": ".join(filter(None, cells)))
            self.end()

    def _in_fence(self, number: int, line: str) -> bool:
        fence = _FENCE.match(line) if number != self._titled else None
        if self._fence:
            if fence and fence[1].startswith(self._fence) and not line.strip().strip(self._fence[0]):
                self._fence = ""
                self.end()
            else:
                self._go_on("code", number, line)
            return True
        if fence:
            self.end()
            self._fence = fence[1]
        return bool(fence)

    def _is_heading(self, number: int, line: str, after: str) -> bool:
        if number == self._titled:
            return True  # the rule below a title
        if atx := _ATX.match(line):
            self._head(len(atx[1]), plain(atx[2]))
        elif tagged := _TITLE.match(line):
            self._head(int(tagged[1]), plain(tagged[2]))
        elif (rule := _RULE.fullmatch(after)) and not self._open and _is_title(line, after):
            self._head(self._styles.setdefault(rule[1], len(self._styles) + 1), plain(line))
            self._titled = number + 1
        else:
            return False
        return True

    def _head(self, level: int, text: str) -> None:
        self.end()
        self._listed = False
        if text:
            self._headings = [*(one for one in self._headings if one[0] < level), (level, text)]

    def _is_code(self, line: str) -> bool:
        """Indented text is code; below an item only what is indented twice, and not right after it."""
        after_item = bool(self.found) and self.found[-1].kind == "item"
        least = ("        ", "\t\t") if self._listed else ("    ", "\t")
        return line.startswith(least) and not after_item and (not self._open or self._kind == "code")


def _is_title(line: str, rule: str) -> bool:
    """Whether a line above a rule is a title: text, not indented, and not much longer than its rule."""
    text = line.strip()
    return (
        bool(text)
        and not line.startswith((" ", "\t", "|", "-"))
        and len(rule.rstrip()) >= min(len(text), 40) - 2
    )


def mentioned(block: Block) -> Iterator[tuple[str, str]]:
    """(how, name) of what a block points at: ``code`` in backticks, ``link`` targets, ``path`` bare ones."""
    for hit in _TICKS.finditer(block.text):
        yield "code", hit[1].strip()
    for hit in _LINKED.finditer(block.text):
        yield "link", hit[1]
    for hit in _ROLE.finditer(block.text):
        yield "code", (hit[2] or hit[1]).strip()
    for hit in _PATH.finditer(_LINKED.sub(" ", _TICKS.sub(" ", block.text))):
        yield "path", hit[0]


_TICKS = re.compile(r"`{1,2}([^`\n]{2,120})`{1,2}")
_LINKED = re.compile(r"\]\(\s*<?([^\s<>()#?]+)")
_PATH = re.compile(r"(?<![\w/.:@-])(?:[\w.@-]+/)+[\w.@-]*\w")
