"""The two stages: one keyword pass over the whole text, then only the rules whose keywords are there."""

import bisect
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from navlog.daemon.redact.armour import ARMOUR
from navlog.daemon.redact.places import PLACES
from navlog.daemon.redact.rule import Finder
from navlog.daemon.redact.tokens import TOKENS

RULES: tuple[Finder, ...] = (*ARMOUR, *TOKENS, *PLACES)
KEYWORDS: tuple[str, ...] = tuple(sorted({word for rule in RULES for word in rule.keywords}))
EXACT = frozenset(word for word in KEYWORDS if word != word.lower())  # as written, others in any case
# Keywords of rules whose secrets may hold spaces or be short; the others stand inside of a long word.
ANYWHERE = tuple(word for word in KEYWORDS if any(word in rule.keywords for rule in (*ARMOUR, *PLACES)))
IN_TOKENS = tuple(word for word in KEYWORDS if word not in ANYWHERE)
_BY_KEYWORD: dict[str, list[tuple[int, Finder]]] = {
    word: [(order, rule) for order, rule in enumerate(RULES) if word in rule.keywords] for word in KEYWORDS
}
_REST = re.compile(r"\w*", re.ASCII)  # of a token longer than its rule knows: nothing of it may be left
MARK = re.compile(r"\[redacted:[a-z0-9-]+\]")


class Found(NamedTuple):
    """A secret's span in a text; ``order`` is the rule's rank where two rules claim the same place."""

    start: int
    end: int
    order: int
    rule: str


def keywords_in(text: str, keywords: Iterable[str] = KEYWORDS) -> list[str]:
    """The first stage: every keyword that stands in the text. ``in`` finds what overlaps, too."""
    lower = lowered(text)
    return [word for word in keywords if word in (text if word in EXACT else lower)]


def find(text: str, words: Iterable[str]) -> list[Found]:
    """The second stage: each secret at one of ``words``, ordered, not overlapping, not in a mark."""
    lower = lowered(text)
    found: list[Found] = []
    for word in words:
        found += _at_keyword(text, text if word in EXACT else lower, word)
    return merged(text, found)


def lowered(text: str) -> str:
    """Lower case, character for character (the dotted capital I alone would become two)."""
    return text.replace("\u0130", "I").lower()


def _at_keyword(text: str, haystack: str, word: str) -> Iterator[Found]:
    rules = _BY_KEYWORD[word]
    position = haystack.find(word)
    while position >= 0:
        after = position + 1
        for order, rule in rules:
            span = rule.at(text, position)
            if span is not None:
                end = _REST.match(text, span[1]).end()  # type: ignore[union-attr] # it matches nothing too
                yield Found(span[0], end, order, rule.name)
                after = end if span[0] <= position else after
        position = haystack.find(word, after)


def merged(text: str, found: list[Found]) -> list[Found]:
    """One span where several overlap, under the first rule's name; what touches a mark stays as it is."""
    if not found:
        return found
    marks = [match.span() for match in MARK.finditer(text)]
    kept: list[Found] = []
    for one in sorted(found):
        before = bisect.bisect_left(marks, (one.end, 0))  # marks that begin before this one ends
        if before and marks[before - 1][1] > one.start:
            continue
        if kept and one.start < kept[-1].end:
            last = kept[-1]
            order, rule = min((last.order, last.rule), (one.order, one.rule))
            kept[-1] = Found(last.start, max(last.end, one.end), order, rule)
        else:
            kept.append(one)
    return kept
