"""What speaks for a file, as numbers: one row a candidate, one column a signal, each between 0 and 1.

Signals look at the view and the task only; what they are worth is the model's matter
(`navlog.projections.ranking.model`). Weights, explanations and the training script name the columns alike.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from navlog.projections.postings import Floats
from navlog.projections.ranking.company import name_of
from navlog.projections.ranking.kinds import KINDS, kind_of
from navlog.projections.ranking.lookup import Lookup
from navlog.projections.ranking.pointing import frames, modules, names, places
from navlog.projections.ranking.query import Query
from navlog.projections.terms import terms
from navlog.projections.views import ProjectView

Search = Callable[[ProjectView, Query, Lookup], Floats]
# So many of the best by each of the searching signals become candidates.
BREADTH = 60


class Evidence:
    """Everything the signals say of a task in a view; ask it under the view's lock.

    ``candidates`` are the files that any searching signal has among its best, in the order of their paths.
    """

    def __init__(self, view: ProjectView, query: Query, lookup: Lookup) -> None:
        self._view, self._query = view, query
        found = {name: signal(view, query, lookup) for name, signal in SEARCHES.items()}
        telling = {name: column for name, column in found.items() if column.any()}
        best = {slot for column in telling.values() for slot in _best(column)}
        self.candidates = sorted([view.index.paths[slot] for slot in best])
        sources = [view.index.slots[path] for path in self.candidates if kind_of(path) == "source"]
        self._found = {name: _scaled(column, sources) for name, column in telling.items()}

    def rows(self, paths: Sequence[str]) -> Floats:
        """One row a path, one column for each of `COLUMNS`."""
        rows = np.zeros((len(paths), len(COLUMNS)))
        by_path = self._view.index.slots
        slots = np.array([by_path[path] for path in paths], np.int64)
        for name, column in self._found.items():
            rows[:, _PLACE[name]] = column[slots]
        for name, signal in EACH.items():
            rows[:, _PLACE[name]] = signal(self._view, self._query, paths)
        for row, path in enumerate(paths):
            if (kind := kind_of(path)) != KINDS[0]:
                rows[row, _PLACE[f"is_{kind}"]] = 1.0
        return rows


def _search(part: str, field: str) -> Search:
    """BM25 of one part of the task in one field of the files."""
    return lambda _view, query, lookup: lookup.scores(field, getattr(query, part))


def _votes(view: ProjectView, words: Mapping[str, float], subject: str) -> Floats:
    """Past commits with these words vote for the files they changed, for many files less each."""
    scores = np.zeros(len(view.index.paths))
    voters = view.history.votes(words, but=subject) if words and len(view.history) else ()
    for commit, worth in voters:
        for number in commit.paths:
            slot = view.index.slots.get(view.history.path(number))
            if slot is not None:
                scores[slot] += worth / math.sqrt(len(commit.paths))
    return scores


def _stem(_view: ProjectView, query: Query, paths: Sequence[str]) -> list[float]:
    """The share of the name the file goes by that the title says."""
    title = query.title.keys()
    shares = []
    for path in paths:
        terms_ = _name_terms(path)
        said = 0 if title.isdisjoint(terms_) else sum([term in title for term in terms_])
        shares.append(said / len(terms_) if said else 0.0)
    return shares


@lru_cache(maxsize=1 << 14)
def _name_terms(path: str) -> tuple[str, ...]:
    return tuple(terms(name_of(path)))


def _changes(view: ProjectView, _query: Query, paths: Sequence[str]) -> list[float]:
    """How often a file was changed before, on a logarithmic scale that a hundred commits fill."""
    if not len(view.history):
        return [0.0] * len(paths)
    return [min(1.0, math.log1p(view.history.changes(path)) / math.log1p(100)) for path in paths]


def _size(view: ProjectView, _query: Query, paths: Sequence[str]) -> list[float]:
    """How long a file is, on a logarithmic scale that 5,000 lines fill."""
    files, full = view.files, math.log1p(5000)
    return [min(1.0, math.log1p(files[path].lines) / full) for path in paths]


# Signals that find files: over all of them.
SEARCHES: Mapping[str, Search] = {
    **{
        f"{part}_{field}": _search(part, field)
        for part, field in (
            ("title", "path"), ("title", "symbols"), ("title", "body"),
            ("prose", "path"), ("prose", "symbols"), ("prose", "body"),
            ("code", "symbols"), ("code", "body"),
        )
    },
    "title_votes": lambda view, query, _: _votes(view, query.title, query.subject),
    "prose_votes": lambda view, query, _: _votes(view, query.prose, query.subject),
    "places": lambda view, query, _: places(view, query),
    "modules": lambda view, query, _: modules(view, query),
    "frames": lambda view, query, _: frames(view, query),
    "title_names": lambda view, query, _: names(view, query.title_names),
    "prose_names": lambda view, query, _: names(view, query.prose_names),
    "code_names": lambda view, query, _: names(view, query.code_names),
}  # fmt: skip

# Signals that are asked of the candidates, all at once.
EACH: Mapping[str, Callable[[ProjectView, Query, Sequence[str]], list[float]]] = {
    "stem": _stem,
    "changes": _changes,
    "size": _size,
}


COLUMNS = (*SEARCHES, *EACH, *(f"is_{kind}" for kind in KINDS[1:]))
_PLACE = {name: place for place, name in enumerate(COLUMNS)}


def _best(column: Floats) -> list[int]:
    """The slots of the best files by a column, none of which it says nothing."""
    telling = np.flatnonzero(column > 0)
    if len(telling) > BREADTH:  # what is below the last of them need not be sorted
        worth = column[telling]
        telling = telling[worth >= np.partition(worth, -BREADTH)[-BREADTH]]
    chosen: list[int] = telling[np.argsort(-column[telling], kind="stable")[:BREADTH]].tolist()
    return chosen


def _scaled(column: Floats, sources: Sequence[int]) -> Floats:
    """Between 0 and 1, the best source's being 1: a change log that says every word is no measure."""
    top = column[sources].max(initial=0.0) or column.max(initial=0.0)
    return np.minimum(column / top, 1.0) if top > 0 else column
