"""What a rule is: keywords, and a pattern matched where one of them stands.

A pattern is matched AT the keyword (or ``lead`` characters before it), never searched for, so the cost
follows the number of keywords in a text and not its length. A keyword in lower case stands for any case, one
with a capital for itself; the pattern decides again. Repetitions are bounded or possessive, so no text can
make a match slow.
"""

import re
from collections.abc import Callable
from typing import NamedTuple, Protocol

Match = re.Match[str]
Span = tuple[int, int]


class Finder(Protocol):
    """Something that knows a secret by a keyword."""

    @property
    def name(self) -> str:
        """The word in the mark."""

    @property
    def keywords(self) -> tuple[str, ...]:
        """Without one of them in the text the rule is not tried."""

    def at(self, text: str, position: int) -> Span | None:
        """The secret's span if one stands at this keyword."""


def always(match: Match) -> bool:
    """The pattern alone is proof."""
    return bool(match)


class Rule(NamedTuple):
    """``pattern``'s group ``s`` is the secret, else all of it; ``accept`` may still say no."""

    name: str
    keywords: tuple[str, ...]
    pattern: re.Pattern[str]
    accept: Callable[[Match], bool] = always
    lead: int = 0

    def at(self, text: str, position: int) -> Span | None:
        """See `Finder`."""
        match = self.pattern.match(text, position - self.lead) if position >= self.lead else None
        if match is None or not self.accept(match):
            return None
        return match.span("s" if "s" in self.pattern.groupindex else 0)


def secret(match: Match) -> str:
    """What the match would redact."""
    return match["s"] if "s" in match.re.groupindex else match[0]
