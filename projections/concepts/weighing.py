"""What speaks for a candidate, in numbers and in words: who imports it, tests it, writes and talks about it.

The weights are judgements, tried on three projects whose concepts people had written down (docs/concepts.md).
"""

from collections.abc import Mapping, Sequence
from math import exp, log2
from typing import NamedTuple

from navlog.projections.concepts.documents import Documents, Said
from navlog.projections.concepts.facts import Facts
from navlog.projections.concepts.surroundings import Surroundings
from navlog.projections.concepts.units import Unit
from navlog.schemas.concept import Evidence

USED, LONG, DOCUMENTED, TESTED, CHANGED, SCOPED = 0.9, 0.5, 1.6, 0.9, 0.3, 0.8
PACKAGED, DEEP, SHELVED = 1.2, 0.6, 1.5
SURE_AT = 5.0  # the weight at which two thirds of the doubt are gone


class Weighed(NamedTuple):
    """A unit and what speaks for it; ``cohesion`` is the share of its imports that stay inside."""

    unit: Unit
    weight: float
    documents: Sequence[Said]
    importers: int
    tests: int
    evidence: tuple[Evidence, ...]

    @property
    def confidence(self) -> float:
        """Between 0 and 1."""
        return round(1 - exp(-max(0.0, self.weight) / SURE_AT), 3)


def weigh(unit: Unit, facts: Facts, around: Surroundings, documents: Documents) -> Weighed:
    """All signals of one unit."""
    inside = set(unit.files)
    users = {user for path in unit.files for user in around.importers.get(path, ()) if user not in inside}
    tests = {test for path in unit.files for test in around.tests.get(path, ())}
    said = documents.about(unit.key)
    lines = sum(facts.pages[path].lines for path in unit.files)
    commits = sum(around.touched[path] for path in unit.files)
    scope = sum(count for path, count in _scoped(unit, around).items() if path in inside)
    weight = (
        USED * log2(1 + len(users))
        + LONG * log2(1 + lines / 50)
        + DOCUMENTED * sum(one.sure for one in said[:2])
        + TESTED * min(2.0, log2(1 + len(tests)))
        + CHANGED * log2(1 + commits)
        + SCOPED * min(2.0, log2(1 + scope))
        + PACKAGED * (unit.kind == "package")
        - DEEP * unit.depth
        - SHELVED * unit.shelved
    )
    evidence = (
        _named(unit),
        *(Evidence(f"its page is called “{one.text}”", one.path, one.line) for one in said[:2]),
        *_counted(len(users), "file imports it", "files import it", sorted(users)),
        *_counted(len(tests), "test uses it", "tests use it", sorted(tests)),
        *_counted(scope, "commit names it as its scope", "commits name it as their scope", ()),
    )
    return Weighed(unit, weight, said, len(users), len(tests), evidence)


def _scoped(unit: Unit, around: Surroundings) -> Mapping[str, int]:
    return around.scopes.get(unit.key[0], {}) if len(unit.key) == 1 else {}


def _named(unit: Unit) -> Evidence:
    if unit.kind == "package":
        return Evidence(f"a folder of that name with {len(unit.files)} sources", unit.place)
    return Evidence(f"a {unit.kind} of that name", unit.place, 1)


def _counted(count: int, one: str, many: str, paths: Sequence[str]) -> tuple[Evidence, ...]:
    if not count:
        return ()
    return (Evidence(f"{count} {one if count == 1 else many}", paths[0] if paths else ""),)
