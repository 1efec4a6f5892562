"""Concepts from the facts of a project: conservatively, the same for the same facts, whatever came before.

What several signs agree on is found; a name alone is not enough. Pure: facts in, concepts out.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from navlog.projections.concepts.claiming import claims_of
from navlog.projections.concepts.documents import CHAPTER, Documents, Key, Said
from navlog.projections.concepts.facts import Facts, Page
from navlog.projections.concepts.linking import links_of
from navlog.projections.concepts.naming import SHORT, compact, is_generic, label, slug, stems, words
from navlog.projections.concepts.surroundings import Surroundings
from navlog.projections.concepts.units import Unit, units_of
from navlog.projections.concepts.weighing import Weighed, weigh
from navlog.schemas.concept import Concept

FEWEST, GROWTH = 12, 1.5  # a project shows so many concepts, and so many more per root of its sources
SPARE = 2  # times as many are kept: what people accept may stand below the shown ones
WEAKEST = 1.3  # a weight under which nothing is claimed
NAMESAKES = 3  # a name that more units have is a habit: only the foremost one is a concept
RIVAL = 0.75  # of the foremost one's weight: a namesake that is a concept of its own
LESSER = 0.5  # of the weight of the package around a module
ALIASES = 6
MAIN_FILES = 5  # whose types give aliases


class Finding(NamedTuple):
    """``concepts`` the strongest first; ``room``: how many of them are to be shown."""

    concepts: tuple[Concept, ...]
    room: int


class Candidate(NamedTuple):
    """The foremost unit of a name, and lesser ones that belong to it."""

    name: str
    weighed: Weighed
    others: Sequence[Unit]


def find(facts: Facts) -> Finding:
    """Every concept that enough speaks for."""
    around, documents = Surroundings(facts), Documents(facts.pages.values())
    groups: dict[Key, list[Weighed]] = defaultdict(list)
    for unit in units_of(facts):
        groups[unit.key].append(weigh(unit, facts, around, documents))
    found = [one for group in groups.values() for one in _of_one_name(group)]
    found = [one for one in found if one.weighed.weight >= WEAKEST]
    weights = {one.weighed.unit.place: one.weighed.weight for one in found}
    found = [one for one in found if not _is_lesser(one.weighed, weights)]
    told = {one.weighed.unit.place for one in found}  # a module's name stands for its definitions
    found += [
        one for one in _symbols(facts, documents, groups, around)
        if one.weighed.weight >= WEAKEST and one.weighed.unit.place not in told
    ]  # fmt: skip
    found.sort(key=lambda one: (-one.weighed.weight, one.weighed.unit.place))
    room = round(FEWEST + GROWTH * sqrt(sum(page.is_code for page in facts.pages.values())))
    return Finding(_concepts(found[: SPARE * room], facts, around), room)


def _of_one_name(group: Sequence[Weighed]) -> Iterator[Candidate]:
    ranked = sorted(group, key=lambda one: (-one.weight, one.unit.place))
    first, rest = ranked[0], ranked[1:]
    rivals = [
        one for one in rest if one.weight >= RIVAL * first.weight and not _is_akin(one.unit, first.unit)
    ]
    akin = [one.unit for one in rest if _is_akin(one.unit, first.unit)]
    few = [
        one.unit for one in rest if len(ranked) <= NAMESAKES and one not in rivals and one.unit not in akin
    ]
    yield Candidate(first.unit.name, first, [*akin, *few])
    for one in rivals[:NAMESAKES]:
        if above := _distinct(one.unit, first.unit):
            yield Candidate(f"{above} {one.unit.name}", one, ())


def _is_lesser(one: Weighed, weights: Mapping[str, float]) -> bool:
    """A module that says little beside the package around it, which is a concept: a part of that."""
    around = weights.get(one.unit.place.rpartition("/")[0], 0.0)
    return one.unit.kind == "module" and one.weight < LESSER * around


def _is_akin(unit: Unit, first: Unit) -> bool:
    """Inside one another, or neighbours."""
    mine, theirs = unit.place.rpartition("/")[0], first.place.rpartition("/")[0]
    return (
        f"{unit.place}/".startswith(f"{first.place}/")
        or f"{first.place}/".startswith(f"{unit.place}/")
        or mine == theirs
        or mine.rpartition("/")[0] == theirs
        or theirs.rpartition("/")[0] == mine
    )


def _distinct(unit: Unit, first: Unit) -> str:
    """The nearest folder above that tells the two apart."""
    theirs = set(first.place.split("/"))
    parts = unit.place.split("/")[:-1]
    return next((part for part in reversed(parts) if part not in theirs and not is_generic(part)), "")


def _symbols(
    facts: Facts, documents: Documents, known: Mapping[Key, object], around: Surroundings
) -> Iterator[Candidate]:
    """A large definition that a page is named after."""
    for page in facts.pages.values():
        for one in page.names if page.is_code else ():
            if one.size < 30 or len(words(one.name)) < 2 or stems(one.name) in known:
                continue
            said = documents.named(one.name)
            if said is not None and compact(one.name) != compact(page.stem):
                unit = Unit("symbol", one.name, page.path, page.path.count("/"), False, (page.path,))
                weighed = weigh(unit, facts, around, documents)
                yield Candidate(
                    one.name, weighed._replace(weight=weighed.weight / 2 + 2, documents=[said]), ()
                )


def _concepts(found: Sequence[Candidate], facts: Facts, around: Surroundings) -> tuple[Concept, ...]:
    named: dict[str, Candidate] = {}
    for one in found:
        named.setdefault(f"concept:{slug(one.name)}", one)
    links = links_of({id_: one.weighed.unit for id_, one in named.items()}, facts)
    return tuple(
        Concept(
            id=id_,
            key=id_.partition(":")[2],
            label=label(one.name),
            aliases=_aliases(one, facts.pages),
            kind=one.weighed.unit.kind,
            status="found",
            source="rules",
            confidence=one.weighed.confidence,
            files=claims_of(id_, one.weighed.unit, one.others, one.weighed.documents, facts, around),
            relations=links.get(id_, ()),
            evidence=one.weighed.evidence,
        )
        for id_, one in named.items()
    )


def _aliases(one: Candidate, pages: Mapping[str, Page]) -> tuple[str, ...]:
    """Its long form, what its pages are called, the types whose names say it."""
    found = [label(SHORT[one.name.lower()])] if one.name.lower() in SHORT else []
    key = set(one.weighed.unit.key)
    found += [said.text.replace("`", "") for said in one.weighed.documents[:3] if _names_it(said, key)]
    for path in one.weighed.unit.files[:MAIN_FILES]:
        found += [
            name.name for name in pages[path].names
            if name.kind not in ("function", "variable", "constant") and key < set(stems(name.name))
        ][:3]  # fmt: skip
    own = {slug(one.name), slug(label(one.name))}
    return tuple(alias for alias in dict.fromkeys(found) if slug(alias) not in own)[:ALIASES]


def _names_it(said: Said, key: set[str]) -> bool:
    """A title that says the name and little more."""
    return said.sure >= CHAPTER and key <= set(stems(said.text)) and len(stems(said.text)) <= len(key) + 1
