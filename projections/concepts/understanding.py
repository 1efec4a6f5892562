"""A request for a judgement, understood against what is shown: names become ids and paths. Pure.

An unknown name, a relation nobody knows, a concept merged into itself: each is a `UsageError` that says what
is near.
"""

from collections.abc import Mapping, Sequence

import msgspec

from navlog.projections.concepts import sharing
from navlog.projections.concepts.claiming import claim_id
from navlog.projections.concepts.judgements import Judgement, Triple, active
from navlog.projections.concepts.naming import slug
from navlog.projections.concepts.targets import concept_named, file_named, relation_of, relation_word
from navlog.schemas import overlays as o
from navlog.schemas.concept import CONCEPT_RELATIONS, FILE_RELATIONS, Concept
from navlog.schemas.errors import UsageError
from navlog.schemas.meaning import JudgeArgs


class Said:
    """One request, understood against what is there; ``withdraws`` is the line that a withdrawal names."""

    def __init__(
        self,
        args: JudgeArgs,
        concepts: Sequence[Concept],
        paths: frozenset[str],
        known: Mapping[int, Judgement],
    ) -> None:
        self._args, self._concepts, self._paths, self._known = args, concepts, paths, known
        self.withdraws = ""

    def overlays(self, after: int) -> list[o.Overlay]:
        """The overlays it means; raises `UsageError`."""
        make = getattr(self, f"_{self._args.action}")
        made: list[o.Overlay] = make({"after_event": after, "who": self._args.who, "why": self._args.why})
        return made

    def _create(self, base: dict[str, object]) -> list[o.Overlay]:
        return [
            msgspec.convert({**base, "concept": self._new_id(), "label": self._label()}, o.ConceptCreated)
        ]

    def _accept(self, base: dict[str, object]) -> list[o.Overlay]:
        return [msgspec.convert({**base, **self._claim()}, o.ClaimAccepted)]

    def _reject(self, base: dict[str, object]) -> list[o.Overlay]:
        return [msgspec.convert({**base, **self._claim()}, o.ClaimRejected)]

    def _rename(self, base: dict[str, object]) -> list[o.Overlay]:
        return [
            msgspec.convert({**base, "concept": self._concept(), "label": self._label()}, o.ConceptRenamed)
        ]

    def _alias(self, base: dict[str, object]) -> list[o.Overlay]:
        return [msgspec.convert({**base, "concept": self._concept(), "alias": self._label()}, o.AliasAdded)]

    def _merge(self, base: dict[str, object]) -> list[o.Overlay]:
        one, into = self._concept(), concept_named(self._concepts, self._args.other).id
        if one == into:
            raise UsageError(f"{one} cannot be merged into itself.", hint="Name two concepts.")
        return [msgspec.convert({**base, "concept": one, "into": into}, o.ConceptsMerged)]

    def _split(self, base: dict[str, object]) -> list[o.Overlay]:
        whole = concept_named(self._concepts, self._args.target)
        own = frozenset(claim.path for claim in whole.files)
        paths = [file_named(own, path) for path in self._files()]
        part = {"concept": whole.id, "part": self._new_id(), "label": self._label(), "paths": paths}
        return [msgspec.convert({**base, **part}, o.ConceptSplit)]

    def _map(self, base: dict[str, object]) -> list[o.Overlay]:
        return [
            msgspec.convert({**base, **self._file(file_named(self._paths, path))}, o.FileMapped)
            for path in self._files()
        ]

    def _unmap(self, base: dict[str, object]) -> list[o.Overlay]:
        own = frozenset(claim.path for claim in concept_named(self._concepts, self._args.target).files)
        return [
            msgspec.convert({**base, **self._file(file_named(own | self._paths, path))}, o.FileUnmapped)
            for path in self._files()
        ]

    def _relate(self, base: dict[str, object]) -> list[o.Overlay]:
        word = relation_word(self._args.relation, files=False, concepts=True)
        ends = {"subject": self._concept(), "object": concept_named(self._concepts, self._args.other).id}
        if ends["subject"] == ends["object"]:
            raise UsageError(f"{ends['subject']} has no relation to itself.", hint="Name two concepts.")
        return [msgspec.convert({**base, "relation": word, **ends}, o.RelationCreated)]

    def _withdraw(self, base: dict[str, object]) -> list[o.Overlay]:
        one = self._known.get(self._args.position)
        if one is None or isinstance(one.overlay, o.OverlayWithdrawn):
            raise UsageError(
                f"There is no judgement {self._args.position} in this project.",
                hint="See:  navlog overlay list",
            )
        if one.position not in {judgement.position for judgement in active(self._known.values())}:
            raise UsageError(
                f"Judgement {one.position} is withdrawn already.", hint="See:  navlog overlay list"
            )
        self.withdraws = sharing.shared(one.overlay, one.at).id
        return [msgspec.convert({**base, "position": one.position}, o.OverlayWithdrawn)]

    # --- what the fields mean ---------------------------------------------------------------------------

    def _concept(self) -> str:
        return concept_named(self._concepts, self._args.target).id

    def _label(self) -> str:
        name = " ".join(self._args.label.split())
        if not slug(name):
            raise UsageError(f"{self._args.label!r} is no name.", hint="A name has letters or digits.")
        return name

    def _new_id(self) -> str:
        id_ = f"concept:{slug(self._label())}"
        taken = next((one for one in self._concepts if id_ in (one.id, *one.merged)), None)
        if taken is not None:
            raise UsageError(
                f"There is a concept {id_} already: {taken.label} ({taken.status}).",
                hint=f"Accept it:  navlog overlay accept {taken.key}",
            )
        return id_

    def _files(self) -> list[str]:
        if not self._args.paths:
            raise UsageError("No file is named.", hint="Name files from the project's root.")
        return self._args.paths

    def _file(self, path: str) -> dict[str, object]:
        word = relation_word(self._args.relation or "implemented_by", files=True, concepts=False)
        return {"concept": self._concept(), "relation": word, "path": path}

    def _claim(self) -> dict[str, object]:
        if self._args.relation:
            return _claim_of(self._triple())
        if not self._args.target.startswith("relation:"):
            return {"target": self._concept()}
        triple = relation_of(self._concepts, self._args.target) or self._judged_before()
        if triple is None:
            raise UsageError(
                f"There is no relation {self._args.target!r}.",
                hint="See a concept's:  navlog concept show NAME --json",
            )
        return _claim_of(triple)

    def _triple(self) -> Triple:
        word = relation_word(self._args.relation, files=True, concepts=True)
        other = self._args.other
        if word in FILE_RELATIONS and (word not in CONCEPT_RELATIONS or other in self._paths):
            return self._concept(), word, file_named(self._paths, other)
        return self._concept(), word, concept_named(self._concepts, other).id

    def _judged_before(self) -> Triple | None:
        """One that was rejected is shown nowhere, but the judgement names its parts."""
        for one in self._known.values():
            said = one.overlay
            if isinstance(said, o.ClaimAccepted | o.ClaimRejected) and said.target == self._args.target:
                return said.subject, said.relation, said.object
        return None


def _claim_of(triple: Triple) -> dict[str, object]:
    return {"target": claim_id(*triple), "subject": triple[0], "relation": triple[1], "object": triple[2]}
