"""A shell command cut into simple commands: words, redirections, and what joins them.

Reads what agents write: quotes, escapes, pipes, lists, subshells, here-documents. Expands nothing: a word
with a ``$`` in it stays as it is written. Never raises; what is not closed goes to the end.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

LONGEST = 64 * 1024  # characters that are looked at
_HERE = re.compile(r"<<-?\s*(['\"]?)(\w+)\1([^\n]*)\n.*?(?:^[ \t]*\2[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_TOKEN = re.compile(
    r"""
    (?P<space>(?:[ \t\r]|\\\n)+)
    |(?P<comment>(?<![^\s;|&()])\#[^\n]*)
    |(?P<into>(?:[0-9]|&)?>>?\|?(?!&)|<>)
    |(?P<skip>[0-9]?[<>]&[0-9-]?|<<<)
    |(?P<from><)
    |(?P<pipe>\|(?!\|)&?)
    |(?P<join>&&|\|\||;;|[;&\n()])
    |(?P<word>(?:[^\s'"\\;|&()<>]|\\.|'[^']*(?:'|\Z)|"(?:[^"\\]|\\.)*(?:"|\Z))+)
    |(?P<rest>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_QUOTED = re.compile(r"""'([^']*)(?:'|\Z)|"((?:[^"\\]|\\.)*)(?:"|\Z)|\\(.)|([^'"\\]+)""", re.DOTALL)


class Simple(NamedTuple):
    """One command: its words, the files it writes into and reads from; ``piped``: fed by the one before."""

    words: list[str]
    into: list[str]
    source: list[str]
    piped: bool


def simple_commands(text: str) -> Iterator[Simple]:
    """The simple commands of ``text`` in order."""
    now, target = _empty(piped=False), None
    for kind, token in _tokens(_HERE.sub(r"\3\n", text[:LONGEST])):
        if kind == "word":
            (now.words if target is None else target).append(unquoted(token))
            target = None
        elif kind in ("into", "from", "skip"):
            target = {"into": now.into, "from": now.source}.get(kind, [])
            target = None if kind == "skip" and "&" in token else target
        else:
            yield from _said(now)
            now, target = _empty(piped=kind == "pipe"), None
    yield from _said(now)


def unquoted(word: str) -> str:
    """The word without its quotes and escapes."""
    return "".join(
        single or _unescaped(double) or escaped or bare
        for single, double, escaped, bare in _QUOTED.findall(word)
    )


def _unescaped(text: str) -> str:
    return re.sub(r'\\([$`"\\])', r"\1", text)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "rest"
        if kind not in ("space", "comment", "rest"):
            yield kind, match[0]


def _empty(*, piped: bool) -> Simple:
    return Simple([], [], [], piped)


def _said(command: Simple) -> Iterator[Simple]:
    if command.words or command.into:
        yield command
