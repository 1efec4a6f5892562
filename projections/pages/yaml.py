"""The little of YAML that properties and tables need: block mappings and lists, quoted texts, numbers, truth.

Written so that any YAML reader reads it back, and read as it is written: `read` refuses what `write` would
not write, so it is no YAML parser for other people's files.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec

Value: TypeAlias = "str | int | bool | Sequence[Value] | Mapping[str, Value]"

# Texts that stand without quotes: words, and times in the form that Obsidian takes for a date. What YAML
# would read as something else does not fit.
_BARE = re.compile(r"[a-z][a-z_/-]*|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", re.ASCII)
_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
_KEY = re.compile(r"[^\W\d][\w.]*")
_NUMBER = re.compile(r"-?\d{1,15}", re.ASCII)
_ITEM = re.compile(r"( *)(- )?(?:([^\W\d][\w.]*):(?: |$))?(.*)")


class NotOurs(ValueError):
    """The text is not what `write` writes; the argument says which line."""


def write(value: Mapping[str, Value], indent: int = 0) -> Iterator[str]:
    """The lines of a block mapping; an empty list is ``[]``. Raises ValueError for a key that is no word."""
    for key, inner in value.items():
        if not _KEY.fullmatch(key):
            raise ValueError(f"{key!r} is no key")
        yield from _entry(" " * indent + key + ":", inner, indent)


def scalar(value: str | int | bool) -> str:
    """One text, number or truth on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if _BARE.fullmatch(value) and value not in _WORDS:
        return value
    quoted = msgspec.json.encode(value).decode()
    # Templater reads the raw text of a page, properties included; some others break lines in YAML
    # or are no characters there.
    return re.sub(
        "[<\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]", lambda match: f"\\u{ord(match[0]):04x}", quoted
    )


def read(lines: Sequence[str]) -> dict[str, Value]:
    """What `write` has written; raises `NotOurs`."""
    value, rest = _mapping(list(enumerate(lines, 1)), 0)
    if rest:
        raise NotOurs(f"line {rest[0][0]}: {rest[0][1]!r}")
    return value


def _entry(head: str, inner: Value, indent: int) -> Iterator[str]:
    if isinstance(inner, str | int):
        yield f"{head} {scalar(inner)}"
    elif isinstance(inner, Mapping):
        yield head
        yield from write(inner, indent + 2)
    elif not inner:
        yield f"{head} []"
    else:
        yield head
        for item in inner:
            yield from _list_item(item, indent + 2)


def _list_item(item: Value, indent: int) -> Iterator[str]:
    if isinstance(item, str | int):
        yield " " * indent + f"- {scalar(item)}"
    elif isinstance(item, Mapping):
        lines = list(write(item, indent + 2))
        yield " " * indent + "- " + lines[0].lstrip()
        yield from lines[1:]
    else:
        raise ValueError("a list in a list")


_Lines = list[tuple[int, str]]


def _mapping(lines: _Lines, indent: int) -> tuple[dict[str, Value], _Lines]:
    found: dict[str, Value] = {}
    while lines and _depth(lines[0]) == indent:
        dash, key, said = _parts(lines[0])
        if dash or not key or key in found:
            raise NotOurs(f"line {lines[0][0]}: {lines[0][1]!r}")
        found[key], lines = _value(said, lines, indent)
    return found, lines


def _value(said: str, lines: _Lines, indent: int) -> tuple[Value, _Lines]:
    """What stands behind a key, on its line or on those below it."""
    if said == "[]":
        return [], lines[1:]
    if said:
        return _scalar(said, lines[0]), lines[1:]
    below = lines[1:]
    if not below or _depth(below[0]) != indent + 2:
        raise NotOurs(f"line {lines[0][0]}: nothing stands behind the key")
    return _items(below, indent + 2) if _parts(below[0])[0] else _mapping(below, indent + 2)


def _items(lines: _Lines, indent: int) -> tuple[list[Value], _Lines]:
    found: list[Value] = []
    while lines and _depth(lines[0]) == indent:
        dash, key, said = _parts(lines[0])
        if not dash:
            break
        if key:
            number, line = lines[0]
            lines[0] = number, " " * (indent + 2) + line[indent + 2 :]
            inner, lines = _mapping(lines, indent + 2)
            found.append(inner)
        else:
            found.append(_scalar(said, lines[0]))
            lines = lines[1:]
    return found, lines


def _depth(line: tuple[int, str]) -> int:
    return len(line[1]) - len(line[1].lstrip(" "))


def _parts(line: tuple[int, str]) -> tuple[bool, str, str]:
    """Whether it is an item of a list, its key, and what stands behind."""
    found = _ITEM.fullmatch(line[1])
    if found is None:
        raise NotOurs(f"line {line[0]}: {line[1]!r}")
    return bool(found[2]), found[3] or "", found[4]


def _scalar(said: str, line: tuple[int, str]) -> Value:
    if said in ("true", "false"):
        return said == "true"
    if _NUMBER.fullmatch(said):
        return int(said)
    if _BARE.fullmatch(said) and said not in _WORDS:
        return said
    try:
        return msgspec.json.decode(said, type=str)
    except msgspec.DecodeError:
        raise NotOurs(f"line {line[0]}: {line[1]!r}") from None
