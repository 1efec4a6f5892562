"""The words of a task looked up in a view's index: once a field, for whoever asks.

The parts of a task say mostly the same words; what they weigh is applied here, after the look-up.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from navlog.projections.postings import Floats, Matches
from navlog.projections.ranking.query import Query
from navlog.projections.views import ProjectView


class Lookup:
    """Ask it under the view's lock; it holds what it found."""

    def __init__(self, view: ProjectView, query: Query) -> None:
        self._index, self._query = view.index, query
        self._terms = dict.fromkeys([*query.title, *query.prose, *query.code], 1.0)
        self._found: dict[str, tuple[list[str], Matches]] = {}

    def scores(self, field: str, part: Mapping[str, float]) -> Floats:
        """BM25 of each slot for one part of the task in one field."""
        if not part:
            return np.zeros(len(self._index.paths))
        known, found = self._matches(field)
        weights = np.array([part.get(word, 0.0) for word in known])
        worth = found.worth * weights[found.term]
        return np.bincount(found.doc, worth, minlength=len(self._index.paths)).astype(np.float64, copy=False)

    def words(self, field: str, paths: Sequence[str]) -> Mapping[str, list[str]]:
        """The words said of the task that each file holds in the field, those that tell most first."""
        known, found = self._matches(field)
        weights = np.array([self._query.words.get(word, 0.0) for word in known])
        wanted = {slot: path for path in paths if (slot := self._index.slots.get(path)) is not None}
        is_wanted = np.zeros(len(self._index.paths), np.bool_)
        is_wanted[list(wanted)] = True
        ours = np.flatnonzero(is_wanted[found.doc])
        term, doc = found.term[ours], found.doc[ours]
        worth = found.worth[ours] * weights[term]
        held: dict[str, list[tuple[float, str]]] = {}
        for number, slot, telling in zip(term.tolist(), doc.tolist(), worth.tolist(), strict=True):
            if telling > 0:
                held.setdefault(wanted[slot], []).append((-telling, known[number]))
        return {path: [word for _, word in sorted(mine)] for path, mine in held.items()}

    def _matches(self, field: str) -> tuple[list[str], Matches]:
        if field not in self._found:
            self._found[field] = self._index.matches(field, self._terms)
        return self._found[field]
