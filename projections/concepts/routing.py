"""Which concepts an answer names: those of its files, the first files counting most. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from navlog.projections.concepts.concept import ConceptsView
from navlog.schemas.concept import Concept

NAMED = 3
MAIN = 3  # files of a concept that an answer names
OF_FILE = 2  # concepts that one file speaks for


def of_hits(view: ConceptsView, project: str, paths: Sequence[str]) -> list[tuple[Concept, str]]:
    """At most `NAMED` concepts, the likeliest first, each with the best hit that has it."""
    worth: dict[str, float] = {}
    first: dict[str, tuple[Concept, str]] = {}
    for rank, path in enumerate(paths):
        for place, one in enumerate(view.of_file(project, path)[:OF_FILE]):
            worth[one.id] = worth.get(one.id, 0.0) + 1 / (1 + rank) / (1 + place)
            first.setdefault(one.id, (one, path))
    best = sorted(worth, key=lambda id_: (-worth[id_], id_))[:NAMED]
    return [first[id_] for id_ in best]


def named(one: Concept, hit: str) -> Mapping[str, Any]:
    """As `ContextReply.concepts` has it; ``hit`` is the file that led here."""
    return {
        "id": one.id,
        "label": one.label,
        "status": one.status,
        "files": [claim.path for claim in one.files[:MAIN]],
        "reason": f"has {hit}",
    }
