"""Words of the trade and their kind: SQLAlchemy is an ORM, and a rule says "no ORM".

A lexical search cannot know that; a model would. The families are few and general; a project's own words
are not in them.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from navlog.projections.ranking.words import STOP, STOP_CJK, forms, translated
from navlog.projections.terms import split, tokens

KIN = 0.6  # what belonging to the same family counts beside the same word
FORM = 0.8
TRANSLATED = 0.7
_PHRASE = re.compile(r"[^\x00-\x7f]|[-.]")  # a member that is no single term of `terms`
# What prompts and rules ask for, whatever they are about.
_ASKED = frozenset({
    "add", "adds", "added", "adding", "change", "changes", "changed", "set", "sets", "put", "create",
    "creates", "write", "writes", "call",
})  # fmt: skip
# Stop words of questions to a code base that carry a rule all the same.
_TELLING = frozenset(
    {"never", "issue", "issues", "bug", "report", "again", "now", "first", "request", "requests"}
)


def weighed(text: str) -> dict[str, float]:
    """The terms of ``text`` and their translations, with what each counts, and their families (``~orm``).

    That a word is only kin of another one counts less on the side of the prompt, and once is enough.
    """
    found: dict[str, float] = {}
    for voice in voices(text, with_forms=False):
        for term, weight in voice.items():
            found[term] = max(found.get(term, 0.0), 1.0 if term.startswith("~") else weight)
    return found


def voices(text: str, *, with_forms: bool = True) -> list[dict[str, float]]:
    """For each word of ``text`` by itself all that it may stand for: whatever is found of it counts once.

    One side with the other forms of its words is enough for two texts to meet.
    """
    found = [voice for token in dict.fromkeys(tokens(text)) for voice in _voices_of(token, with_forms)]
    found += [{term: TRANSLATED} for term in dict.fromkeys(translated(text))]
    for voice in found:
        voice.update(
            [(f"~{family}", KIN * weight) for word, weight in voice.items() for family in _family(word)]
        )
    low = text.lower()
    found += [
        {f"~{family}": KIN for family in names}
        for member, names in _members().items()
        if _PHRASE.search(member) and member in low
    ]
    return found


def _voices_of(token: str, with_forms: bool) -> Iterator[dict[str, float]]:
    """An identifier speaks as one, with its parts; a run of Chinese pair by pair."""
    said = [term for term in split(token) if term in _TELLING or not _is_empty(term)]
    for group in [said] if token.isascii() else [[term] for term in said]:
        if group:
            others = {form: FORM for term in group for form in forms(term)} if with_forms else {}
            yield others | dict.fromkeys(reversed(group), 1.0)


def _family(word: str) -> tuple[str, ...]:
    return _members().get(word, ())


@cache
def _members() -> Mapping[str, tuple[str, ...]]:
    text = files("navlog.projections.knowledge").joinpath("kin.toml").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    for family, members in tomllib.loads(text)["families"].items():
        for member in dict.fromkeys([family, *members.split()]):
            found.setdefault(member, []).append(family)
    return {member: tuple(names) for member, names in found.items()}


def _is_empty(term: str) -> bool:
    return term in STOP or term in STOP_CJK or term in _ASKED
