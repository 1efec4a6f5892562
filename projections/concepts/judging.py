"""Found concepts as people judged them: rules first, then what a provider proposed, then people, always last.

A rejection makes no room for a weaker candidate: what is shown shrinks, and nobody has to reject twice.
Refuses to show a relation to what is not shown. Pure.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec.structs import replace

from navlog.projections.concepts.claiming import claim_id
from navlog.projections.concepts.finding import Finding
from navlog.projections.concepts.judgements import Standing
from navlog.projections.concepts.naming import label, slug, stems
from navlog.schemas.concept import (
    FILE_RELATIONS,
    Claim,
    Concept,
    Evidence,
    FileRelation,
    Link,
    Source,
    Status,
)
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
    shown |= stands.created.keys() | stands.verdicts.keys() | stands.merged.keys()
    shown |= {stands.final(id_) for id_ in stands.merged}
    known = {id_: one for id_, one in found.items() if id_ in shown}
    _merge(known, stands)
    _split(known, stands)
    names = {id_: _named_as_said(one, stands) for id_, one in known.items()}
    led = {id_: replace(one, relations=tuple(_led(one, stands))) for id_, one in names.items()}
    return tuple(_settled(led, stands.merged_into(), paths))


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


def _named_as_said(one: Concept, stands: Standing) -> Concept:
    own = stands.created.get(one.id, one.label) if one.source == "person" else one.label
    name = stands.labels.get(one.id, own)
    aliases = [*stands.aliases.get(one.id, ()), *([own] if name != own else ())]
    named = replace(one, label=name, status=_status(one, stands))
    return replace(named, aliases=_joined(named, aliases, one.aliases))


def _settled(known: Mapping[str, Concept], stands: Standing, paths: Collection[str]) -> Iterator[Concept]:
    """Files and relations as judged; a relation leads to what is shown."""
    shown = {id_ for id_, one in known.items() if one.shown}
    for one in known.values():
        links = tuple(link for link in _links(one, stands) if link.concept in shown)
        yield replace(one, files=_files(one, stands, paths), relations=links)


def _status(one: Concept, stands: Standing) -> Status:
    return stands.verdicts.get(one.id) or ("created" if one.id in stands.created else one.status)


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


def _merge(known: dict[str, Concept], stands: Standing) -> None:
    """What was merged into something that is here is a part of it, with its files, names and relations."""
    for id_ in [id_ for id_ in known if stands.final(id_) != id_ and stands.final(id_) in known]:
        into = stands.final(id_)
        known[into] = _together(known[into], _named_as_said(known[id_], stands))
    for id_ in [id_ for id_ in known if stands.final(id_) != id_ and stands.final(id_) in known]:
        del known[id_]


def _together(one: Concept, other: Concept) -> Concept:
    have = {(claim.relation, claim.path) for claim in one.files}
    more = [
        replace(claim, id=claim_id(one.id, claim.relation, claim.path))
        for claim in other.files
        if (claim.relation, claim.path) not in have
    ]
    return replace(
        one,
        aliases=_joined(one, one.aliases, (other.label, *other.aliases)),
        files=_ordered([*one.files, *more]),
        relations=(*one.relations, *other.relations),
        merged=tuple(sorted({*one.merged, other.id, *other.merged})),
    )


def _split(known: dict[str, Concept], stands: Standing) -> None:
    for (whole, path), part in stands.split.items():
        one, other = known.get(stands.final(whole)), known.get(stands.final(part))
        if one is None or other is None or one.id == other.id:
            continue
        given = [
            replace(claim, id=claim_id(other.id, claim.relation, path))
            for claim in one.files
            if claim.path == path
        ]
        known[one.id] = replace(one, files=tuple(claim for claim in one.files if claim.path != path))
        known[other.id] = replace(other, files=_ordered([*other.files, *given]))


def _led(one: Concept, stands: Standing) -> Iterator[Link]:
    """Relations under the names that their ends have now, each once, none to itself."""
    seen = set()
    for link in one.relations:
        other = stands.final(link.concept)
        if other != one.id and (link.relation, other) not in seen:
            seen.add((link.relation, other))
            yield replace(link, id=claim_id(one.id, link.relation, other), concept=other)


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
