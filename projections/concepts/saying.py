"""Judgements, claims and relations in plain sentences, for lists and reviews. Pure."""

from collections.abc import Callable, Mapping
from typing import Any

from navlog.schemas import overlays as o
from navlog.schemas.concept import Concept

Names = Mapping[str, str]  # concept id -> label
_WORDS = {
    "implemented_by": "is implemented by", "contains": "contains", "tested_by": "is tested by",
    "documented_by": "is documented by", "configured_by": "is configured by", "depends_on": "depends on",
    "related_to": "is related to",
}  # fmt: skip


def relation_says(names: Names, concept: str, relation: str, other: str) -> str:
    """“Sessions” is tested by tests/test_sessions.py"""
    end = _name(names, other) if other.startswith("concept:") else other
    return f"{_name(names, concept)} {_WORDS.get(relation, relation)} {end}"


def concept_says(one: Concept) -> str:
    """“Sessions” is a part of this project, mainly src/sessions.py"""
    main = ", ".join(claim.path for claim in one.files[:3] if claim.relation == "implemented_by")
    return f"“{one.label}” is a part of this project" + (f", mainly {main}" if main else "")


def overlay_says(overlay: o.Overlay, names: Names) -> str:
    """A judgement in a sentence; "" for one that this release does not know."""
    say = _SAYINGS.get(type(overlay))
    return say(overlay, names) if say else ""


def _name(names: Names, concept: str) -> str:
    return f"“{names[concept]}”" if concept in names else concept


def _verdict(word: str) -> Callable[[Any, Names], str]:
    def say(overlay: o.ClaimAccepted | o.ClaimRejected, names: Names) -> str:
        if overlay.subject:
            return f"{word}: " + relation_says(names, overlay.subject, overlay.relation, overlay.object)
        return f"{word}: {_name(names, overlay.target)}"

    return say


_SAYINGS: dict[type[o.Overlay], Callable[[Any, Names], str]] = {
    o.ConceptCreated: lambda one, _: f"created: “{one.label}”",
    o.RelationCreated: lambda one, names: (
        "stated: " + relation_says(names, one.subject, one.relation, one.object)
    ),
    o.ClaimAccepted: _verdict("accepted"),
    o.ClaimRejected: _verdict("rejected"),
    o.ConceptRenamed: lambda one, _: f"renamed: {one.concept} is “{one.label}”",
    o.AliasAdded: lambda one, names: f"alias: {_name(names, one.concept)} is also “{one.alias}”",
    o.ConceptsMerged: lambda one, names: f"merged: {_name(names, one.concept)} into {_name(names, one.into)}",
    o.ConceptSplit: lambda one, names: (
        f"split: {', '.join(one.paths)} of {_name(names, one.concept)} are “{one.label}”"
    ),
    o.FileMapped: lambda one, names: "mapped: " + relation_says(names, one.concept, one.relation, one.path),
    o.FileUnmapped: lambda one, names: (
        "unmapped: not " + relation_says(names, one.concept, one.relation, one.path)
    ),
    o.OverlayWithdrawn: lambda one, _: f"withdrawn: judgement {one.position}",
}  # fmt: skip
