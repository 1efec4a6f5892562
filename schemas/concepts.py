"""Events about concepts: what an external provider answered, that it failed, and that a concept lives on.

What the rules find is computed from other events and is never an event itself. What a provider says cannot be
computed again, so its whole answer is one.
"""

from typing import ClassVar, Literal

import msgspec

from navlog.schemas.bounds import Share
from navlog.schemas.event import Event

FileWord = Literal["contains", "implemented_by", "tested_by", "documented_by", "configured_by"]


class ProposedFile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file that the provider says belongs to a concept; ``why`` in a few words."""

    path: str
    relation: FileWord = "implemented_by"
    confidence: Share = 0.5
    why: str = ""


class ProposedConcept(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A concept as the provider names it."""

    label: str
    aliases: list[str] = []
    confidence: Share = 0.5
    why: str = ""
    files: list[ProposedFile] = []


class ConceptsProposed(Event, frozen=True, kw_only=True):
    """What ``provider`` answered about the project, in place of what it answered before.

    ``asked`` is the digest of what it was shown: the same question is not asked twice.
    """

    TYPE: ClassVar[str] = "concepts_proposed"
    provider: str
    asked: str
    concepts: list[ProposedConcept]


class ConceptProviderFailed(Event, frozen=True, kw_only=True):
    """``provider`` gave no usable answer; ``why`` for a person."""

    TYPE: ClassVar[str] = "concept_provider_failed"
    provider: str
    asked: str
    why: str


class ConceptMoved(Event, frozen=True, kw_only=True):
    """The files of ``previous`` moved and are found as ``concept`` now: judgements on the one hold for it."""

    TYPE: ClassVar[str] = "concept_moved"
    previous: str
    concept: str


CONCEPTS: tuple[type[Event], ...] = (ConceptsProposed, ConceptProviderFailed, ConceptMoved)
