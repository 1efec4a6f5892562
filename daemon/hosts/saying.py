"""Texts of a host as events keep them: without secrets first, then no longer than they may be.

The order matters: of a secret that was cut in half no rule would know the rest.
"""

import hashlib
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

Redact = Callable[[str], str]

PROMPT_CHARS = 16_000
SAID_CHARS = 2_000  # a command, a pattern, an agent's last words
SUMMARY_CHARS = 4_000
READ_CHARS = 256 * 1024  # of an output: what is looked at for its hash
HEAD_LINES = 12
HEAD_CHARS = 800


# How runs of tests say that some failed, where the host does not tell: in their last lines.
_FAILED = re.compile(
    r"\b[1-9]\d* (failed|failures?|errors?|failing)\b|^FAILED\b|^--- FAIL|^FAIL\b|test result: FAILED"
    r"|\bfailures: [1-9]|Tests:.* [1-9]\d* failed|[1-9]\d* tests? failed|make(\[\d+\])?: \*\*\*",
    re.MULTILINE | re.IGNORECASE,
)
_VERDICT = 4_000  # characters at the end


class Output(NamedTuple):
    """What a tool gave back: its size in bytes, the hash of its beginning, its first lines.

    Of a run of tests the last lines: there stands how it went; ``failed`` where they say so.
    """

    size: int
    hash: str
    head: str
    failed: bool = False


NOTHING = Output(0, "", "")


def beginning(text: str, redact: Redact, limit: int) -> str:
    """The first ``limit`` characters without secrets."""
    return redact(text[:READ_CHARS])[:limit]


def output(said: Any, redact: Redact, *, tested: bool = False) -> Output:
    """A tool's answer in any of the shapes hosts give it."""
    text = plain(said)
    if not text:
        return NOTHING
    size = len(text.encode(errors="replace"))
    kept = redact(text[-READ_CHARS:] if tested else text[:READ_CHARS])
    hashed = hashlib.sha256(kept.encode(errors="replace")).hexdigest()
    lines = kept.strip("\n").splitlines()
    if not tested:
        return Output(size, hashed, "\n".join(lines[:HEAD_LINES])[:HEAD_CHARS])
    verdict = bool(_FAILED.search(kept[-_VERDICT:]))
    return Output(size, hashed, "\n".join(lines[-HEAD_LINES:])[-HEAD_CHARS:], verdict)


def plain(said: Any) -> str:
    """The text of an answer: as it is, of its text parts, of its two streams, else its JSON."""
    if isinstance(said, str):
        return said
    if isinstance(said, list):
        return "\n".join(filter(None, map(_part, said)))
    if isinstance(said, dict):
        return _of_object(said)
    return "" if said is None else str(said)


def _of_object(said: dict[str, Any]) -> str:
    streams = [said[name] for name in ("stdout", "stderr") if isinstance(said.get(name), str)]
    if streams:
        return "\n".join(filter(None, streams))
    for name in ("content", "text", "output", "file"):
        if said.get(name):
            return plain(said[name])
    return msgspec.json.encode(said).decode()


def _part(part: Any) -> str:
    if isinstance(part, dict):
        return str(part.get("text") or "")
    return part if isinstance(part, str) else ""
