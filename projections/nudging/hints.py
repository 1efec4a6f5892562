"""Which spent outputs a reminder names: the oldest of those that are cheapest to do without."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from navlog.schemas.settings import Nudge

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_OWN = frozenset({"ctx", "navlog"})  # our tools, and our server
# Tools that steer the session: their results are instructions, not material. A bare "task" is a subagent,
# whose report was read to be known; tools that keep a list of tasks steer.
_CONTROL = frozenset({"ask", "askuserquestion", "todo", "todowrite", "todoread", "board", "bashoutput"})
_CONTROL_WORDS = frozenset({"ask", "todo", "todos", "board"})
_CONTROL_PAIRS = (
    ("shell", "status"),
    ("task", "create"),
    ("task", "update"),
    ("task", "list"),
    ("task", "get"),
)
_NEAR = frozenset({"read", "outline", "zoom", "agent", "subagent"})
_WORK = frozenset({"edit", "multiedit", "write", "patch", "grep", "glob", "search"})
_WEB = frozenset({"web", "websearch", "webfetch", "fetch", "browser", "http"})


class Candidate(NamedTuple):
    """A reclaimable tool's tag. ``tokens`` is None where its size is unknown; ``beginning`` of its input."""

    tag: int
    tool: str
    tokens: int | None
    beginning: str = ""


def chosen(candidates: Iterable[Candidate], settings: Nudge) -> list[Candidate]:
    """At most four, what is furthest from the work first, within that the oldest first."""
    useful = [
        one
        for one in candidates
        if not is_left_out(one.tool) and (one.tokens is None or one.tokens >= settings.hint_tokens)
    ]
    return sorted(useful, key=lambda one: (-tier(one.tool), one.tag))[: settings.hints]


def tier(tool: str) -> int:
    """1: what was read to be known; 2: edits and searches in the project; 3: everything else."""
    words = words_of(tool)
    if words & _WEB:
        return 3
    if words & _NEAR or words == {"task"}:
        return 1
    return 2 if words & _WORK else 3


def words_of(tool: str) -> set[str]:
    """The words of a tool's name, whichever way it joins them, in small letters."""
    return set(_ordered(tool))


def is_left_out(tool: str) -> bool:
    """Our own context tools, and tools that steer the session."""
    ordered = _ordered(tool)
    words = set(ordered)
    if set(_WORD.findall(tool.lower())) & _OWN or words & _CONTROL_WORDS or "".join(ordered) in _CONTROL:
        return True
    return any(set(pair) <= words for pair in _CONTROL_PAIRS)


def _ordered(tool: str) -> list[str]:
    """The words of a tool's name, without the server it came from."""
    return [word.lower() for word in _WORD.findall(tool.rpartition("__")[2])]
