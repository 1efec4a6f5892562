"""Records of changes as pieces: which of them a prompt is about, and what is said of them in how many tokens.

Pure. Those of the last minutes come first, then others of the day, each by how near it is to the prompt; an
older one has to share words with it as well, since among many records some are near by chance. Refuses to
give a record that is not about the prompt: an unrelated prompt gets none.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from navlog.projections.commonplace import COMMON
from navlog.projections.injecting.block import Found
from navlog.projections.msu.queue import Hot
from navlog.projections.msu.state import Entry
from navlog.projections.slicing.fitting import head
from navlog.projections.slicing.speaking import gist, summary
from navlog.projections.terms import count_terms
from navlog.schemas.slices import Member, MsuFormed, Role

Count = Callable[[str], int]

NAMED = 2.0  # above every cosine: the prompt calls the file or the definition by its name
WORDS = 2  # of the prompt that an older record has to say too
FIRST: frozenset[Role] = frozenset({"call", "test", "example"})  # what a change may break
FIRST_SHARE = 0.4  # of a piece's tokens that these may take before the changed text
ONE_SHARE = 0.6  # of what is left that a single piece may take
POINTER = 40  # tokens that are kept back for each piece to come
SHORTEST = 3
MORE = "{} more places are touched"
_TICKED = re.compile(r"`([^`\n]+)`|\b(\w+)\(")
_COMPOUND = re.compile(r"[a-z0-9]_[a-zA-Z0-9]|[a-z][A-Z]")
_PATHS = re.compile(r"[\w./-]+\.\w+")


class Mentions(NamedTuple):
    """What a prompt calls by name: ``paths`` and file names, ``words`` as they stand, ``marked`` as code."""

    paths: frozenset[str]
    words: frozenset[str]
    marked: frozenset[str]


def mentions(task: str) -> Mentions:
    """The names in a prompt."""
    marked = {part for hit in _TICKED.findall(task) for part in re.findall(r"\w+", " ".join(hit))}
    return Mentions(
        frozenset(_PATHS.findall(task)), frozenset(re.findall(r"\w+", task, re.ASCII)), frozenset(marked)
    )


def is_named(said: Mentions, msu: MsuFormed) -> bool:
    """Whether the prompt names the file or a changed definition; a plain word only counts marked as code."""
    if msu.path in said.paths or msu.path.rpartition("/")[2] in said.paths:
        return True
    names = {change.name.rpartition(".")[2].partition("#")[0] for change in msu.changes}
    return any(
        name in (said.words if _COMPOUND.search(name) else said.marked)
        for name in names
        if len(name) >= SHORTEST
    )


def relevant(near: Sequence[Hot], recent: Collection[int], task: str, least: float) -> list[Hot]:
    """The records a prompt may be about, one for each path, those of the last minutes first.

    ``near``: records with their cosines to the prompt; ``recent``: positions of those of the last minutes;
    ``least``: the cosine that unrelated pairs stay below.
    """
    said = mentions(task)
    worth = [Hot(one.entry, NAMED) if is_named(said, one.entry.msu) else one for one in near]
    best = sorted(
        (one for one in worth if one.score >= least),
        key=lambda one: (one.entry.position not in recent, -one.score, -one.entry.position),
    )
    chosen: dict[str, Hot] = {}
    for one in best:
        chosen.setdefault(one.entry.msu.path, one)
    return list(chosen.values())


def speaks(one: Hot, task: str, texts: Mapping[str, str]) -> bool:
    """Whether an older record says enough of the prompt's words; one that is called by its name does."""
    if one.score >= NAMED:
        return True
    own = count_terms(gist(one.entry.msu, texts))
    return sum(word in own for word in count_terms(task) if word not in COMMON) >= WORDS


def pieces(
    found: Sequence[Entry],
    texts: Mapping[str, str],
    now: Callable[[str], str],
    room: int,
    count: Count,
) -> list[Found]:
    """The records as pieces within ``room`` tokens, the first ones with the most of their text.

    ``now`` gives the content a path has: a record of another one is a pointer that says so, unless it is of
    another machine, where the path has that content.
    """
    told: list[Found] = []
    for place, entry in enumerate(found):
        msu, state = entry.msu, _state(entry, now(entry.msu.path))
        spare = max(0, room - POINTER * (len(found) - place))
        stale = state and not entry.machine
        text = "" if stale else worded(msu, texts, int(spare * ONE_SHARE), count)
        reason = "; ".join(filter(None, (summary(msu), state)))
        told.append(Found(msu.msu, "msu", _pointer(msu), text, reason))
        room -= count(told[-1].pointer + reason + text)
    return told


def _state(entry: Entry, content: str) -> str:
    """A path that changed again has lines that are not these any more."""
    if content == entry.msu.content:
        return ""
    return f"on {entry.machine}, not here" if entry.machine else "STALE" if content else "GONE"


def _pointer(msu: MsuFormed) -> str:
    line = next((change.line for change in msu.changes if change.line), 0)
    line = line or next((member.line for member in msu.core), 0)
    return f"{msu.path}:{line}" if line and msu.content else msu.path


def worded(msu: MsuFormed, texts: Mapping[str, str], room: int, count: Count) -> str:
    """What changed and what that touches, as much as fits: call sites are worth more than the code itself."""
    chosen: dict[int, str] = {}
    room -= count(MORE.format(10**4) + "\n")
    left = room
    for place, text, most in _parts(msu, texts, room):
        price = count(text + "\n")
        if place not in chosen and price <= left and room - left + price <= most:
            chosen[place] = text
            left -= price
    absent = len(msu.radius) - sum(place >= len(msu.core) for place in chosen) + sum(msu.left.values())
    said = [chosen[place] for place in sorted(chosen)]
    return "\n".join([*said, *([MORE.format(absent)] if said and absent else [])])


def _parts(msu: MsuFormed, texts: Mapping[str, str], room: int) -> Iterator[tuple[int, str, int]]:
    """(place, text, how much of the room may be taken with it), the most telling first."""
    touched = list(enumerate(msu.radius, len(msu.core)))
    for place, member in touched:
        if member.role in FIRST:
            yield place, _place(member, texts), int(room * FIRST_SHARE)
            yield place, _place(member, {}), int(room * FIRST_SHARE)
    for place, member in enumerate(msu.core):
        if text := texts.get(member.text):
            yield place, text if len(msu.core) == 1 else f"{_head(member)}\n{text}", room
        yield place, _head(member), room
    for place, member in touched:
        yield place, _place(member, texts), room
        yield place, _place(member, {}), room


def _head(member: Member) -> str:
    return head(member.path, member.line, member.symbol, member.reason)


def _place(member: Member, texts: Mapping[str, str]) -> str:
    line = f"{member.role}: {_head(member)}"
    text = texts.get(member.text, "")
    return f"{line}: {text}" if text else line
