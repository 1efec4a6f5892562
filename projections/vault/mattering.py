"""Which files get a page of their own: those a person would look for. All others stand in tables.

Judged by what is there now and never by an earlier vault, so a page comes and goes with its reasons alone.
"""

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from navlog.projections.ranking.kinds import Kind, kind_of

_SOURCES: tuple[Kind, ...] = ("source", "declaration")
_DOCUMENTS = (".md", ".mdx", ".rst", ".txt", ".adoc")
_README = ("readme", "contributing", "architecture")


class Bonds(NamedTuple):
    """Who a file goes with: paths, ordered, each once."""

    users: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


def bonds(edges: Mapping[str, Iterable[tuple[str, str]]], there: Container[str]) -> dict[str, Bonds]:
    """Who is bound to whom, from the (kind, target) that leave each; both are ``there``."""
    found: dict[str, tuple[set[str], ...]] = defaultdict(lambda: (set(), set(), set(), set()))
    for path, kind, target in _between(edges, there):
        if kind == "import":
            found[path][1].add(target)
        if kind == "link":
            found[target][3].add(path)
        elif kind_of(path) == "test":
            found[target][2].add(path)
        else:
            found[target][0].add(path)
    return {path: Bonds(*(tuple(sorted(one)) for one in sets)) for path, sets in found.items()}


_ALONE = Bonds()


def mattering(
    paths: Collection[str],
    bound: Mapping[str, Bonds],
    changes: Mapping[str, int],
    named: Collection[str],
    limit: int,
) -> list[str]:
    """At most ``limit`` of the paths, the most used first.

    ``changes`` counts the commits that touched a path; ``named`` are files that concepts, tasks or sessions
    name: they come whatever else is.
    """
    wanted = set(named).intersection(paths)
    reasons = {path: _weight(path, bound.get(path, _ALONE), changes.get(path, 0)) for path in paths}
    ranked = sorted(paths, key=lambda path: (path not in wanted, -reasons[path], path))
    chosen = [path for path in ranked if path in wanted or reasons[path] > 0][: max(limit, len(wanted))]
    return sorted(chosen, key=lambda path: (-reasons[path], path))


def _weight(path: str, bonds: Bonds, changes: int) -> int:
    """0 for what needs no page; a file's users count most, then what else speaks of it."""
    if "/" not in path and path.lower().startswith(_README):
        return 1
    kind = kind_of(path)
    if kind in _SOURCES:
        return 3 * len(bonds.users) + len(bonds.tests) + 2 * len(bonds.documents) + changes
    return len(bonds.users) + 2 * len(bonds.documents) if path.endswith(_DOCUMENTS) else 0


def _between(
    edges: Mapping[str, Iterable[tuple[str, str]]], there: Container[str]
) -> Iterator[tuple[str, str, str]]:
    for path, leaving in edges.items():
        for kind, target in leaving:
            if target != path and path in there and target in there:
                yield path, kind, target
