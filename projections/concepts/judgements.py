"""People's judgements brought into the order they were made in, and what stands of them.

Order is by the time of judging, then by id, not by the place in a log: two people who exchange their
judgements end with the same ones. Where two exclude each other (accept and reject, map and unmap, two labels,
two merges of one concept) the later stands. A judgement follows what moved after it was made. Pure.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from navlog.schemas import overlays as o
from navlog.schemas.concept import CONCEPT_RELATIONS, FILE_RELATIONS

Verdict = Literal["accepted", "rejected"]
Triple = tuple[str, str, str]  # concept, relation, path or concept


class Judgement(NamedTuple):
    """One overlay of a project; ``at`` is when it was made."""

    position: int
    id: str
    at: str
    overlay: o.Overlay


class Move(NamedTuple):
    """A path or a concept that is another one since event ``position``."""

    position: int
    previous: str
    now: str


@dataclass
class Standing:
    """What holds after all judgements: by concept id, by relation, by file."""

    created: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, list[str]] = field(default_factory=dict)
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    claims: dict[Triple, Verdict] = field(default_factory=dict)
    files: dict[Triple, bool] = field(default_factory=dict)
    links: dict[Triple, None] = field(default_factory=dict)
    merged: dict[str, str] = field(default_factory=dict)
    split: dict[tuple[str, str], str] = field(default_factory=dict)

    def final(self, concept: str) -> str:
        """What the concept was merged into, itself if nothing."""
        while concept in self.merged:
            concept = self.merged[concept]
        return concept

    def merged_into(self) -> "Standing":
        """The same, with what was said of a merged concept's files and relations said of the one it is in."""
        files = {self._final(key): holds for key, holds in self.files.items()}
        claims = {self._final(key): verdict for key, verdict in self.claims.items()}
        return replace(self, files=files, claims=claims, links=dict.fromkeys(map(self._final, self.links)))

    def _final(self, key: Triple) -> Triple:
        concept, relation, other = key
        return self.final(concept), relation, self.final(other)


def standing(judgements: Iterable[Judgement], files: Sequence[Move], concepts: Sequence[Move]) -> Standing:
    """``files`` and ``concepts`` are the moves of the project, in the order of the log."""
    reading = _Reading(_following(files), _following(concepts))
    for one in active(judgements):
        reading.read(one.overlay)
    return reading.standing


def active(judgements: Iterable[Judgement]) -> list[Judgement]:
    """Those that nobody withdrew, in the order they were made in, without the withdrawals themselves."""
    known = sorted(judgements, key=lambda one: (one.at, one.id))
    withdrawn = {one.overlay.position for one in known if isinstance(one.overlay, o.OverlayWithdrawn)}
    return [
        one for one in known
        if one.position not in withdrawn and not isinstance(one.overlay, o.OverlayWithdrawn)
    ]  # fmt: skip


def follow(name: str, after: int, moves: Mapping[str, Sequence[Move]]) -> str:
    """What ``name`` is called now, given what moved after the event ``after``."""
    while step := next((one for one in moves.get(name, ()) if one.position > after), None):
        name, after = step.now, step.position
    return name


def _following(moves: Sequence[Move]) -> dict[str, list[Move]]:
    by_name: dict[str, list[Move]] = {}
    for move in moves:
        by_name.setdefault(move.previous, []).append(move)
    return by_name


class _Reading:
    """One judgement after the other."""

    def __init__(self, files: Mapping[str, Sequence[Move]], concepts: Mapping[str, Sequence[Move]]) -> None:
        self.standing = Standing()
        self._files = files
        self._concepts = concepts

    def read(self, overlay: o.Overlay) -> None:
        """One more; of a type that this release does not know nothing follows."""
        if handle := _HANDLERS.get(type(overlay)):
            handle(self, overlay)

    def _concept(self, concept: str, after: int) -> str:
        return follow(concept, after, self._concepts)

    def _path(self, path: str, after: int) -> str:
        return follow(path, after, self._files)

    def create(self, overlay: o.ConceptCreated) -> None:
        self.standing.created[self._concept(overlay.concept, overlay.after_event)] = overlay.label

    def rename(self, overlay: o.ConceptRenamed) -> None:
        self.standing.labels[self._concept(overlay.concept, overlay.after_event)] = overlay.label

    def alias(self, overlay: o.AliasAdded) -> None:
        known = self.standing.aliases.setdefault(self._concept(overlay.concept, overlay.after_event), [])
        if overlay.alias not in known:
            known.append(overlay.alias)

    def verdict(self, overlay: o.ClaimAccepted | o.ClaimRejected) -> None:
        verdict: Verdict = "accepted" if isinstance(overlay, o.ClaimAccepted) else "rejected"
        after = overlay.after_event
        if not overlay.subject:
            self.standing.verdicts[self._concept(overlay.target, after)] = verdict
            return
        on_file = overlay.relation in FILE_RELATIONS and not overlay.object.startswith("concept:")
        other = self._path(overlay.object, after) if on_file else self._concept(overlay.object, after)
        key = self._concept(overlay.subject, after), overlay.relation, other
        self.standing.claims.pop(key, None)  # the order of a dict is the order of judging
        self.standing.claims[key] = verdict

    def relate(self, overlay: o.RelationCreated) -> None:
        after = overlay.after_event
        if overlay.relation in CONCEPT_RELATIONS:
            one, other = self._concept(overlay.subject, after), self._concept(overlay.object, after)
            self.standing.links[one, overlay.relation, other] = None
            self.standing.claims.pop((one, overlay.relation, other), None)

    def map(self, overlay: o.FileMapped | o.FileUnmapped) -> None:
        if overlay.relation in FILE_RELATIONS:
            after = overlay.after_event
            key = self._concept(overlay.concept, after), overlay.relation, self._path(overlay.path, after)
            self.standing.files.pop(key, None)
            self.standing.files[key] = isinstance(overlay, o.FileMapped)
            self.standing.claims.pop(key, None)

    def merge(self, overlay: o.ConceptsMerged) -> None:
        """The later merge stands: one that would close a circle opens it at the older end."""
        after = overlay.after_event
        concept, into = self._concept(overlay.concept, after), self._concept(overlay.into, after)
        if concept == into:
            return
        merged = self.standing.merged
        merged.pop(concept, None)
        step = into
        while step in merged and merged[step] != concept:
            step = merged[step]
        merged.pop(step, None)  # only a step that leads to ``concept`` is still in there
        merged[concept] = into

    def split(self, overlay: o.ConceptSplit) -> None:
        after = overlay.after_event
        whole, part = self._concept(overlay.concept, after), self._concept(overlay.part, after)
        self.standing.created[part] = overlay.label
        for path in overlay.paths:
            self.standing.split[whole, self._path(path, after)] = part


_HANDLERS: dict[type[o.Overlay], Callable[[_Reading, Any], None]] = {
    o.ConceptCreated: _Reading.create,
    o.ConceptRenamed: _Reading.rename,
    o.AliasAdded: _Reading.alias,
    o.ClaimAccepted: _Reading.verdict,
    o.ClaimRejected: _Reading.verdict,
    o.RelationCreated: _Reading.relate,
    o.FileMapped: _Reading.map,
    o.FileUnmapped: _Reading.map,
    o.ConceptsMerged: _Reading.merge,
    o.ConceptSplit: _Reading.split,
}
