"""The most recent issues together as one document: what hurts, what must not be done, what was concluded.

Pure: rows of the tables in, a document and its elements out. An issue counts by its last change, so a new
comment brings it to the front.
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from navlog.projections.knowledge.elements import LIMITS, SHARE, Elements, count_words, cut, fitted
from navlog.projections.knowledge.prose import Block, blocks, sentences

NAME = "issues"
RECENT = 10
BODY_CHARS = 4000  # of a body or a comment, in the log and here
_CONCLUDES = re.compile(
    r"\b(?:fixed|resolved|solved|decided|conclu\w+|closing|closed|merged|released|won't fix|wontfix|by design"
    r"|duplicate|let's|we will|we'll|going with|agreed|settled|the fix|works as intended)\b"
    r"|已修复|修复了|结论|决定|关闭|已合并|解决",
    re.IGNORECASE,
)
_FORBIDS = re.compile(
    r"\b(?:must not|must|never|do not|don't|should not|shouldn't|cannot|breaking|regression|no longer)\b"
    r"|禁止|不要|不得|必须|不能",
    re.IGNORECASE,
)


class Issue(NamedTuple):
    """``comments`` counts them, ``last`` is the newest one's text."""

    tracker: str
    number: str
    title: str
    state: str
    body: str
    updated_at: str
    comments: int = 0
    last: str = ""


def source_of(issues: Sequence[Issue]) -> str:
    """A hash that is another one as soon as an issue or a comment is."""
    total = hashlib.sha256()
    for one in issues:
        total.update(repr(one).encode("utf-8", "replace"))
    return total.hexdigest()[:32]


def read(issues: Sequence[Issue]) -> list[Block]:
    """The issues as blocks, one heading each: what the entry pointer is looked for in."""
    return [
        block._replace(headings=("issues", f"#{one.number} {one.title}"))
        for one in issues
        for block in blocks(f"{one.body[:BODY_CHARS]}\n\n{one.last[:BODY_CHARS]}")
    ]


def summarise(issues: Sequence[Issue], entry: Callable[[Sequence[Block]], str]) -> Elements:
    """The four elements: open titles, the reddest sentence, the newest conclusion."""
    opened = [one for one in issues if one.state.lower() in ("open", "opened")] or list(issues)
    return fitted(
        Elements(
            _titles(opened),
            next((f"#{one.number}: {red}" for one in issues if (red := _first(one, _FORBIDS))), ""),
            _concluded(issues),
            entry(read(issues)),
        ),
        SHARE,
    )


def _titles(issues: Sequence[Issue]) -> str:
    """As many titles as fit, those that are talked about most first."""
    told: list[str] = []
    for one in sorted(issues, key=lambda one: -one.comments):
        title = f"#{one.number} {cut(one.title, 12)}"
        if count_words("; ".join([*told, title])) > LIMITS["core_problem"]:
            break
        told.append(title)
    return "; ".join(told)


def _concluded(issues: Sequence[Issue]) -> str:
    """What the newest issue says that says something final; else how the newest closed one ended."""
    for one in issues:
        for text in (one.last, one.body if one.state.lower() == "closed" else ""):
            if said := _sentence(text, _CONCLUDES):
                return f"#{one.number} ({one.state}): {said}"
    closed = next((one for one in issues if one.state.lower() == "closed"), None)
    return f"#{closed.number} (closed): {closed.title}" if closed else ""


def _first(one: Issue, what: re.Pattern[str]) -> str:
    return _sentence(one.last, what) or _sentence(one.body, what)


def _sentence(text: str, what: re.Pattern[str]) -> str:
    told = (
        said for block in blocks(text[:BODY_CHARS]) if block.kind != "code" for said in sentences(block.plain)
    )
    return next((said for said in told if what.search(said)), "")
