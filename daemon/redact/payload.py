"""A payload's JSON without its secrets: every string, names of fields, and a name together with its value.

All strings are looked at as one text first; a payload in which nothing is found comes back byte for byte.
The walk is for the few payloads with a secret: it asks about each string alone, and with its name.
"""

from collections import Counter
from typing import Any

import msgspec

from navlog.daemon.redact.dresses import find_all
from navlog.daemon.redact.hiding import Hide, is_option, walk


def redacted(data: bytes, hide: Hide, found: Counter[str]) -> bytes:
    """``data`` without secrets. Data that are not JSON are taken as a text."""
    before = found.total()
    try:
        value = msgspec.json.decode(data)
        if not find_all(_plain(value)):
            return data
        clean = msgspec.json.encode(walk(value, hide, found))
    except (msgspec.MsgspecError, ValueError, RecursionError):
        clean = hide(data.decode("utf-8", "surrogateescape"), found).encode("utf-8", "surrogateescape")
    return clean if found.total() > before else data


def _plain(value: Any) -> str:
    """One text with every string in it and what stands before it."""
    texts: list[str] = []
    _gather(value, texts)
    return "\n".join(texts)


def _gather(value: Any, texts: list[str]) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            texts.append(f'"{key}": "{item}"' if isinstance(item, str) else key)
            if isinstance(item, list | dict):
                _gather(item, texts)
    elif isinstance(value, list):
        for before, item in zip([None, *value], value, strict=False):
            if isinstance(item, str):
                texts.append(f"{before} {item}" if is_option(before) else item)
            elif isinstance(item, list | dict):
                _gather(item, texts)
    else:
        texts.append(str(value))
