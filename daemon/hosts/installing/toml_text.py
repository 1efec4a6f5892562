"""A table of a TOML file as text: put at the end, taken away again. All other bytes stay.

The result is parsed and compared: only the one table may differ, else `UsageError` and nothing is changed.
"""

import re
import tomllib
from typing import Any

from navlog.daemon.hosts.installing.jsonc import Insertion, insert
from navlog.schemas.errors import UsageError

_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)


def loads(text: str) -> dict[str, Any]:
    """The document; raises `UsageError`."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise UsageError(f"it is no TOML: {fault}") from None


def add_table(text: str, name: tuple[str, str], lines: str) -> Insertion:
    """``[a.b]`` with ``lines`` at the end; raises `UsageError` where it cannot stand there."""
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    one = Insertion(len(text), f"{gap}[{'.'.join(name)}]\n{lines}")
    expected = loads(text)
    _below(expected, name[0])[name[1]] = loads(lines)
    if loads(insert(text, one)) != expected:
        raise UsageError(f"the table [{'.'.join(name)}] cannot be added without changing others")
    return one


def cut_table(text: str, name: tuple[str, str]) -> str:
    """The text without ``[a.b]`` and the tables below it; raises `UsageError` where more would go."""
    expected = loads(text)
    below = _below(expected, name[0])
    below.pop(name[1], None)
    if not below:
        expected.pop(name[0], None)
    header = re.compile(rf"^[ \t]*\[{name[0]}\.(?:{name[1]}|\"{name[1]}\")(?:\.[^\]]*)?\]", re.MULTILINE)
    while found := header.search(text):
        after = _HEADER.search(text, found.end())
        start = found.start()
        if after is None and text[:start].endswith("\n\n"):
            start -= 1  # the blank line `add_table` put before it
        text = text[:start] + (text[after.start() :] if after else "")
    if loads(text) != expected:
        raise UsageError(f"the table [{'.'.join(name)}] cannot be taken out without changing others")
    return text


def _below(document: dict[str, Any], key: str) -> dict[str, Any]:
    found = document.setdefault(key, {})
    if not isinstance(found, dict):
        raise UsageError(f"{key} is no table")
    return found
