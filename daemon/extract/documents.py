"""Documents: headings and pointers of Markdown and reStructuredText.

Links inside a line are found by patterns: the Markdown grammar parses lines in a second tree per paragraph,
which costs more than all the rest. Nothing is looked for in code blocks.
"""

import re
from collections.abc import Sequence

from navlog.daemon.extract.source import Source
from navlog.schemas.events import Link, Symbol

TARGET_CHARS = 300
HEADING_CHARS = 200

WIKI = re.compile(rb"(!?)\[\[([^\[\]|#\n]+)(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]")
INLINE = re.compile(
    rb"(!?)\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\]"  # the text, one level of brackets in it
    rb"\(\s*<?([^\s<>()]+(?:\([^\s()]*\))?)>?(?:\s+[\"'(][^\n]*?)?\s*\)"  # the target and a title
)
PLAIN_LINKS = (
    re.compile(rb"^\s{0,3}\[[^\]\n]+\]:\s*<?(\S+?)>?(?=\s|$)", re.MULTILINE),
    re.compile(rb"<((?:https?|mailto|file):[^<>\s]+)>"),
    re.compile(rb"<(?:a|img)\b[^>\n]*?\b(?:href|src)\s*=\s*[\"']([^\"'\n]+)[\"']", re.IGNORECASE),
)
# One tick or two on either side. Patterns that begin with what is written are four times as fast as those
# that begin with a look around, or with the beginning of a line.
TICKS = re.compile(rb"`(?<!``)(`?)(?!`)([^`\n]{2,120})`\1(?!`)")
# A path (with a slash or an ending), a dotted name, a call: what can be looked up.
POINTER = re.compile(
    r"(?:[\w.@~-]*/)+[\w.@*-]+(?::\d+)?/?"
    r"|[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\(\))?"
    r"|[A-Za-z_]\w{2,}(?:(?:\.|::)\w+)*(?:\(\))?"
)

RST_ROLE = re.compile(rb":(?:[\w-]+:)?([\w-]+):`(?:[^`<\n]*<)?[~!.]*([^`<>\n]+?)>?`")
RST_LINK = re.compile(rb"`[^`<>\n]*<([^`<>\s]+)>`_")
RST_EXPLICIT = (
    re.compile(rb"\.\. (?:include|literalinclude|figure|image)::[ \t]*(\S+)"),
    re.compile(rb"\.\. _[^:\n]+:[ \t]+(\S+)"),
)  # where a line begins
_SIGN = rb"([=\-~^\"'`#*+.:_<>])"
RST_RULE = re.compile(_SIGN + rb"\1{2,}[ \t]*$")
RST_UNDERLINE = re.compile(rb"\n(" + _SIGN + rb"\2{2,})[ \t]*$", re.MULTILINE)
RST_DIRECTIVE = re.compile(rb"^\.\. [\w:-]+::|^\.\. _|:[\w-]+:`", re.MULTILINE)
DOCUMENT_ROLES = frozenset({b"doc", b"ref", b"download", b"file", b"numref"})

INI_LINE = re.compile(
    rb"^\[([^\]\n]{1,100})\]|^(?:export[ \t]+)?([A-Za-z][\w.-]{0,99})[ \t]*[=:]", re.MULTILINE
)

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


def ini_symbols(source: Source) -> list[Symbol]:
    """Sections, to the next one, and their keys; a key's value may go on in lines that are indented."""
    found = [
        (
            source.line_of(hit.start()),
            "table" if hit[1] else "key",
            (hit[1] or hit[2]).decode("utf-8", "replace"),
        )
        for hit in INI_LINE.finditer(source.data)
    ]
    ends: list[int] = []
    any_ends = section_ends = source.lines
    for line, kind, _ in reversed(found):
        ends.append(max(line, section_ends if kind == "table" else any_ends))
        any_ends = line - 1
        section_ends = line - 1 if kind == "table" else section_ends
    symbols: list[Symbol] = []
    section = -1
    for (line, kind, name), end in zip(found, reversed(ends), strict=True):
        section = len(symbols) if kind == "table" else section
        symbols.append(Symbol(name, kind, line, end, -1 if kind == "table" else section))
    return symbols


def markdown_links(source: Source, verbatim: Sequence[tuple[int, int]]) -> list[Link]:
    """Links, images, wiki links and code pointers outside the ``verbatim`` line ranges."""
    prose = source.without(verbatim)
    found = [(hit.start(), "code", hit[2]) for hit in TICKS.finditer(prose) if is_pointer(hit[2])]
    prose = TICKS.sub(lambda hit: b" " * len(hit[0]), prose)
    found += [(hit.start(), "image" if hit[1] else "wiki", hit[2].strip()) for hit in WIKI.finditer(prose)]
    found += [(hit.start(), "image" if hit[1] else "link", hit[2]) for hit in INLINE.finditer(prose)]
    found += [(hit.start(1), "link", hit[1]) for pattern in PLAIN_LINKS for hit in pattern.finditer(prose)]
    return distinct(found, source)


def is_pointer(text: bytes) -> bool:
    return POINTER.fullmatch(text.decode("utf-8", "replace").strip()) is not None


def distinct(found: list[tuple[int, str, bytes]], source: Source) -> list[Link]:
    """Each (target, kind) once, where it stands first; in the text's order."""
    first: dict[tuple[str, bytes], int] = {}
    for at, kind, target in sorted(found):
        first.setdefault((kind, target), at)
    return [
        Link(target.decode("utf-8", "replace").strip()[:TARGET_CHARS], kind, source.line_of(at))
        for (kind, target), at in first.items()
    ]


def begins_line(data: bytes, at: int) -> bool:
    """Whether there are but blanks before ``at`` in its line."""
    return not data[data.rfind(b"\n", 0, at) + 1 : at].strip(b" \t")


def may_be_rst(source: Source) -> bool:
    """Whether a plain text file may be reStructuredText (Django's documentation is): directives or roles."""
    return RST_DIRECTIVE.search(source.data) is not None


def rst_headings(source: Source) -> list[Heading]:
    """Titles by their underline; a style's level is its order of appearance, with overlines apart."""
    styles: dict[bytes, int] = {}
    found: list[Heading] = []
    for rule in RST_UNDERLINE.finditer(source.data):
        line = source.line_of(rule.start(1))
        title = source.row(line - 1).rstrip()
        if not is_title(title, rule[1]):
            continue
        over = line > 2 and source.row(line - 2).rstrip() == rule[1]
        level = styles.setdefault(rule[2] * (2 if over else 1), len(styles) + 1)
        found.append((line - 1 - over, level, title.decode("utf-8", "replace").strip()))
    return found


def is_title(title: bytes, rule: bytes) -> bool:
    """A line of text no longer than its rule, that is no rule itself and, but for overlines, not indented."""
    width = len(title.decode("utf-8", "replace").strip())
    indented = title.startswith((b"  ", b"\t", b".. "))
    return 0 < width <= len(rule) + 2 and not RST_RULE.match(title) and not indented


def rst_links(source: Source) -> list[Link]:
    """Roles, links, included files and code pointers."""
    data = source.data
    found = [
        (hit.start(), "link" if hit[1] in DOCUMENT_ROLES else "code", hit[2])
        for hit in RST_ROLE.finditer(data)
    ]
    literals = (hit for hit in TICKS.finditer(data) if hit[1])
    found += [(hit.start(), "code", hit[2]) for hit in literals if is_pointer(hit[2])]
    found += [(hit.start(1), "link", hit[1]) for hit in RST_LINK.finditer(data)]
    found += [
        (hit.start(1), "link", hit[1])
        for pattern in RST_EXPLICIT
        for hit in pattern.finditer(data)
        if begins_line(data, hit.start())
    ]
    return distinct(found, source)
