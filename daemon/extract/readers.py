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
# A call or an index on something that is called like a configuration.
KEYED = rf"(?:[cC]onfig|CONFIG|[sS]ettings|conf)(?:\.get\(|\[){NAME}"
# Texts of strings and comments; interpolations inside of strings are nodes of other types.
TEXTS = frozenset({"string_content", "string_fragment", "string_literal_content", "heredoc_body", "raw_text"})


class Reader(NamedTuple):
    """``marks``: one of them stands in every text that ``pattern`` matches. The first group is the name."""

    kind: str
    marks: tuple[bytes, ...]
    pattern: re.Pattern[bytes]


def reader(kind: str, marks: str, *patterns: str) -> Reader:
    joined = "|".join(patterns)
    return Reader(kind, tuple(marks.encode().split()), re.compile(joined.encode(), re.MULTILINE))


SCRIPT = (
    reader(
        "env", ".env", r"process\.env\.([A-Za-z_]\w*)", rf"process\.env\[{NAME}", rf"Deno\.env\.get\({NAME}",
        r"import\.meta\.env\.([A-Za-z_]\w*)",
    ),
    reader("key", "onfig ettings conf", KEYED),
)  # fmt: skip
JVM = (
    reader("env", "getenv", rf"\bgetenv\({NAME}"),
    reader("key", "getProperty @Value", rf"\bgetProperty\({NAME}", r"""@Value\(\s*"\$\{([\w.-]+)"""),
)
C = (reader("env", "getenv", rf"\bgetenv\({NAME}"),)
SET = r"^[ \t]+(?:-[ \t]+)?([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=|:[ \t\n])"
READERS: dict[str, tuple[Reader, ...]] = {
    "python": (
        reader(
            "env", "env", rf"\benviron(?:\[|\.\w+\(){NAME}", rf"\bgetenv\({NAME}",
            rf"\benv(?:\.\w+)?\({NAME}",
        ),
        reader(
            "key", "onfig ettings conf", KEYED, r"\bsettings\.([A-Z][A-Z0-9_]+)\b",
            rf"\b(?:getattr|hasattr)\(\s*settings,{NAME}",
        ),
    ),
    **dict.fromkeys(("javascript", "typescript", "tsx"), SCRIPT),
    **dict.fromkeys(("java", "kotlin", "scala"), JVM),
    **dict.fromkeys(("c", "cpp", "objc"), C),
    "go": (
        reader("env", "env Env", rf"\bos\.(?:Getenv|LookupEnv|Setenv)\({NAME}", r'\benv:"(\w+)'),
        reader(
            "key", "viper mapstructure yaml toml koanf", rf"\bviper\.\w+\({NAME}",
            r'\b(?:mapstructure|yaml|toml|koanf):"([A-Za-z_][\w.-]*)',
        ),
    ),
    "rust": (
        reader("env", "env", rf"\benv::\w+\({NAME}", rf"\benv!\({NAME}", rf"\benv\s*={NAME}"),
    ),
    "ruby": (reader("env", "ENV", rf"\bENV(?:\[|\.\w+[( ]){NAME}"),),
    "php": (
        reader("env", "env ENV SERVER", rf"\b(?:get)?env\({NAME}", rf"\$_(?:ENV|SERVER)\[{NAME}"),
        reader("key", "config", rf"\bconfig\({NAME}"),
    ),
    "csharp": (
        reader("env", "GetEnvironmentVariable", rf"GetEnvironmentVariable\({NAME}"),
        reader("key", "onfiguration GetSection", rf"onfiguration\[{NAME}", rf"\bGetSection\({NAME}"),
    ),
    "bash": (reader("env", "${", r"\$\{([A-Z][A-Z0-9_]+):?[-=?+]"),),
    "yaml": (reader("env", "_ ${", SET, r"\$\{([A-Z][A-Z0-9_]+)\b"),),
    "dockerfile": (reader("env", "ENV ARG", r"^[ \t]*(?:ENV|ARG)[ \t]+([A-Za-z_]\w*)"),),
}  # fmt: skip


def readings(language: str, source: Source, root: Node) -> list[Reference]:
    """By first line, kind and name."""
    lines: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    for one in READERS.get(language, ()):
        if any(mark in source.data for mark in one.marks):
            for name, at in _found(one.pattern, source.data, root):
                lines[one.kind, name].add(source.line_of(at))
    found = [Reference(name, kind, sorted(at)) for (kind, name), at in lines.items()]
    return sorted(found, key=lambda one: (one.lines[0], one.kind, one.name))


def _found(pattern: re.Pattern[bytes], data: bytes, root: Node) -> Iterator[tuple[str, int]]:
    for hit in pattern.finditer(data):
        at = hit.start() + len(hit[0]) - len(hit[0].lstrip())
        if not _is_text(root.descendant_for_byte_range(at, at + 1)):
            yield hit[hit.lastindex or 0].decode(), hit.start(hit.lastindex or 0)


def _is_text(node: Node | None) -> bool:
    return node is not None and (node.type in TEXTS or "comment" in node.type)
