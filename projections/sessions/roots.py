"""A word as all its forms have it: what a task and a question about it are compared by. Pure.

English: the commonest endings are cut (routes, routing, router -> rout), so a root is no word and is never
shown. Chinese knows no endings, and its pairs are taken as they are;
`is_between` says which of them are none.
"""

from collections.abc import Collection
from functools import lru_cache

from navlog.projections.terms import IS_CJK

SHORTEST = 3  # letters that are left; a shorter rest would be many words at once
# The longest first; what `projections.ranking.words` gives as forms of one word has one root here.
_ENDINGS = (
    "ations", "ating", "ation", "ators", "ator", "ates", "ated", "ions", "ings", "ies", "ied", "ing", "ion",
    "ate", "ers", "ors", "er", "or", "ed", "es", "ly", "s", "e", "y",
)  # fmt: skip
_WHOLE = ("ss", "us", "is")  # class, status, analysis: the s is the word's own
_DOUBLED = frozenset("bdgmnprt")  # stopped, mapping


@lru_cache(maxsize=1 << 13)
def root(term: str) -> str:
    """``term`` without its ending; anything but an English word stays as it is."""
    if not (term.isascii() and term.isalpha()) or term.endswith(_WHOLE):
        return term
    for ending in _ENDINGS:
        rest = len(term) - len(ending)
        if rest >= SHORTEST and term.endswith(ending):
            return _single(term[:rest])
    return term


def is_between(pair: str, known: Collection[str]) -> bool:
    """Whether a pair of Chinese characters is the end of one known pair or the beginning of another.

    Where words stand side by side, the pair across their border is no word: nobody is to miss it.
    """
    if len(pair) != 2 or not IS_CJK.match(pair):
        return False
    return any(other[-1] == pair[0] or other[0] == pair[1] for other in known if IS_CJK.match(other))


def _single(rest: str) -> str:
    """Stopped is stop, querying is what queries is."""
    doubled = rest[-1] == rest[-2] and rest[-1] in _DOUBLED
    return rest[:-1] if len(rest) > SHORTEST and (doubled or rest[-1] == "y") else rest
