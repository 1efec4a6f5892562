"""Concepts and answers: other names of what a task speaks of, and the concepts of an answer's files. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from navlog.projections.concepts.concept import ConceptsView
from navlog.projections.index import module_of
from navlog.schemas.concept import Concept

NAMED = 3
MAIN = 3  # files of a concept that an answer names
OF_FILE = 2  # concepts that one file speaks for
SAID = 3  # concepts that a task speaks of: a task that names more is about none of them


def also_called(concepts: Sequence[Concept], task: str) -> list[str]:
    """Other names of the concepts that ``task`` names, and the names of their main files.

    Only what a person vouches for: a name that was found is in the code, where it is looked for
    anyway.
    """
    text = task.casefold()
    spoken = (one for one in concepts if one.status in ("accepted", "created") and _is_said(one, text))
    return [name for one in islice(spoken, SAID) for name in _names(one)]


def _is_said(one: Concept, text: str) -> bool:
    return any(
        re.search(rf"(?<![a-z0-9]){re.escape(name.casefold())}(?![a-z0-9])", text) for name in _called(one)
    )


def _called(one: Concept) -> tuple[str, ...]:
    return one.label, *one.aliases


def _names(one: Concept) -> Iterator[str]:
    yield from (one.key, *_called(one))
    main = (claim.path for claim in one.files if claim.relation == "implemented_by")
    yield from islice((module_of(path).rpartition("/")[2] for path in main), MAIN)


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
