"""What a concept is: a name people use for a part of the project, with the files that make it up.

The reading seam: answers, the vault and the commands see concepts only as these. Everything is immutable and
ordered, so that equal facts give equal bytes; nothing here holds a clock or a log position.
"""

from typing import Literal, NamedTuple

import msgspec

Kind = Literal["package", "module", "topic", "symbol", "named"]
Status = Literal["found", "accepted", "rejected", "created"]
FileRelation = Literal["contains", "implemented_by", "tested_by", "documented_by", "configured_by"]
ConceptRelation = Literal["contains", "depends_on", "related_to"]
Source = Literal["rules", "provider", "person"]

FILE_RELATIONS: tuple[FileRelation, ...] = (
    "implemented_by", "contains", "tested_by", "documented_by", "configured_by",
)  # fmt: skip
CONCEPT_RELATIONS: tuple[ConceptRelation, ...] = ("contains", "depends_on", "related_to")


class Evidence(NamedTuple):
    """Why something is claimed: ``says`` in a few words; ``path`` and ``line`` point there (0: the file)."""

    says: str
    path: str = ""
    line: int = 0

    @property
    def pointer(self) -> str:
        """``path:line``, as answers write it; "" where there is nothing to point at."""
        return f"{self.path}:{self.line}" if self.line else self.path


class Claim(msgspec.Struct, frozen=True, gc=False):
    """A file of a concept. ``confidence`` is between 0 and 1; what a person says has 1.

    ``id`` is made of the concept, the relation and the path: what accept and reject name.
    """

    id: str
    relation: FileRelation
    path: str
    source: Source
    confidence: float
    evidence: tuple[Evidence, ...] = ()
    status: Status = "found"


class Link(msgspec.Struct, frozen=True, gc=False):
    """A relation to another concept; ``concept`` is its id, ``id`` is made of both and the relation."""

    id: str
    relation: ConceptRelation
    concept: str
    source: Source
    confidence: float
    evidence: tuple[Evidence, ...] = ()
    status: Status = "found"


class Concept(msgspec.Struct, frozen=True, gc=False):
    """``id`` is ``concept:<key>``, ``label`` what people read, ``aliases`` other words for it.

    ``files``: the main ones first (implemented_by, by confidence), then the other relations in the order of
    `FILE_RELATIONS`. Rejected claims are not among them, nor are relations to rejected concepts; a rejected
    concept itself is given with its status, so that it can be seen and taken back. ``merged``: ids that
    people merged into this one.
    """

    id: str
    key: str
    label: str
    aliases: tuple[str, ...]
    kind: Kind
    status: Status
    source: Source
    confidence: float
    files: tuple[Claim, ...] = ()
    relations: tuple[Link, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    merged: tuple[str, ...] = ()

    @property
    def shown(self) -> bool:
        """Whether people and agents are to see it."""
        return self.status != "rejected"
