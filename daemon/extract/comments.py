"""What stands above and at the head of a definition: its comment, its docstring, whether it is deprecated.

Read from lines, not from nodes: the same few rules hold in every language with such comments, and a comment
that a grammar hangs elsewhere is still found.
"""

import re

from navlog.daemon.extract.source import Source

DOC_CHARS = 160
LOOK_BACK = 60  # lines above a definition that can belong to it
HEAD_BYTES = 1500  # of a definition in which a deprecation mark is looked for

DOCSTRING = re.compile(rb"""\s*[rRuU]?(\"{3}|'{3}|"|')(.*?)(?:\1|\Z)""", re.DOTALL)
BLOCK_MARK = rb"\*(?=\s|$)|/\*[*!]?|\*/"
# What a line of comment begins with, by `Language.comment`; C's block comments go with each.
LINE_MARKS = {
    "//": re.compile(rb"\s*(?://+[/!]?|" + BLOCK_MARK + rb")"),
    "#": re.compile(rb"\s*(?:#+[:|]?(?!!)|" + BLOCK_MARK + rb")"),
    "--": re.compile(rb"\s*(?:--+(?:\[\[)?\s*\|?|" + BLOCK_MARK + rb")"),
    "%": re.compile(rb"\s*%+"),
    ";": re.compile(rb"\s*;+"),
}
TRAILING = {
    "//": re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL),
    "#": re.compile(r"(?:^|\s)#[^\n]*"),
    "--": re.compile(r"--[^\n]*"),
    "%": re.compile(r"%[^\n]*"),
    ";": re.compile(r";[^\n]*"),
}
ATTRIBUTE = re.compile(rb"\s*(?:template\s*<|#\[|@\w|\[\w[^\]]*\]\s*$)")
NOT_PROSE = re.compile(
    r"[@:\\]\w+|[-=*#/~_+.]*$|!|noqa|type:|pylint|(?:es|ts|js)lint|jshint|prettier-|biome-|(?-i:pragma|region)\b"
    r"|SPDX|Copyright|frozen_string_literal|-\*-|(?:en)?coding[:=]|vim?:",
    re.IGNORECASE,
)
XML_TAG = re.compile(r"</?(?:summary|para|p|remarks|returns|param|c|see)\b[^>]*>")
DEPRECATED = re.compile(
    rb"@deprecated\b|@typing\w*\.deprecated|@\w*deprecat|\[\[?\s*Obsolete|\[\[\s*deprecated|#\[deprecated"
    rb"|\.\. deprecated::|\bDeprecated:|@available\([^)]*deprecated|__attribute__\(\(deprecated",
    re.IGNORECASE,
)
WARNS = re.compile(rb"\s*(?:warnings\.)?warn\([^)]*?(?:DeprecationWarning|RemovedIn\w+Warning)", re.DOTALL)


def lead(source: Source, line: int, comment: str) -> int:
    """The first line of what belongs to the definition at ``line``: comments and attributes above it."""
    first, mark = line, LINE_MARKS[comment]
    for above in range(line - 1, max(0, line - LOOK_BACK), -1):
        row = source.row(above)
        if not row or not (mark.match(row) or ATTRIBUTE.match(row) or in_block_comment(source, above)):
            break
        first = above
    return first


def in_block_comment(source: Source, line: int) -> bool:
    """Whether ``line``, without a star of its own, ends or lies in a ``/* … */`` that ends right below it."""
    if not source.may_block:
        return False
    row = source.row(line).rstrip()
    below = source.row(line + 1).strip() if line < source.lines else b""
    if not row.endswith(b"*/") and (b"/*" in below or not below.endswith(b"*/")):
        return False
    return any(b"/*" in source.row(above) for above in range(line, max(0, line - LOOK_BACK), -1))


def comment_line(text: bytes, comment: str) -> str:
    """The first line of prose in a block of comment lines; "" where there is none."""
    for row in text.split(b"\n") if text else ():
        mark = LINE_MARKS[comment].match(row)
        if mark and (prose := tidy(row[mark.end() :].removesuffix(b"*/"))):
            return prose
    return ""


def without_comments(text: str, comment: str) -> str:
    """A signature's text; a ``#`` or ``//`` in a default's string is taken for a comment too."""
    return TRAILING[comment].sub("", text) if comment in text else text


def docstring(body: bytes) -> str:
    """The first line of the string a Python block begins with; "" where it begins with something else."""
    found = DOCSTRING.match(body)
    if not found:
        return ""
    return next((line for row in found[2].split(b"\n") if (line := tidy(row))), "")


def after_docstring(body: bytes) -> bytes:
    found = DOCSTRING.match(body)
    return body[found.end() :] if found else body


def tidy(row: bytes) -> str:
    """A line as prose, or "" for tags, rules and tools' marks."""
    text = " ".join(XML_TAG.sub("", row.decode("utf-8", "replace")).split())
    if NOT_PROSE.match(text):
        return ""
    return text if len(text) <= DOC_CHARS else text[: DOC_CHARS - 1] + "…"


def is_deprecated(head: bytes, body: bytes) -> bool:
    """``head``: comment, decorators and signature; ``body``: the beginning of what follows."""
    return bool(DEPRECATED.search(head) or WARNS.match(after_docstring(body)) or b".. deprecated::" in body)
