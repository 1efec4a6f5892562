"""AgentNavi's semantic overlays as overlays of ours; pure.

Its log is folded first: of a correction the last word counts, and one that was removed is never made.
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from navlog.daemon.importing.agentnavi import Entry, Refused
from navlog.schemas.overlays import (
    AliasAdded,
    ClaimAccepted,
    ClaimRejected,
    ConceptCreated,
    ConceptRenamed,
    ConceptsMerged,
    FileMapped,
    FileUnmapped,
    Overlay,
    RelationCreated,
)

WHO = "agentnavi"
TYPES = frozenset(("correction_upsert", "correction_remove"))


class Judgement(NamedTuple):
    """An overlay with its id; ``root`` is its project's."""

    id: str
    root: str
    overlay: Overlay


class Corrections:
    """One file, entry by entry; `made` gives what stands at its end."""

    def __init__(self, after_event: int) -> None:
        self._after = after_event
        self._standing: dict[tuple[str, str], Judgement] = {}
        self.removed: list[str] = []  # ids under which a removed one would have been made

    def add(self, entry: Entry) -> None:
        """Raises `Refused`."""
        name = str(entry.payload.get("correction_id") or "")
        if not name:
            raise Refused("correction_id is missing")
        key = (entry.root, name)
        if entry.type == "correction_remove":
            if before := self._standing.pop(key, None):
                self.removed.append(before.id)
        elif entry.type == "correction_upsert":
            self._standing[key] = self._judgement(entry, name)
        else:
            raise Refused(f"nobody knows the event {entry.type!r}")

    def made(self) -> list[Judgement]:
        """The judgements, in the order of their corrections."""
        return list(self._standing.values())

    def _judgement(self, entry: Entry, name: str) -> Judgement:
        action = str(entry.payload.get("action") or "")
        make = _ACTIONS.get(action)
        if make is None:
            raise Refused(f"nobody knows the action {action!r}")
        shared = {"after_event": self._after, "who": WHO, "why": str(entry.payload.get("note") or "")}
        what = sorted((key, repr(value)) for key, value in entry.payload.items())
        print_ = hashlib.sha256(repr(what).encode()).hexdigest()[:12]
        id_ = f"agentnavi:{entry.root}:{name}:{print_}"
        return Judgement(id_, entry.root, make(_Fields(entry.payload), shared))


class _Fields:
    """The fields of a correction under our names."""

    def __init__(self, payload: Mapping[str, Any]) -> None:
        self._payload = payload
        value = payload.get("value")
        self._value = value if isinstance(value, dict) else {}

    @property
    def concept(self) -> str:
        return concept_id(self._must("subject_key"))

    @property
    def other(self) -> str:
        return concept_id(self._must("object_key"))

    @property
    def path(self) -> str:
        return self._must("object_key")

    @property
    def relation(self) -> str:
        return self._must("relation")

    @property
    def claim(self) -> str:
        return claim_id(self.concept, self.relation, self._must("object_key"))

    def value(self, name: str) -> str:
        found = self._value.get(name)
        if not isinstance(found, str) or not found:
            raise Refused(f"value.{name} is missing")
        return found

    def label(self) -> str:
        found = self._value.get("label")
        return found if isinstance(found, str) and found else self._must("subject_key")

    def _must(self, name: str) -> str:
        found = self._payload.get(name)
        if not isinstance(found, str) or not found:
            raise Refused(f"{name} is missing")
        return found


def concept_id(key: str) -> str:
    """Our id of a concept that AgentNavi calls ``key``."""
    return f"concept:{key.removeprefix('concept:')}"


def claim_id(concept: str, relation: str, other: str) -> str:
    """Our id of a relation: as the concepts' own rules make it."""
    text = f"{concept}\0{relation}\0{other}"
    return "relation:" + hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


_Make = Callable[[_Fields, dict[str, Any]], Overlay]
_ACTIONS: Mapping[str, _Make] = {
    "create_concept": lambda one, rest: ConceptCreated(concept=one.concept, label=one.label(), **rest),
    "rename_concept": lambda one, rest: ConceptRenamed(concept=one.concept, label=one.value("label"), **rest),
    "add_alias": lambda one, rest: AliasAdded(concept=one.concept, alias=one.value("alias"), **rest),
    "merge_concept": lambda one, rest: ConceptsMerged(concept=one.concept, into=one.other, **rest),
    "accept_concept": lambda one, rest: ClaimAccepted(target=one.concept, **rest),
    "reject_concept": lambda one, rest: ClaimRejected(target=one.concept, **rest),
    "add_edge": lambda one, rest: RelationCreated(
        relation=one.relation, subject=one.concept, object=one.other, **rest
    ),
    "accept_edge": lambda one, rest: ClaimAccepted(target=one.claim, **rest),
    "reject_edge": lambda one, rest: ClaimRejected(target=one.claim, **rest),
    "map_file": lambda one, rest: FileMapped(
        concept=one.concept, relation=one.relation, path=one.path, **rest
    ),
    "unmap_file": lambda one, rest: FileUnmapped(
        concept=one.concept, relation=one.relation, path=one.path, **rest
    ),
}
