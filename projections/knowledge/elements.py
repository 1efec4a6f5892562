"""The four elements of a document: their limits, and how they are written and read as YAML.

Words are counted as English words, or as characters / 2 for Chinese, Japanese and Korean. Refuses to trust
what a model wrote: whatever is wrong with it is named, so that the model can be told.
"""

import re
from collections.abc import Callable, Mapping

import msgspec

from navlog.projections.terms import CJK
from navlog.projections.tokens import count_tokens

LIMITS: Mapping[str, int] = {"core_problem": 30, "key_constraint": 40, "latest_decision": 40}
TOKENS = 512  # of one YAML
TOGETHER = 1000  # of the YAMLs of README, issues and the newest decision
SHARE = TOGETHER // 3  # so that no order of refreshes can break it
ANSWER_CHARS = 16_384  # of a model's answer: more is no YAML of four lines
_WORD = re.compile(rf"[{CJK}]|[^\s{CJK}]+")
_WIDE = re.compile(f"[{CJK}]")
_FENCE = re.compile(r"```(?:ya?ml)?\s*\n(.*?)```", re.DOTALL)
# What may not stand in YAML, or hides in it: the C0 and C1 controls, lone surrogates, non-characters.
_UNWRITTEN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff\u2028\u2029]+")


class Elements(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``core_problem``: which pain it solves. ``key_constraint``: what must not be done.

    ``latest_decision``: the newest conclusion. ``entry_pointer``: where the logic starts, a path or
    path:symbol.
    """

    core_problem: str
    key_constraint: str
    latest_decision: str
    entry_pointer: str


def count_words(text: str) -> int:
    """English words, and half the number of CJK characters, rounded up."""
    wide = len(_WIDE.findall(text))
    return len(_WORD.findall(text)) - wide + -(-wide // 2)


def cut(text: str, limit: int) -> str:
    """``text`` in at most ``limit`` words, on one line; what is cut off shows as an ellipsis."""
    text = one_line(text)
    if count_words(text) <= limit:
        return text
    halves = 2 * limit
    for word in _WORD.finditer(text):
        halves -= 1 if _WIDE.match(word[0]) else 2
        if halves < 0:
            return text[: word.start()].rstrip(" ,;:，；：、([{") + "…"
    return text


def one_line(text: str) -> str:
    """``text`` as it can stand in one quoted line of YAML."""
    return " ".join(_UNWRITTEN.sub(" ", text).split())


def fitted(elements: Elements, tokens: int = TOKENS) -> Elements:
    """``elements`` within all limits: each in its words, all of them in ``tokens``.

    The pointer is never shortened: one that is too long is left out.
    """
    texts = {name: cut(getattr(elements, name), limit) for name, limit in LIMITS.items()}
    pointer = one_line(elements.entry_pointer)
    found = Elements(**texts, entry_pointer=pointer if count_tokens(pointer) <= tokens // 2 else "")
    while (over := count_tokens(as_yaml(found)) - tokens) > 0:
        longest = max(LIMITS, key=lambda name: len(getattr(found, name)))
        text = getattr(found, longest)
        found = msgspec.structs.replace(found, **{longest: text[: -max(4, over // 2)].rstrip("…") + "…"})
    return found


def as_yaml(elements: Elements) -> str:
    """Four lines; a string of JSON is one of YAML."""
    return "".join(
        f"{name}: {msgspec.json.encode(getattr(elements, name)).decode()}\n"
        for name in elements.__struct_fields__
    )


def spoken(elements: Elements, title: str = "") -> str:
    """The YAML without what is empty, and without a problem that is only the ``title`` again."""
    said = {
        name: text
        for name in elements.__struct_fields__
        if (text := getattr(elements, name)) and (name, text) != ("core_problem", title)
    }
    return "".join(f"{name}: {msgspec.json.encode(text).decode()}\n" for name, text in said.items())


class Unfit(ValueError):
    """A text that is no YAML of the four elements; says why in words for a model."""


def read_yaml(text: str) -> Elements:
    """The elements a model wrote, a fence around them or not; raises `Unfit`."""
    if len(text) > ANSWER_CHARS:
        raise Unfit(f"The answer has {len(text)} characters: four short lines were asked for.")
    fenced = _FENCE.search(text)
    try:
        found = msgspec.yaml.decode((fenced[1] if fenced else text).encode(), type=Elements)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError, ValueError) as fault:
        raise Unfit(f"This is not YAML with exactly the four keys: {fault}".replace("\n", " ")) from None
    return Elements(*(one_line(getattr(found, name)) for name in found.__struct_fields__))


def faults(elements: Elements, exists: Callable[[str], bool], tokens: int = TOKENS) -> list[str]:
    """What is wrong with the elements, in words for whoever wrote them; [] if nothing is."""
    found = [
        f"{name} has {words} words; {limit} are allowed."
        for name, limit in LIMITS.items()
        if (words := count_words(getattr(elements, name))) > limit
    ]
    if not elements.core_problem:
        found.append("core_problem is empty.")
    if not exists(elements.entry_pointer):
        found.append(
            f"entry_pointer {elements.entry_pointer[:200]!r} names no file or function of the project."
        )
    if (taken := count_tokens(as_yaml(elements))) > tokens:
        found.append(f"The YAML takes {taken} tokens; {tokens} are allowed.")
    return found
