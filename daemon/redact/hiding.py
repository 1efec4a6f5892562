"""Secrets out of texts and out of what JSON holds, with the standard library alone: hook clients run this."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from navlog.daemon.redact.dresses import find_all

Hide = Callable[[str, Counter[str]], str]


def hide(text: str, found: Counter[str]) -> str:
    """``text`` with marks, counting into ``found``. Repeated until nothing is left that a rule would take,
    which is what makes redacting twice the same as once; each round leaves fewer characters to look at."""
    while spans := find_all(text):
        parts: list[str] = []
        done = 0
        for start, end, _, rule in spans:
            parts += text[done:start], f"[redacted:{rule}]", "\n" * text.count("\n", start, end)
            found[rule] += 1
            done = end
        text = "".join([*parts, text[done:]])
    return text


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
    if is_option(before):
        return _named(f"{before} ", item, hide, found)
    return walk(item, hide, found)


def is_option(before: Any) -> bool:
    return isinstance(before, str) and before.startswith("-")


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
