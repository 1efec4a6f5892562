"""Quoting: the rule a block ends with, and whether a reply kept it.

Pure. A reply can only be judged by what stands in it: a piece was used if names of it appear that were not in
the prompt, and it was quoted if its pointer stands there in backticks. Refuses to judge what a piece without
a pointer of its own, or without such names, was used for.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from navlog.projections.knowledge.elements import Elements
from navlog.schemas.knowledge import CitationMode

FEW = 2  # so many names of a piece make a use; one alone may be chance, unless it is the pointer's own
_NAME = re.compile(
    r"[A-Za-z_][\w-]*(?:[./:][A-Za-z_][\w-]*)+|[A-Za-z]+_[A-Za-z_0-9]+|[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+"
)
_TICKED = re.compile(r"`+([^`\n]+?)`+")
_PLACE = re.compile(r"(?::\d+(?:[:-]\d+)?)+$|\(\)$")

WORDS = {
    "must": (
        "Whoever uses a piece of this block quotes its entry_pointer in backticks at the first reference, for"
        " example `{pointer}`. A missing quote means planning again."
    ),
    "fact": "A piece that is used can be quoted by its entry_pointer in backticks, for example `{pointer}`.",
}
AGAIN = (
    "The plan uses {pieces} without quoting {pointers}. Plan again and quote each entry pointer in backticks"
    " at the first reference."
)


class Given(NamedTuple):
    """A piece as it was given."""

    id: str
    elements: Elements


class Reading(NamedTuple):
    """The ids of the pieces that were used, quoted, and used without being quoted."""

    used: list[str]
    quoted: list[str]
    missed: list[str]


def rule(mode: CitationMode, pointers: Sequence[str]) -> str:
    """What a block with these pointers ends with; "" where nothing is asked or nothing can be quoted."""
    pointer = next(filter(None, pointers), "")
    return WORDS[mode].format(pointer=pointer) if mode != "off" and pointer else ""


def read_reply(reply: str, prompt: str, pieces: Sequence[Given]) -> Reading:
    """What a reply did with the pieces it was given."""
    quotes = {_PLACE.sub("", hit.strip()) for hit in _TICKED.findall(reply)}
    said, asked = names(reply), names(prompt)
    used, quoted = [], []
    for piece in pieces:
        pointer = piece.elements.entry_pointer
        if not pointer:
            continue
        is_quoted = bool({pointer, pointer.partition(":")[0]} & quotes)
        own = names(f"`{pointer}`")
        fresh = (names(_text(piece.elements)) | own) & said - asked
        if is_quoted or fresh & own or len(fresh) >= FEW:
            used.append(piece.id)
        if is_quoted:
            quoted.append(piece.id)
    return Reading(used, quoted, [one for one in used if one not in quoted])


def again(pieces: Sequence[Given], missed: Sequence[str]) -> str:
    """The reason to take a turn on."""
    left = [piece for piece in pieces if piece.id in missed]
    pointers = ", ".join(f"`{piece.elements.entry_pointer}`" for piece in left)
    return AGAIN.format(pieces=", ".join(piece.id for piece in left), pointers=pointers)


def names(text: str) -> set[str]:
    """What can only be a name: paths, dotted and compound identifiers, and whatever stands in backticks."""
    found = set(_NAME.findall(text))
    found |= {_PLACE.sub("", hit.strip()) for hit in _TICKED.findall(text) if " " not in hit.strip()}
    return {name.lower() for one in found for name in (one, *re.split(r"[:/]", one)[-1:]) if len(name) > 2}


def _text(elements: Elements) -> str:
    return f"{elements.core_problem} {elements.key_constraint} {elements.latest_decision}"
