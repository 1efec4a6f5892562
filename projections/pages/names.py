"""Where each page lies: names that every file system and Obsidian take, one to a thing, none twice.

A name is made of the thing alone, so a new neighbour renames nobody; only where two would be equal (case and
Unicode form do not count) do both get a number made of what they are. Refuses every character that is not a
letter, a digit or one of a few signs: a repository's words name files here.
"""

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Container, Iterable
from typing import NamedTuple

from navlog.projections.quoting import neutral

NAME_BYTES = 150  # with the project's name, a number and the ending below the 255 of Linux
PROJECT_BYTES = 60
_UNSAFE = re.compile(r"[^\w .,()+@&'-]+")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_EDGES = " .-_"


class Thing(NamedTuple):
    """What gets a page: ``kind`` and ``id`` name it within ``project`` ("" for the vault's own)."""

    kind: str
    project: str
    id: str


class Wanted(NamedTuple):
    """The name a thing would like, in ``folder``. A ``fixed`` one gets it, others of that name give way."""

    thing: Thing
    folder: str
    name: str
    ending: str = ".md"
    fixed: bool = False

    @property
    def key(self) -> str:
        """What must be unique: Obsidian shows a note without its ending, anything else with it."""
        return fold(self.name + self.ending.removesuffix(".md"))


def safe(text: str, *, tail: bool = False, room: int = NAME_BYTES) -> str:
    """``text`` as a file name without ending, of at most ``room`` bytes; ``tail``: its end is kept."""
    name = _UNSAFE.sub("-", unicodedata.normalize("NFC", neutral(text)))
    name = _cut(" ".join(name.split()), room, tail=tail).strip(_EDGES)
    return f"{name or 'x'}-" if _RESERVED.fullmatch(name) else name or "x"


def fold(name: str) -> str:
    """Equal for names that some file system or Obsidian takes for the same."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def assign(wanted: Iterable[Wanted]) -> dict[Thing, str]:
    """Each thing's path in the vault, whatever order they come in."""
    groups: dict[str, list[Wanted]] = defaultdict(list)
    for one in {one.thing: one for one in wanted}.values():
        groups[one.key].append(one)
    keep: list[Wanted] = []
    give_way: list[Wanted] = []
    for group in groups.values():
        for one in group:
            (keep if one.fixed or len(group) == 1 else give_way).append(one)
    taken = {one.key for one in keep}
    for one in sorted(give_way):
        keep.append(_numbered(one, taken))
        taken.add(keep[-1].key)
    return {one.thing: _place(one) for one in keep}


def short_hash(*parts: str) -> str:
    """Six hex digits that stand for ``parts``."""
    return _digest(*parts)[:6]


def _numbered(one: Wanted, taken: Container[str]) -> Wanted:
    digest = _digest(*one.thing)
    tries = (one._replace(name=f"{one.name}-{digest[:length]}") for length in range(6, len(digest), 2))
    return next(other for other in tries if other.key not in taken)


def _place(one: Wanted) -> str:
    return f"{one.folder}/{one.name}{one.ending}" if one.folder else one.name + one.ending


def _cut(name: str, room: int, *, tail: bool) -> str:
    """At most ``room`` bytes of UTF-8; what is cut off leaves a number that stands for the whole."""
    data = name.encode()
    if len(data) <= room:
        return name
    mark, room = short_hash(name), room - 7
    if tail:
        return f"{mark}-{data[-room:].decode(errors='ignore')}"
    return f"{data[:room].decode(errors='ignore')}-{mark}"


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
