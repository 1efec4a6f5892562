"""The two stages: one keyword pass over the whole text, then only the rules whose keywords are there."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from navlog.daemon.redact.armour import ARMOUR
from navlog.daemon.redact.places import PLACES
from navlog.daemon.redact.rule import Finder
from navlog.daemon.redact.tokens import TOKENS

RULES: tuple[Finder, ...] = (*ARMOUR, *TOKENS, *PLACES)
KEYWORDS: tuple[str, ...] = tuple(sorted({word for rule in RULES for word in rule.keywords}))
LOWER = tuple(word for word in KEYWORDS if word == word.lower())  # in any case
EXACT = tuple(word for word in KEYWORDS if word != word.lower())  # as written
_BY_KEYWORD: dict[str, list[tuple[int, Finder]]] = {
    word: [(order, rule) for order, rule in enumerate(RULES) if word in rule.keywords] for word in KEYWORDS
}
MARK = re.compile(r"\[redacted:[a-z0-9-]+\]")


class Found(NamedTuple):
    """A secret's span in a text; ``order`` is the rule's rank where two rules claim the same place."""

    start: int
    end: int
    order: int
    rule: str


def find(text: str) -> list[Found]:
    """Every secret as it stands in ``text``, ordered, without overlaps, none inside a mark."""
    lower = lowered(text)
    found: list[Found] = []
    for words, haystack in ((LOWER, lower), (EXACT, text)):
        for word in words:
            if word in haystack:
                found += _at_keyword(text, haystack, word)
    return merged(text, found)


def has_keyword(text: str) -> bool:
    """The first stage alone."""
    lower = lowered(text)
    return any(word in lower for word in LOWER) or any(word in text for word in EXACT)


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
                yield Found(*span, order, rule.name)
                after = max(after, span[1] if span[0] <= position else after)
        position = haystack.find(word, after)


def merged(text: str, found: list[Found]) -> list[Found]:
    """One span where several overlap, under the name of the first rule; what touches a mark stays as it is."""
    if not found:
        return found
    marks = [match.span() for match in MARK.finditer(text)] if "[redacted:" in text else []
    kept: list[Found] = []
    for one in sorted(found):
        if any(start < one.end and one.start < end for start, end in marks):
            continue
        if kept and one.start < kept[-1].end:
            last = kept.pop()
            order, rule = min((last.order, last.rule), (one.order, one.rule))
            one = Found(last.start, max(last.end, one.end), order, rule)
        kept.append(one)
    return kept
