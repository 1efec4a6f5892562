"""What a prompt asks to be done, and which rules speak of it: the acts of the trade.

A rule seldom has the words of the prompt that breaks it; that both are about the same act can be seen in a
few phrases on each side. The acts are few and general (`acts.toml`); no word of a project is in them.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

MARK = "@"  # an act as a word: no text has it


def asked(prompt: str) -> list[str]:
    """The acts that ``prompt`` asks for, as words."""
    return _found("asks", prompt)


def told(sentence: str) -> list[str]:
    """The acts that ``sentence`` speaks of, as words."""
    return _found("told", sentence)


def is_act(word: str) -> bool:
    """Whether a word stands for an act."""
    return word.startswith(MARK)


def _found(side: str, text: str) -> list[str]:
    low = text.lower()
    return [act for act, pattern in _patterns()[side].items() if pattern.search(low)]


@cache
def _patterns() -> Mapping[str, Mapping[str, re.Pattern[str]]]:
    text = files("navlog.projections.knowledge").joinpath("acts.toml").read_text(encoding="utf-8")
    acts = tomllib.loads(text).items()
    return {side: {f"{MARK}{name}": _pattern(one[side]) for name, one in acts} for side in ("asks", "told")}


def _pattern(phrases: Sequence[str]) -> re.Pattern[str]:
    """Phrases of ASCII at the bounds of words; the others as they are, since Chinese has none.

    All of them share their bounds: so nothing is tried in the middle of a word, which is most of a text.
    """
    latin = "|".join(phrase for phrase in phrases if phrase.isascii())
    others = (phrase for phrase in phrases if not phrase.isascii())
    return re.compile("|".join([rf"(?<![a-z0-9])(?:{latin})(?![a-z0-9])", *others]))
