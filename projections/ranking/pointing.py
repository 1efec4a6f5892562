"""What a task points at by name: paths, modules, frames of a traceback, symbols.

Each signal is an array over the index's slots. A pointer that fits many files says less of each.
"""

import math
import re
from collections.abc import Iterable, Sequence

import numpy as np

from navlog.projections.postings import Floats
from navlog.projections.ranking.kinds import kind_of
from navlog.projections.ranking.query import Query
from navlog.projections.views import ProjectView

# A name that is defined in more files than this names none of them.
COMMON = 30
# How much a frame of a traceback counts less than the one it was called from… the innermost counts most.
FADE = 0.7
_QUALIFIER = re.compile(r"\.|::|#")


def places(view: ProjectView, query: Query) -> Floats:
    """Files whose path the task writes out, by its longest end that fits; a bare name of one counts half."""
    scores = np.zeros(len(view.index.paths))
    for place in query.places:
        parts = [part for part in place.path.split("/") if part not in ("", ".", "..")]
        found, depth = _longest_end(view, parts)
        for slot in found:
            worth = (1.0 if depth > 1 or "/" not in place.path else 0.5) / math.sqrt(len(found))
            scores[slot] = max(scores[slot], worth)
    return scores


def modules(view: ProjectView, query: Query) -> Floats:
    """Files of the modules the task names: ``a.b.c`` is a/b/c with any ending, else what a.b is."""
    scores = np.zeros(len(view.index.paths))
    for module in query.modules:
        parts = module.split(".")
        for depth in range(len(parts), 0, -1):
            found = view.index.module("/".join(parts[:depth]))
            for slot in found:
                scores[slot] = max(scores[slot], depth / len(parts) / len(found))
            if found:
                break
    return scores


def frames(view: ProjectView, query: Query) -> Floats:
    """Files that define the functions of a traceback, the innermost counting most."""
    scores = np.zeros(len(view.index.paths))
    for rank, name in enumerate(query.frames):
        found = defining(view, name)
        if found:
            scores[found] += FADE**rank / len(found)
    return scores


def names(view: ProjectView, said: Iterable[str]) -> Floats:
    """Files that define the names; of a qualified name those most that define all its parts."""
    scores = np.zeros(len(view.index.paths))
    for name in said:
        holders = [
            found for part in _QUALIFIER.split(name) if len(part) > 1 and (found := defining(view, part))
        ]
        for found in holders:
            scores[found] += 1 / len(found)
        both = set.intersection(*map(set, holders)) if len(holders) > 1 else ()
        if both:
            scores[list(both)] += 2 / len(both)
    return scores


def defining(view: ProjectView, name: str) -> list[int]:
    """Slots of the files that define a symbol of exactly this name, sources if any; none if too many do."""
    slots = view.index.defining(name.casefold())
    sources = [slot for slot in slots if kind_of(view.index.paths[slot]) == "source"]
    found = sources or slots
    return found if len(found) <= COMMON else []


def _longest_end(view: ProjectView, parts: Sequence[str]) -> tuple[list[int], int]:
    """Slots of the files that end in as many of the parts as any does, and how many."""
    for start in range(len(parts)):
        found = view.index.ending("/".join(parts[start:]))
        if found:
            return found, len(parts) - start
    return [], 0
