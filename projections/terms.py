"""Text as search terms: what the index holds and what a query is turned into, by the same rules.

A term is lower-cased. An identifier gives its parts (``getHTTPUrl_v2`` -> get, http, url) and, where it has
several, itself as a whole. A run of Chinese, Japanese or Korean characters gives its overlapping pairs, a
single character itself. Knows nothing of languages, stop words or stems, and drops what nobody types:
single Latin letters, blobs (base64, hashes) and long digit runs.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

LONGEST = 48  # characters of a term; longer ones are blobs, and cost the log more than they find
LONGEST_TOKEN = 200  # of a raw run: beyond it neither the whole nor the parts are words
LONGEST_NUMBER = 8  # digits: years, ports, issue numbers and dates; longer ones are data

CJK = "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U000323af"
_WORD_BYTES = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
# All other ASCII is space. What is not ASCII stays: a run may hold more than one token then, or none.
RUNS = bytes(byte if byte >= 0x80 or byte in _WORD_BYTES else 0x20 for byte in range(0x100))
WORD = re.compile(r"\w{2,}")  # the same where there is no CJK, a third faster
TOKEN = re.compile(rf"[{CJK}]+|[^\W{CJK}]{{2,}}")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
IS_CJK = re.compile(f"[{CJK}]")


def terms(text: str) -> Iterator[str]:
    """The terms of ``text`` in order, repeated as often as they occur."""
    for token in tokens(text):
        yield from split(token)


def count_terms(text: str) -> dict[str, int]:
    """How often each term occurs: the same as counting `terms`, looking at each distinct run once."""
    found = Counter(_runs(text))
    if not text.isascii():
        _resolve(found)
    # Most tokens are their own only term: the fast way for them.
    counts = {
        token: times
        for token, times in found.items()
        if token.islower() and token.isalpha() and 1 < len(token) <= LONGEST
    }
    for token in found.keys() - counts.keys():
        for term in split(token):
            counts[term] = counts.get(term, 0) + found[token]
    return counts


def tokens(text: str) -> list[str]:
    """The raw runs: identifiers, words, numbers, runs of CJK; ``text`` in its composed form (NFKC)."""
    if text.isascii():  # in a quarter of a regular expression's time
        return [word for word in _runs(text) if len(word) > 1]
    if not unicodedata.is_normalized("NFKC", text):
        text = unicodedata.normalize("NFKC", text)
    return (TOKEN if IS_CJK.search(text) else WORD).findall(text)


def _runs(text: str) -> list[str]:
    """What stands between ASCII that belongs to no token, single characters too."""
    return text.encode("utf-8", "surrogatepass").translate(RUNS).decode("utf-8", "surrogatepass").split()


def _resolve(found: Counter[str]) -> None:
    """Puts the tokens of runs that are not ASCII in their place, those that occur equally often at once.

    Nothing composes over the blanks between them.
    """
    runs: defaultdict[int, list[str]] = defaultdict(list)
    for run in [run for run in found if not run.isascii()]:
        runs[found.pop(run)].append(run)
    for times, group in runs.items():
        for token in tokens(" ".join(group)):
            found[token] += times


@lru_cache(maxsize=1 << 13)  # a hundred bytes each
def split(token: str) -> tuple[str, ...]:
    """The terms of one run that `tokens` found; () for a blob."""
    if not token.isascii() and IS_CJK.match(token):
        return tuple(map("".join, pairwise(token))) or (token,)
    if len(token) > LONGEST_TOKEN:
        return ()
    parts = parts_of(token)
    if len(parts) > 1:
        parts.append(token.strip("_"))
    return tuple([part.lower() for part in parts if 1 < len(part) <= LONGEST_NUMBER or is_term(part)])


def parts_of(token: str) -> list[str]:
    """``getHTTPUrl_v2`` -> get, HTTP, Url, v, 2; every alphabet is cut where its case changes."""
    if token.islower() and token.replace("_", "").isalpha():
        return [word for word in token.split("_") if word]
    if token.isascii():
        return PART.findall(token)
    shape = "".join("A" if c.isupper() else "0" if c.isdecimal() else "_" if c == "_" else "a" for c in token)
    return [token[part.start() : part.end()] for part in PART.finditer(shape)]


def is_term(part: str) -> bool:
    """Whether a part is worth a place in the index."""
    return 1 < len(part) <= LONGEST and (len(part) <= LONGEST_NUMBER or not part.isdecimal())
