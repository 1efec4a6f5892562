"""Documents: headings and pointers of Markdown and reStructuredText.

Links inside a line are found by patterns: the Markdown grammar parses lines in a second tree per paragraph,
which costs more than all the rest. Nothing is looked for in code blocks.
"""

import re
from collections.abc import Iterator, Sequence

from navlog.daemon.extract.source import Source
from navlog.schemas.events import Link, Symbol

TARGET_CHARS = 300
HEADING_CHARS = 200

WIKI = re.compile(r"(!?)\[\[([^\[\]|#\n]+)(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]")
INLINE = re.compile(
    r"(!?)\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\]\(\s*<?([^\s<>()]+(?:\([^\s()]*\))?)>?(?:\s+[\"'(][^\n]*?)?\s*\)"
)
DEFINED = re.compile(r"^\s{0,3}\[[^\]\n]+\]:\s*<?(\S+?)>?(?:\s|$)")
AUTOLINK = re.compile(r"<((?:https?|mailto|file):[^<>\s]+)>")
HTML_LINK = re.compile(r"<(?:a|img)\b[^>]*?\b(?:href|src)\s*=\s*[\"']([^\"'\n]+)[\"']", re.IGNORECASE)
TICKS = re.compile(r"(?<!`)(`{1,2})(?!`)([^`\n]{2,120})\1(?!`)")
# A path (with a slash or an ending), a dotted name, a call: what can be looked up.
POINTER = re.compile(
    r"(?:[\w.@~-]*/)+[\w.@*-]+(?::\d+)?/?|[\w-]+(?:\.[\w-]+)+(?::\d+)?|[A-Za-z_]\w{2,}(?:(?:\.|::)\w+)*(?:\(\))?"
)

RST_ROLE = re.compile(r":(?:[\w-]+:)?([\w-]+):`(?:[^`<]*<)?[~!.]*([^`<>\n]+?)>?`")
RST_LINK = re.compile(r"`[^`<>\n]*<([^`<>\s]+)>`_")
RST_FILE = re.compile(r"^\s*\.\. (?:include|literalinclude|figure|image|toctree)::\s*(\S+)")
RST_TARGET = re.compile(r"^\s*\.\. _[^:\n]+:\s+(\S+)")
RST_RULE = re.compile(rb"([=\-~^\"'`#*+.:_<>])\1{2,}\s*$")
RST_DIRECTIVE = re.compile(rb"^\.\. [\w:-]+::|^\.\. _|:[\w-]+:`", re.MULTILINE)
RULES = frozenset(bytes([sign]) for sign in b"=-~^\"'`#*+.:_<>")
DOCUMENT_ROLES = frozenset({"doc", "ref", "download", "file", "numref"})

Heading = tuple[int, int, str]  # line, level (1 is the highest), text


def sections(headings: Sequence[Heading], last: int) -> list[Symbol]:
    """Headings as symbols that span to the next one of their level or a higher."""
    symbols: list[Symbol] = []
    open_: list[tuple[int, int]] = []  # (level, index)
    for index, (line, level, text) in enumerate(headings):
        while open_ and open_[-1][0] >= level:
            open_.pop()
        later = range(index + 1, len(headings))
        end = next((headings[i][0] for i in later if headings[i][1] <= level), last + 1) - 1
        symbols.append(Symbol(text[:HEADING_CHARS], "heading", line, end, open_[-1][1] if open_ else -1))
        open_.append((level, index))
    return symbols


def markdown_links(source: Source, verbatim: Sequence[tuple[int, int]]) -> list[Link]:
    """Links, images, wiki links and code pointers outside the ``verbatim`` line ranges."""
    skipped = {line for first, last in verbatim for line in range(first, last + 1)}
    found = (
        link
        for line in range(1, source.lines + 1)
        if line not in skipped
        for link in line_links(source.row(line).decode("utf-8", "replace"), line)
    )
    return distinct(found)


def line_links(text: str, line: int) -> Iterator[Link]:
    if "`" in text:
        yield from (
            Link(found[2].strip(), "code", line) for found in TICKS.finditer(text) if is_pointer(found[2])
        )
        text = TICKS.sub(lambda found: " " * len(found[0]), text) if "](" not in text else text
    if "[" in text:
        yield from (Link(f[2].strip(), "image" if f[1] else "wiki", line) for f in WIKI.finditer(text))
        yield from (Link(f[2], "image" if f[1] else "link", line) for f in INLINE.finditer(text))
        yield from (Link(f[1], "link", line) for f in DEFINED.finditer(text))
    if "<" in text:
        yield from (
            Link(f[1], "link", line) for pattern in (AUTOLINK, HTML_LINK) for f in pattern.finditer(text)
        )


def is_pointer(text: str) -> bool:
    return POINTER.fullmatch(text.strip()) is not None


def distinct(links: Iterator[Link]) -> list[Link]:
    """Each (target, kind) once, where it stands first."""
    first: dict[tuple[str, str], Link] = {}
    for link in links:
        first.setdefault((link.target[:TARGET_CHARS], link.kind), link)
    return [Link(target, kind, link.line) for (target, kind), link in first.items()]


def looks_like_rst(source: Source) -> bool:
    """Whether a plain text file is written in reStructuredText (Django's documentation is)."""
    return bool(RST_DIRECTIVE.search(source.data)) and bool(rst_headings(source))


def rst_headings(source: Source) -> list[Heading]:
    """Titles by their underline; a style's level is its order of appearance, with overlines apart."""
    styles: dict[bytes, int] = {}
    found: list[Heading] = []
    rows = source.rows
    for index in range(1, len(rows)):
        if rows[index][:1] not in RULES:
            continue
        title, rule = rows[index - 1].rstrip(), RST_RULE.match(rows[index])
        if not rule or not is_title(title, rows[index].rstrip()):
            continue
        over = index > 1 and rows[index - 2].rstrip() == rows[index].rstrip()
        level = styles.setdefault(rule[1] * (2 if over else 1), len(styles) + 1)
        found.append((index - over, level, title.decode("utf-8", "replace").strip()))
    return found


def is_title(title: bytes, rule: bytes) -> bool:
    """A line of text no longer than its rule, that is no rule itself and, but for overlines, not indented."""
    width = len(title.decode("utf-8", "replace").strip())
    return (
        0 < width <= len(rule) + 2
        and not RST_RULE.match(title)
        and not title.startswith((b"  ", b"\t", b".. "))
    )


def rst_links(source: Source) -> list[Link]:
    """Roles, links, included files and code pointers."""
    found = (
        link
        for line in range(1, source.lines + 1)
        if b"`" in (row := source.row(line)) or row.lstrip().startswith(b".. ")
        for link in rst_line_links(row.decode("utf-8", "replace"), line)
    )
    return distinct(found)


def rst_line_links(text: str, line: int) -> Iterator[Link]:
    if ":`" in text:
        roles = RST_ROLE.finditer(text)
        yield from (Link(f[2], "link" if f[1] in DOCUMENT_ROLES else "code", line) for f in roles)
    if "``" in text:
        literals = (found[2].strip() for found in TICKS.finditer(text) if len(found[1]) == 2)
        yield from (Link(literal, "code", line) for literal in literals if is_pointer(literal))
    if "`_" in text or ".. " in text:
        yield from (
            Link(f[1], "link", line) for p in (RST_LINK, RST_FILE, RST_TARGET) for f in p.finditer(text)
        )
