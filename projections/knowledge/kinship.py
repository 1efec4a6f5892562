"""Words of the trade and their kind: SQLAlchemy is an ORM, and a rule says "no ORM".

A lexical search cannot know that; a model would. The families are few and general; a project's own words
are not in them. Also what a word tells by itself: one that every project says tells little.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files

from navlog.projections.knowledge.acting import is_act
from navlog.projections.ranking.words import STOP, STOP_CJK, forms, glossary
from navlog.projections.terms import split, tokens

KIN = 0.6  # what belonging to the same family counts beside the same word
FORM = 0.8
TRANSLATED = 0.7
# What a word tells that half of all projects say, and a family, beside a word that few say.
COMMON = 0.5
FAMILY = 0.8
_PHRASE = re.compile(r"[^\x00-\x7f]|[-.]")  # a member that is no single term of `terms`
_GAP = re.compile(r"[^\w.]+|\.(?!\w)")
# Characters of Chinese grammar: a pair with one of them is no word.
_GRAMMAR = frozenset("的了吗呢吧么这那我你他她它们是在和与把被也都就还很着过啊哪什怎请帮")
# What prompts and rules ask for, whatever they are about.
_ASKED = frozenset({
    "add", "adds", "added", "adding", "change", "changes", "changed", "set", "sets", "put", "create",
    "creates", "write", "writes", "call", "md",
})  # fmt: skip
# Stop words of questions to a code base that carry a rule all the same.
_TELLING = frozenset({"never", "issue", "issues", "bug", "report", "request", "requests"})

Voice = dict[str, float]


def weighed(text: str) -> Voice:
    """The terms of ``text`` and their translations, with what each counts, and their families (``~orm``).

    That a word is only kin of another one counts less on the side of the prompt, and once is enough.
    """
    found: Voice = {}
    for voice in voices(text, with_forms=False):
        for term, weight in voice.items():
            found[term] = max(found.get(term, 0.0), 1.0 if term.startswith("~") else weight)
    return found


def voices(text: str, *, with_forms: bool = True) -> list[Voice]:
    """For each word of ``text`` by itself all that it may stand for: whatever is found of it counts once.

    One side with the other forms of its words is enough for two texts to meet. A Chinese word and what code
    calls it are one voice; a run of Chinese speaks pair by pair where no word of it is known.
    """
    found: list[Voice] = []
    for token in dict.fromkeys(tokens(text)):
        found += _latin(token, with_forms) if token.isascii() else _chinese(token)
    for voice in found:
        kin = {f"~{family}": KIN for word in _own(voice) for family in _members().get(word, ())}
        voice.update(kin)
    return found + _phrases(text.lower(), found)


def tells(word: str) -> float:
    """How much a word says wherever it is found, 0 to 1."""
    if word.startswith("~"):
        return FAMILY
    return COMMON if word in _common() else 1.0


def is_plain(voice: Mapping[str, float], word: str) -> bool:
    """Whether a voice and the ``word`` it was found as leave no doubt about what is meant.

    So do words of the trade in any form, what can only be a name, a name and its kind (``~orm``), and an act.
    """
    own = _own(voice)
    if is_act(word):
        return True
    if word.startswith("~"):
        return not _names().get(word, frozenset()).isdisjoint(own)
    return _is_trade(word) and any(map(_is_trade, own))


def _is_trade(word: str) -> bool:
    return word in _members() or "_" in word or any(map(str.isdigit, word))


def _latin(token: str, with_forms: bool) -> Iterator[Voice]:
    """An identifier speaks as one, with its parts."""
    said = [term for term in split(token) if not _is_empty(term)]
    if said:
        others = {form: FORM for term in said for form in forms(term)} if with_forms else {}
        yield others | dict.fromkeys(reversed(said), 1.0)


def _chinese(run: str) -> Iterator[Voice]:
    """The glossary's words in a run, each with its pairs and translations; the other pairs by themselves."""
    rest = run
    for word, names in _known_in(run):
        rest = rest.replace(word, " ")
        yield dict.fromkeys(names, TRANSLATED) | dict.fromkeys(split(word), 1.0) | {word: 1.0}
    for part in rest.split():
        yield from ({pair: 1.0} for pair in split(part) if not _is_empty(pair))


@lru_cache(maxsize=1 << 10)
def _known_in(run: str) -> Sequence[tuple[str, Sequence[str]]]:
    """The glossary's words in ``run`` with their names; of words within words the longest counts."""
    found = []
    for word, names in _translations().items():
        if word in run:
            run = run.replace(word, " ")
            if word not in STOP_CJK:
                found.append((word, names))
    return found


def _phrases(low: str, found: Sequence[Voice]) -> list[Voice]:
    """Families that several words, or Chinese ones, name, if no voice has them already."""
    line = f"-{_GAP.sub('-', low)}-"
    said = {family for voice in found for family in voice if family.startswith("~")}
    named = (
        f"~{family}"
        for member, families in _spelt()
        if (member in line if member[0] == "-" else member in low)
        for family in families
    )
    return [{family: KIN} for family in dict.fromkeys(named) if family not in said]


@cache
def _translations() -> Mapping[str, Sequence[str]]:
    """Chinese word -> what English ones say, the longest words first."""
    told = tomllib.loads(_data("said_zh.toml"))["words"]
    found = {**glossary(), **{word: tuple(names.split()) for word, names in told.items()}}
    return dict(sorted(found.items(), key=lambda item: (-len(item[0]), item[0])))


def _own(voice: Mapping[str, float]) -> list[str]:
    """The words as they were said: not their forms, and not what they are translated to."""
    return [word for word, weight in voice.items() if weight == 1.0]


@cache
def _members() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for family, members in tomllib.loads(_data("kin.toml"))["families"].items():
        for member in dict.fromkeys([family, *members.split()]):
            found.setdefault(member, []).append(family)
    return {member: tuple(names) for member, names in found.items()}


@cache
def _spelt() -> Sequence[tuple[str, tuple[str, ...]]]:
    """The members that are no single term, as they are looked for in a text."""
    return [
        (f"-{member}-" if member.isascii() else member, families)
        for member, families in _members().items()
        if _PHRASE.search(member)
    ]


@cache
def _names() -> Mapping[str, frozenset[str]]:
    told = tomllib.loads(_data("kin.toml"))["names"].items()
    return {f"~{family}": frozenset(members.split()) for family, members in told}


@cache
def _common() -> frozenset[str]:
    return frozenset(tomllib.loads(_data("common.toml"))["words"].split())


def _data(name: str) -> str:
    return files("navlog.projections.knowledge").joinpath(name).read_text(encoding="utf-8")


def _is_empty(term: str) -> bool:
    if term in _TELLING:
        return False
    return term in STOP or term in STOP_CJK or term in _ASKED or not _GRAMMAR.isdisjoint(term)
