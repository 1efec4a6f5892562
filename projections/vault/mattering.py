"""Which files get a page of their own: those a person would look for. All others stand in tables.

Judged by what is there now and never by an earlier vault, so a page comes and goes with its reasons alone.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from navlog.projections.ranking.kinds import Kind, kind_of
from navlog.projections.views import Edge

_SOURCES: tuple[Kind, ...] = ("source", "declaration")
_DOCUMENTS = (".md", ".mdx", ".rst", ".txt", ".adoc")
_README = ("readme", "contributing", "architecture")


class Bonds(NamedTuple):
    """Who a file goes with: paths, ordered."""

    users: tuple[str, ...]
    uses: tuple[str, ...]
    tests: tuple[str, ...]
    documents: tuple[str, ...]


def bonds(edges: Collection[Edge]) -> Bonds:
    """A file's neighbours, by what they are to it."""
    into = [edge for edge in edges if edge.incoming]
    return Bonds(
        users=_paths(edge for edge in into if edge.kind == "import" and kind_of(edge.path) != "test"),
        uses=_paths(edge for edge in edges if not edge.incoming and edge.kind == "import"),
        tests=_paths(edge for edge in into if edge.kind != "link" and kind_of(edge.path) == "test"),
        documents=_paths(edge for edge in into if edge.kind == "link"),
    )


def mattering(
    found: Mapping[str, Bonds], changes: Mapping[str, int], named: Collection[str], limit: int
) -> list[str]:
    """At most ``limit`` of the paths, the most used first.

    ``changes`` counts the commits that touched a path; ``named`` are files that concepts, tasks or sessions
    name: they come whatever else is.
    """
    wanted = set(named) & found.keys()
    reasons = {path: _weight(path, bonds, changes.get(path, 0)) for path, bonds in found.items()}
    ranked = sorted(found, key=lambda path: (path not in wanted, -reasons[path], path))
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


def _paths(edges: Iterable[Edge]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(edge.path for edge in edges))
