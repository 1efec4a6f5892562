"""The files of a concept: which implement it, which it merely contains, which test, document, configure it.

The main files come first: the one that bears the name, the package's own, the one that most others import.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from math import log2

from navlog.projections.concepts.documents import Said
from navlog.projections.concepts.facts import Facts, Page
from navlog.projections.concepts.naming import stems
from navlog.projections.concepts.surroundings import Surroundings
from navlog.projections.concepts.units import Unit
from navlog.schemas.concept import Claim, Evidence, FileRelation

MAIN, CONTAINED, TESTS, DOCUMENTS, SETTINGS = 5, 60, 12, 8, 4
OWN = frozenset({"__init__", "index", "mod", "lib", "base", "main", "core", "common"})


def claims_of(
    concept: str, unit: Unit, others: Sequence[Unit], said: Sequence[Said], facts: Facts, around: Surroundings
) -> tuple[Claim, ...]:
    """``others`` are lesser units of the same name: their files are the concept's too."""
    code = _by_weight(unit, unit.files, facts, around)
    code += _by_weight(
        unit, (path for other in others for path in other.files if path not in unit.files), facts, around
    )
    main = code[:MAIN]
    found = [claim(concept, "implemented_by", path, sure, (why,)) for path, sure, why in main]
    found += [
        claim(concept, "contains", path, 0.9, (why,)) for path, _, why in sorted(code[MAIN:])[:CONTAINED]
    ]
    found += _tests(concept, unit, [path for path, _, _ in main], around)
    found += [
        claim(concept, "documented_by", one.path, one.sure, (Evidence(one.text, one.path, one.line),))
        for one in said[:DOCUMENTS]
    ]
    found += _settings(concept, unit, around)
    return tuple(found)


def claim(
    concept: str, relation: FileRelation, path: str, confidence: float, evidence: tuple[Evidence, ...]
) -> Claim:
    """A claim of the rules; its id is made of what it says."""
    return Claim(claim_id(concept, relation, path), relation, path, "rules", round(confidence, 3), evidence)


def claim_id(concept: str, relation: str, other: str) -> str:
    """``relation:…`` of a concept and a file or another concept; the same for the same three, anywhere."""
    text = f"{concept}\0{relation}\0{other}"
    return "relation:" + blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def _by_weight(
    unit: Unit, paths: Iterable[str], facts: Facts, around: Surroundings
) -> list[tuple[str, float, Evidence]]:
    weighed = [(_weight(unit, facts.pages[path], around), path) for path in paths]
    top = max((weight for weight, _ in weighed), default=1.0)
    return [
        (path, 0.5 + 0.5 * max(0.0, weight) / max(top, 0.1), _why(facts.pages[path], around))
        for weight, path in sorted(weighed, key=lambda pair: (-pair[0], pair[1]))
    ]


def _weight(unit: Unit, page: Page, around: Surroundings) -> float:
    nested = page.path.count("/") - unit.place.count("/") - 1 if unit.kind == "package" else 0
    bears = stems(page.stem) == unit.key or any(stems(one.name) == unit.key for one in page.names)
    own = page.stem in OWN and bool(page.names or page.stem == "base")
    return (
        log2(1 + len(around.importers.get(page.path, ())))
        + 0.7 * log2(1 + page.lines / 40)
        + 0.3 * log2(1 + around.touched[page.path])
        + 2.0 * bears
        + 1.0 * own
        - 1.2 * nested
    )


def _why(page: Page, around: Surroundings) -> Evidence:
    users = len(around.importers.get(page.path, ()))
    named = max(page.names, key=lambda one: one.size, default=None)
    says = f"defines {named.name}" if named else f"{page.lines} lines"
    return Evidence(says + (f", imported by {users}" if users else ""), page.path, named.line if named else 1)


def _tests(concept: str, unit: Unit, main: Sequence[str], around: Surroundings) -> Iterator[Claim]:
    """Those named after it first, then those that use most of its main files."""
    used: dict[str, int] = {}
    for path in main:
        for test, why in around.tests.get(path, {}).items():
            used[test] = used.get(test, 0) + (3 if why == "name" else 1) + 2 * _is_about(test, unit)
    best = sorted(used, key=lambda test: (-used[test], test.count("/"), test))[:TESTS]
    for test in best:
        about = _is_about(test, unit)
        says = "is named after it" if about else "imports it"
        yield claim(concept, "tested_by", test, 0.9 if about else 0.6, (Evidence(says, test),))


def _is_about(test: str, unit: Unit) -> bool:
    key = frozenset(unit.key)
    return any(key <= part for part in _said_by(test))


@lru_cache(maxsize=1 << 14)
def _said_by(path: str) -> tuple[frozenset[str], ...]:
    """What each folder of a path, and its file, is named after."""
    return tuple(frozenset(stems(part.partition(".")[0])) for part in path.split("/"))


def _settings(concept: str, unit: Unit, around: Surroundings) -> Iterator[Claim]:
    found = around.settings.get(unit.key, ())
    for path in sorted(found, key=lambda path: (path.count("/"), path))[:SETTINGS]:
        yield claim(concept, "configured_by", path, 0.6, (Evidence("is named after it", path),))
