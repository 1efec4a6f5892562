"""What is asked and said about concepts and judgements: the arguments and results of their verbs.

A target is a concept's id, key, label or alias, or the id of a relation (``relation:…``); what nothing is
called by is an error with the nearest names.
"""

from typing import Any, Literal

import msgspec

from navlog.schemas.concept import Concept, Evidence

Action = Literal[
    "create", "accept", "reject", "rename", "alias", "merge", "split", "map", "unmap", "relate", "withdraw",
    "reopen",
]  # fmt: skip


class ConceptsArgs(msgspec.Struct, frozen=True, kw_only=True):
    """``all``: rejected ones too. ``project`` as in `navlog.schemas.wire.ContextArgs`."""

    project: str | None = None
    all: bool = False


class ConceptsReply(msgspec.Struct, frozen=True, kw_only=True):
    """The most important first; ``position`` is the event they are computed from."""

    position: int
    project: str
    concepts: list[Concept]


class ConceptArgs(msgspec.Struct, frozen=True, kw_only=True):
    """``concept`` is a target."""

    concept: str
    project: str | None = None


class ConceptReply(msgspec.Struct, frozen=True, kw_only=True):
    """``labels`` of the concepts it has relations with, by id; ``judgements``: what people said of it."""

    position: int
    project: str
    concept: Concept
    labels: dict[str, str] = {}
    judgements: list["JudgementRow"] = []


class JudgeArgs(msgspec.Struct, frozen=True, kw_only=True):
    """One judgement; which fields count depends on ``action``.

    create: ``label``. accept, reject: ``target`` (a concept, a relation's id), or ``target`` with
    ``relation`` and ``other``. rename: ``target``, ``label``. alias: ``target``, ``label``. merge:
    ``target`` into ``other``. split: ``paths`` of ``target`` to a new concept ``label``. map, unmap:
    ``paths`` to ``target`` in ``relation``. relate: ``target``, ``relation``, ``other``. withdraw:
    ``position``. reopen: ``target``, an agent's proposal (``proposal:ID``), which accept and reject take too.
    """

    action: Action
    project: str | None = None
    target: str = ""
    relation: str = ""
    other: str = ""
    label: str = ""
    paths: list[str] = []
    position: int = 0
    who: str = ""
    why: str = ""


class JudgementRow(msgspec.Struct, frozen=True, kw_only=True):
    """``says`` it in a sentence; ``withdrawn``: it no longer counts. ``data``: the overlay's own fields."""

    position: int
    id: str
    at: str
    who: str
    why: str
    type: str
    says: str
    withdrawn: bool = False
    data: dict[str, Any] = {}


class JudgeReply(msgspec.Struct, frozen=True, kw_only=True):
    """What was written down; ``says`` what became of an agent's proposal."""

    project: str
    judgements: list[JudgementRow]
    says: str = ""


class ProposalRow(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent would judge; ``target`` is how it is named, ``who`` judged it last.

    ``fault``: why it cannot be accepted as things are now.
    """

    target: str
    at: str
    host: str
    says: str
    why: str
    verdict: Literal["open", "accepted", "rejected"]
    who: str = ""
    fault: str = ""


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """Something that nobody judged: a concept, or one of its relations (``relation`` and ``other``).

    ``by``: the agent whose proposal it is; ``concept`` is the proposal's target then.
    """

    id: str
    concept: str
    says: str
    confidence: float
    evidence: list[Evidence]
    relation: str = ""
    other: str = ""
    by: str = ""


class CandidatesArgs(msgspec.Struct, frozen=True, kw_only=True):
    """``concept``: its relations instead of concepts; ``relations``: those of all that are shown."""

    project: str | None = None
    concept: str = ""
    relations: bool = False


class CandidatesReply(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be judged, concepts first, the surest first."""

    project: str
    candidates: list[Candidate]


class SharedJudgement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A judgement as it is given to others: a line of the exported file.

    ``id`` is made of the content, so the same judgement is the same line everywhere. ``data`` has the
    overlay's fields but those that name a place in one log; ``withdraws`` is the id of another line.
    """

    id: str
    at: str
    type: str
    who: str
    why: str = ""
    data: dict[str, Any] = {}
    withdraws: str = ""


class SharedReply(msgspec.Struct, frozen=True, kw_only=True):
    """In the order they were made."""

    project: str
    judgements: list[SharedJudgement]


class ImportArgs(msgspec.Struct, frozen=True, kw_only=True):
    """All or nothing: one that cannot be read, or whose id is not that of its content, refuses all."""

    judgements: list[SharedJudgement]
    project: str | None = None


class ImportReply(msgspec.Struct, frozen=True, kw_only=True):
    """``taken`` now, ``known`` before; ``elsewhere``: of those taken, how many name what is not here."""

    project: str
    taken: int
    known: int
    elsewhere: int = 0
