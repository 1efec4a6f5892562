"""A payload's JSON without its secrets: every string, names of fields, and a name together with its value.

All strings are looked at as one text first; a payload in which nothing is found comes back byte for byte.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from navlog.daemon.redact.dresses import find_all

Hide = Callable[[str, Counter[str]], str]


def redacted(data: bytes, hide: Hide, found: Counter[str]) -> bytes:
    """``data`` without secrets. Data that are not JSON are taken as a text."""
    before = found.total()
    try:
        value = msgspec.json.decode(data)
        if not find_all("\n".join(_strings(value))):
            return data
        clean = msgspec.json.encode(walk(value, hide, found))
    except (msgspec.MsgspecError, ValueError, RecursionError):
        clean = hide(data.decode("utf-8", "surrogateescape"), found).encode("utf-8", "surrogateescape")
    return clean if found.total() > before else data


def walk(value: Any, hide: Hide, found: Counter[str]) -> Any:
    """``value`` with every string passed through ``hide``; numbers, truth and null as they are."""
    if isinstance(value, str):
        return hide(value, found)
    if isinstance(value, list):
        return [_item(before, item, hide, found) for before, item in zip([None, *value], value, strict=False)]
    if isinstance(value, dict):
        return {hide(key, found): _named(f'"{key}": "', item, hide, found) for key, item in value.items()}
    return value


def _item(before: Any, item: Any, hide: Hide, found: Counter[str]) -> Any:
    """An item of a list; after ``--password`` it is that option's value."""
    if isinstance(before, str) and before.startswith("-"):
        return _named(f"{before} ", item, hide, found)
    return walk(item, hide, found)


def _named(name: str, item: Any, hide: Hide, found: Counter[str]) -> Any:
    """A value whose name says what it is; a name that is itself a secret counts with the names."""
    clean = walk(item, hide, found)
    if not isinstance(item, str) or clean != item:
        return clean
    here: Counter[str] = Counter()
    whole = hide(f'{name}{item}"', here)
    if not whole.startswith(name) or whole == f'{name}{item}"':
        return clean
    found.update(here)
    return whole[len(name) :].removesuffix('"')


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        flag = ""
        for item in value:
            if flag and isinstance(item, str):
                yield f"{flag} {item}"
            flag = item if isinstance(item, str) and item.startswith("-") else ""
            yield from _strings(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, str):
                yield f'"{key}": "{item}"'
            else:
                yield key
                yield from _strings(item)
