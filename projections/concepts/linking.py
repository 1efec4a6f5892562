"""How concepts hang together: one lies in another, uses it, changes together with it."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from navlog.projections.concepts.claiming import claim_id
from navlog.projections.concepts.facts import Facts
from navlog.projections.concepts.surroundings import SWEEP
from navlog.projections.concepts.units import Unit, above
from navlog.schemas.concept import ConceptRelation, Evidence, Link

DEPENDS, RELATED = 8, 5  # links of each sort that a concept shows
TOGETHER, SHARE = 3, 0.25  # commits, and the share of the rarer one's commits, that make a relation


def links_of(units: Mapping[str, Unit], facts: Facts) -> dict[str, tuple[Link, ...]]:
    """Concept id -> its links; ``units``: concept id -> where it lives."""
    places = {unit.place: concept for concept, unit in units.items() if unit.kind == "package"}
    owners = _owners(units, facts)
    found: dict[str, list[Link]] = defaultdict(list)
    for concept, unit in units.items():
        if parent := _parent(concept, unit, places):
            found[parent].append(
                _link(parent, "contains", concept, 0.95, Evidence("its folder is inside", unit.files[0]))
            )
    for links in (_depends(owners, facts), _related(owners, facts)):
        for concept, link in links:
            found[concept].append(link)
    return {concept: tuple(links) for concept, links in found.items()}


def _parent(concept: str, unit: Unit, places: Mapping[str, str]) -> str | None:
    return next(
        (places[folder] for folder in above(unit.place) if places.get(folder, concept) != concept), None
    )


def _owners(units: Mapping[str, Unit], facts: Facts) -> dict[str, str]:
    """Source -> the concept it belongs to most closely."""
    found: dict[str, str] = {}
    for concept, unit in sorted(units.items(), key=lambda pair: (-len(pair[1].files), pair[0])):
        found.update(dict.fromkeys((path for path in unit.files if path in facts.pages), concept))
    return found


def _depends(owners: Mapping[str, str], facts: Facts) -> Iterator[tuple[str, Link]]:
    uses: dict[str, Counter[str]] = defaultdict(Counter)
    first: dict[tuple[str, str], str] = {}
    for path in sorted(facts.edges):
        mine = owners.get(path)
        for kind, target in facts.edges[path] if mine else ():
            theirs = owners.get(target)
            if mine and kind == "import" and theirs and theirs != mine:
                uses[mine][theirs] += 1
                first.setdefault((mine, theirs), path)
    for mine, counts in uses.items():
        for theirs, count in _best(counts, DEPENDS):
            says = f"{count} import{'s' if count > 1 else ''} of it"
            yield (
                mine,
                _link(mine, "depends_on", theirs, count / (count + 1), Evidence(says, first[mine, theirs])),
            )


def _related(owners: Mapping[str, str], facts: Facts) -> Iterator[tuple[str, Link]]:
    alone: Counter[str] = Counter()
    both: dict[str, Counter[str]] = defaultdict(Counter)
    for change in facts.changes:
        touched = sorted({owners[path] for path in change.paths if path in owners})
        if len(change.paths) <= SWEEP:
            alone.update(touched)
            for one, other in combinations(touched, 2):
                both[one][other] += 1
                both[other][one] += 1
    for one, counts in both.items():
        near = {
            other: count
            for other, count in counts.items()
            if count >= TOGETHER and count >= SHARE * min(alone[one], alone[other])
        }
        for other, count in _best(near, RELATED):
            says = f"changed together in {count} of {min(alone[one], alone[other])} commits"
            yield one, _link(one, "related_to", other, count / (count + 2), Evidence(says))


def _best(counts: Mapping[str, int], most: int) -> Sequence[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:most]


def _link(concept: str, relation: ConceptRelation, other: str, confidence: float, why: Evidence) -> Link:
    return Link(claim_id(concept, relation, other), relation, other, "rules", round(confidence, 3), (why,))
