"""Found concepts as people judged them: rules first, then what a provider proposed, then people, always last.

A rejection makes no room for a weaker candidate: what is shown shrinks, and nobody has to reject twice.
Refuses to show a relation to what is not shown. Pure.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec.structs import replace

from navlog.projections.concepts.claiming import claim_id
from navlog.projections.concepts.concept import (
    FILE_RELATIONS,
    Claim,
    Concept,
    Evidence,
    FileRelation,
    Link,
    Source,
    Status,
)
from navlog.projections.concepts.finding import Finding
from navlog.projections.concepts.judgements import Standing, Verdict
from navlog.projections.concepts.naming import label, slug, stems
from navlog.schemas.concepts import ConceptsProposed, ProposedConcept

PROPOSED = 30  # concepts of one answer that are taken


def judge(
    finding: Finding, proposals: Iterable[ConceptsProposed], stands: Standing, paths: Collection[str]
) -> tuple[Concept, ...]:
    """The strongest first, then what people created; ``paths`` are the project's files."""
    found = {one.id: one for one in finding.concepts}
    shown = {one.id for one in finding.concepts[: finding.room]}
    for answer in proposals:
        shown |= _propose(found, answer, paths)
    _create(found, stands)
    shown |= stands.created.keys() | {
        id_ for id_, verdict in stands.verdicts.items() if verdict == "accepted"
    }
    judged = {
        id_: _judged(one, stands, paths)
        for id_, one in found.items()
        if id_ in shown or id_ in stands.merged or stands.verdicts.get(id_)
    }
    _split(judged, stands)
    _merge(judged, stands)
    return _consistent(judged, stands)


# --- what a provider proposed ---------------------------------------------------------------------------


def _propose(found: dict[str, Concept], answer: ConceptsProposed, paths: Collection[str]) -> set[str]:
    """Adds to what is found, or finds something of its own; never overrides a rule."""
    known = {stems(one.label): one.id for one in found.values()} | {
        stems(one.key): one.id for one in found.values()
    }
    added = set()
    for proposed in answer.concepts[:PROPOSED]:
        if not slug(proposed.label):
            continue
        id_ = known.get(stems(proposed.label)) or f"concept:{slug(proposed.label)}"
        one = found.get(id_) or _new(id_, proposed, answer.provider)
        files = _with_files(one, proposed, answer.provider, paths)
        if files:
            found[id_] = replace(one, files=files, aliases=_joined(one, one.aliases, proposed.aliases))
            added.add(id_)
    return added


def _new(id_: str, proposed: ProposedConcept, provider: str) -> Concept:
    return Concept(
        id=id_,
        key=id_.partition(":")[2],
        label=label(proposed.label),
        aliases=(),
        kind="named",
        status="found",
        source="provider",
        confidence=proposed.confidence,
        evidence=(Evidence(f"{provider}: {proposed.why}" if proposed.why else provider),),
    )


def _with_files(
    one: Concept, proposed: ProposedConcept, provider: str, paths: Collection[str]
) -> tuple[Claim, ...]:
    known = {(claim.relation, claim.path) for claim in one.files}
    new = [
        _claim(
            one.id,
            file.relation,
            file.path,
            "provider",
            file.confidence,
            Evidence(f"{provider}: {file.why}", file.path),
        )
        for file in proposed.files
        if file.path in paths and (file.relation, file.path) not in known
    ]
    return _ordered([*one.files, *new])


# --- what people said -----------------------------------------------------------------------------------


def _create(found: dict[str, Concept], stands: Standing) -> None:
    for id_, name in stands.created.items():
        if id_ not in found:
            found[id_] = _named(id_, name, "created")
    for id_, verdict in stands.verdicts.items():
        if id_ not in found:  # no rule finds it any more, and it was judged
            found[id_] = _named(id_, label(id_.partition(":")[2]), verdict)


def _named(id_: str, name: str, status: Status) -> Concept:
    return Concept(
        id=id_, key=id_.partition(":")[2], label=name, aliases=(), kind="named", status=status,
        source="person", confidence=1.0, evidence=(Evidence("a person named it"),),
    )  # fmt: skip


def _judged(one: Concept, stands: Standing, paths: Collection[str]) -> Concept:
    name = stands.labels.get(one.id) or (
        stands.created[one.id] if one.source == "person" and one.id in stands.created else one.label
    )
    aliases = [*stands.aliases.get(one.id, ()), *([one.label] if name != one.label else ())]
    return replace(
        one,
        label=name,
        aliases=_joined(replace(one, label=name), aliases, one.aliases),
        status=_status(one, stands),
        files=_files(one, stands, paths),
        relations=_links(one, stands),
    )


def _status(one: Concept, stands: Standing) -> Status:
    verdict: Verdict | None = stands.verdicts.get(one.id)
    return verdict or ("created" if one.id in stands.created else one.status)


def _files(one: Concept, stands: Standing, paths: Collection[str]) -> tuple[Claim, ...]:
    kept = []
    for claim in one.files:
        key = (one.id, claim.relation, claim.path)
        verdict = stands.claims.get(key)
        if verdict != "rejected" and stands.files.get(key, True):
            kept.append(replace(claim, status="accepted") if verdict else claim)
    known = {(claim.relation, claim.path) for claim in kept}
    mapped = [
        _claim(one.id, relation, path, "person", 1.0, Evidence("a person mapped it", path))
        for (id_, relation, path), holds in stands.files.items()
        if holds and id_ == one.id and path in paths and (relation, path) not in known
        and stands.claims.get((id_, relation, path)) != "rejected"
    ]  # fmt: skip
    return _ordered([*mapped, *kept])


def _links(one: Concept, stands: Standing) -> tuple[Link, ...]:
    kept = [
        link
        for link in one.relations
        if stands.claims.get((one.id, link.relation, link.concept)) != "rejected"
    ]
    kept = [
        replace(link, status="accepted") if (one.id, link.relation, link.concept) in stands.claims else link
        for link in kept
    ]
    known = {(link.relation, link.concept) for link in kept}
    stated = [
        Link(claim_id(*key), key[1], key[2], "person", 1.0, (Evidence("a person stated it"),), "created")  # type: ignore[arg-type]
        for key in stands.links
        if key[0] == one.id and key[1:] not in known and stands.claims.get(key) != "rejected"
    ]
    return (*stated, *kept)


def _split(judged: dict[str, Concept], stands: Standing) -> None:
    for (whole, path), part in stands.split.items():
        if whole in judged and part in judged:
            one, other = judged[whole], judged[part]
            given = [claim for claim in one.files if claim.path == path]
            judged[whole] = replace(one, files=tuple(claim for claim in one.files if claim.path != path))
            taken = [replace(claim, id=claim_id(part, claim.relation, path)) for claim in given]
            judged[part] = replace(other, files=_ordered([*other.files, *taken]))


def _merge(judged: dict[str, Concept], stands: Standing) -> None:
    for id_ in sorted(stands.merged.keys() & judged.keys()):
        into = stands.final(id_)
        if into in judged and judged[into].shown:
            judged[into] = _together(judged[into], judged[id_])
    for id_ in stands.merged:
        if judged.get(stands.final(id_)) is not None:
            judged.pop(id_, None)


def _together(one: Concept, other: Concept) -> Concept:
    known = {(claim.relation, claim.path) for claim in one.files}
    more = [
        replace(claim, id=claim_id(one.id, claim.relation, claim.path))
        for claim in other.files
        if (claim.relation, claim.path) not in known
    ]
    linked = {(link.relation, link.concept) for link in one.relations}
    links = [
        replace(link, id=claim_id(one.id, link.relation, link.concept))
        for link in other.relations
        if (link.relation, link.concept) not in linked
    ]
    return replace(
        one,
        aliases=_joined(one, one.aliases, (other.label, *other.aliases)),
        files=_ordered([*one.files, *more]),
        relations=(*one.relations, *links),
        merged=(*one.merged, other.id, *other.merged),
    )


def _consistent(judged: Mapping[str, Concept], stands: Standing) -> tuple[Concept, ...]:
    """Relations lead to what is shown, under the name it has now, and each stands once."""
    shown = {id_ for id_, one in judged.items() if one.shown}
    return tuple(replace(one, relations=tuple(_led(one, stands, shown))) for one in judged.values())


def _led(one: Concept, stands: Standing, shown: Collection[str]) -> Iterator[Link]:
    seen = set()
    for link in one.relations:
        other = stands.final(link.concept)
        if other in shown and other != one.id and (link.relation, other) not in seen:
            seen.add((link.relation, other))
            same = other == link.concept
            yield link if same else replace(link, id=claim_id(one.id, link.relation, other), concept=other)


def _claim(
    concept: str, relation: str, path: str, source: Source, confidence: float, evidence: Evidence
) -> Claim:
    word: FileRelation = next(word for word in FILE_RELATIONS if word == relation)
    status: Status = "created" if source == "person" else "found"
    return Claim(claim_id(concept, relation, path), word, path, source, confidence, (evidence,), status)


def _ordered(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """By relation, a person's before others, otherwise as they came."""
    return tuple(
        sorted(claims, key=lambda claim: (FILE_RELATIONS.index(claim.relation), claim.source != "person"))
    )


def _joined(one: Concept, first: Iterable[str], then: Iterable[str]) -> tuple[str, ...]:
    """Each alias once, whatever its case, and none that is the label."""
    found: dict[str, str] = {}
    for alias in (*first, *then):
        if alias.strip() and alias.casefold() != one.label.casefold():
            found.setdefault(alias.casefold(), alias)
    return tuple(found.values())
