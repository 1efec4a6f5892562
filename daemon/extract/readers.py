"""Where environment variables and configuration keys are named by a literal, as references of the kinds
``env`` and ``key``.

By patterns over the text, of which few files match any; what stands in a comment or is the text of a string
is left out by asking the tree. A name that is computed is not known.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from navlog.daemon.extract.source import Source
from navlog.schemas.events import Reference

NAME = r"""\s*["'`]([A-Za-z_][\w.:-]{0,99})["'`]"""
CAPITALS = r"([A-Z][A-Z0-9_]+)\b"
# Texts of strings and comments; interpolations inside of strings are nodes of other types.
TEXTS = frozenset({"string_content", "string_fragment", "string_literal_content", "heredoc_body", "raw_text"})


class Reader(NamedTuple):
    """Right after one of ``anchors`` stands what ``pattern`` matches; its group is the name.

    Searched for like this, a megabyte costs a millisecond; by a pattern that begins with a choice, 50.
    """

    kind: str
    anchors: tuple[bytes, ...]
    pattern: re.Pattern[bytes]


def reader(kind: str, anchors: str, pattern: str = NAME) -> Reader:
    return Reader(kind, tuple(anchors.encode().split()), re.compile(pattern.encode()))


KEYED = reader("key", "onfig[ onfig.get( CONFIG[ CONFIG.get( ettings[ ettings.get( conf[ conf.get(")
SCRIPT = (
    reader("env", "process.env. import.meta.env.", r"([A-Za-z_]\w*)"),
    reader("env", "process.env[ Deno.env.get("),
    KEYED,
)
JVM = (
    reader("env", "getenv("),
    reader("key", "getProperty("),
    reader("key", "@Value(", r"""\s*"\$\{([\w.-]+)"""),
)
READERS: dict[str, tuple[Reader, ...]] = {
    "python": (
        reader("env", "environ[ environ.get( environ.setdefault( environ.pop( getenv( env("),
        Reader("env", (b" env.",), re.compile(rf"[a-z]+\({NAME}".encode())),
        reader("key", "settings.", CAPITALS),
        reader("key", "attr(settings,"),
        KEYED,
    ),
    **dict.fromkeys(("javascript", "typescript", "tsx"), SCRIPT),
    **dict.fromkeys(("java", "kotlin", "scala"), JVM),
    **dict.fromkeys(("c", "cpp", "objc"), (reader("env", "getenv("),)),
    "go": (
        reader("env", "os.Getenv( os.LookupEnv( os.Setenv("),
        reader("env", "env:", r'"(\w+)'),
        reader("key", "viper.", rf"\w+\({NAME}"),
        reader("key", "mapstructure: yaml: toml: koanf:", r'"([A-Za-z_][\w.-]*)'),
    ),
    "rust": (reader("env", "env::", rf"\w+\({NAME}"), reader("env", "env!(")),
    "ruby": (reader("env", "ENV[ ENV.fetch("),),
    "php": (reader("env", "env( $_ENV[ $_SERVER["), reader("key", "config(")),
    "csharp": (
        reader("env", "GetEnvironmentVariable("),
        reader("key", "onfiguration[ GetSection("),
    ),
    "bash": (reader("env", "${", r"([A-Z][A-Z0-9_]+):?[-=?+]"),),
    "yaml": (
        reader("env", "${", CAPITALS),
        Reader("env", (b"\n",), re.compile(rb"[ \t]+(?:-[ \t]+)?([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=|:[ \t\n])")),
    ),
    "dockerfile": (reader("env", "ENV ARG", r"[ \t]+([A-Za-z_]\w*)"),),
}


def readings(language: str, source: Source, root: Node) -> list[Reference]:
    """By first line, kind and name."""
    lines: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    for one in READERS.get(language, ()):
        for name, at in _found(one, source.data):
            if not _is_text(root.descendant_for_byte_range(at - 1, at)):
                lines[one.kind, name].add(source.line_of(at))
    found = [Reference(name, kind, sorted(at)) for (kind, name), at in lines.items()]
    return sorted(found, key=lambda one: (one.lines[0], one.kind, one.name))


def _found(one: Reader, data: bytes) -> Iterator[tuple[str, int]]:
    """Names, and where their anchor ends."""
    for anchor in one.anchors:
        at = data.find(anchor)
        while at >= 0:
            at += len(anchor)
            if hit := one.pattern.match(data, at):
                yield hit[1].decode(), at
            at = data.find(anchor, at)


def _is_text(node: Node | None) -> bool:
    return node is not None and (node.type in TEXTS or "comment" in node.type)
