"""The overlays: people's judgements on derived names, in a log of their own.

Each carries ``after_event``, the event position it was made at, who made it and why. What it points at is a
concept id (``concept:…``), a relation id (``relation:…``) or a project path. A relation's id is made of its
three parts, which change when files move: what accepts or rejects one names them too.
"""

from typing import ClassVar

import msgspec


class Overlay(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What every judgement carries."""

    TYPE: ClassVar[str]
    VERSION: ClassVar[int] = 1
    after_event: int
    who: str
    why: str = ""


class ConceptCreated(Overlay, frozen=True, kw_only=True):
    """A person names a concept the rules did not find."""

    TYPE: ClassVar[str] = "concept_created"
    concept: str
    label: str


class RelationCreated(Overlay, frozen=True, kw_only=True):
    """A person states a relation the rules did not find."""

    TYPE: ClassVar[str] = "relation_created"
    relation: str
    subject: str
    object: str


class ClaimAccepted(Overlay, frozen=True, kw_only=True):
    """A concept or relation holds, whatever a later scan says.

    ``subject``, ``relation`` and ``object`` (a path or a concept) are a relation's parts, "" for a concept.
    """

    TYPE: ClassVar[str] = "claim_accepted"
    target: str
    subject: str = ""
    relation: str = ""
    object: str = ""


class ClaimRejected(Overlay, frozen=True, kw_only=True):
    """A concept or relation does not hold, whatever a later scan says; its parts as in `ClaimAccepted`."""

    TYPE: ClassVar[str] = "claim_rejected"
    target: str
    subject: str = ""
    relation: str = ""
    object: str = ""


class ConceptRenamed(Overlay, frozen=True, kw_only=True):
    """A concept's label as people say it."""

    TYPE: ClassVar[str] = "concept_renamed"
    concept: str
    label: str


class AliasAdded(Overlay, frozen=True, kw_only=True):
    """Another word for the same concept."""

    TYPE: ClassVar[str] = "alias_added"
    concept: str
    alias: str


class ConceptsMerged(Overlay, frozen=True, kw_only=True):
    """``concept`` is part of ``into``; its id goes on pointing there."""

    TYPE: ClassVar[str] = "concepts_merged"
    concept: str
    into: str


class ConceptSplit(Overlay, frozen=True, kw_only=True):
    """``concept`` gives ``paths`` to a new concept ``part``."""

    TYPE: ClassVar[str] = "concept_split"
    concept: str
    part: str
    label: str
    paths: list[str]


class FileMapped(Overlay, frozen=True, kw_only=True):
    """``path`` belongs to the concept in this relation."""

    TYPE: ClassVar[str] = "file_mapped"
    concept: str
    relation: str
    path: str


class FileUnmapped(Overlay, frozen=True, kw_only=True):
    """``path`` does not belong to the concept in this relation."""

    TYPE: ClassVar[str] = "file_unmapped"
    concept: str
    relation: str
    path: str


class OverlayWithdrawn(Overlay, frozen=True, kw_only=True):
    """The judgement with this overlay position no longer counts."""

    TYPE: ClassVar[str] = "overlay_withdrawn"
    position: int


OVERLAYS: dict[str, type[Overlay]] = {
    struct.TYPE: struct
    for struct in (
        ConceptCreated, RelationCreated, ClaimAccepted, ClaimRejected, ConceptRenamed, AliasAdded,
        ConceptsMerged, ConceptSplit, FileMapped, FileUnmapped, OverlayWithdrawn,
    )
}  # fmt: skip
