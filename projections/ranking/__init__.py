"""Which files a task needs, best first: signals from the view, fused and weighed by a small trained model.

Pure: the same view and text give the same answer. ``rank`` is asked under the view's lock.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from navlog.projections.postings import Floats
from navlog.projections.ranking import company, model, signals
from navlog.projections.ranking.completing import Near, completed
from navlog.projections.ranking.lookup import Lookup
from navlog.projections.ranking.query import Query, parse
from navlog.projections.ranking.reasons import Reasons
from navlog.projections.views import ProjectView

__all__ = ["Lookup", "Query", "Ranked", "parse", "rank"]


COLUMNS = (*signals.COLUMNS, *company.COLUMNS)


class Ranked(NamedTuple):
    """A file with its score; ``line`` is one the task names there, or 0.

    ``signals`` is what each signal added to the linear part of the score, the largest first. ``words`` are
    those of the task that its indexed text or its symbols hold, of which to look for where.
    """

    path: str
    score: float
    reason: str
    line: int
    signals: dict[str, float]
    words: Sequence[str]


class Table(NamedTuple):
    """The candidates for a task: ``values[row, column]`` for each of ``paths`` and of `COLUMNS`.

    ``hits`` are the files that brought company, with their weights.
    """

    paths: list[str]
    values: Floats
    hits: dict[str, float]


def rank(view: ProjectView, query: Query, limit: int = 10) -> list[Ranked]:
    """The ``limit`` best files for a task; fewer if little speaks for any, none for an empty task."""
    lookup = Lookup(view, query)
    found = table(view, query, lookup)
    order, scores = completed(found.paths, score(view, found.values), near(view, found.paths))
    best = order[:limit]
    reasons = Reasons(view, query, lookup, [found.paths[row] for row in best], found.hits)
    ranked = []
    for row in best:
        path = found.paths[row]
        added = model.contributions(found.values[row], COLUMNS, history=has_history(view))
        line = line_in(query, path)
        words = reasons.telling(path)
        ranked.append(Ranked(path, float(scores[row]), reasons.of(path, added), line, added, words))
    return ranked


def table(view: ProjectView, query: Query, lookup: Lookup) -> Table:
    """What speaks for each file that anything speaks for; the best by fused ranks bring their company."""
    evidence = signals.Evidence(view, query, lookup)
    paths = list(evidence.candidates)
    if not paths:
        return Table([], np.zeros((0, len(COLUMNS))), {})
    rows = evidence.rows(paths)
    hits = company.hits_of(paths, model.fused(rows, signals.COLUMNS))
    companions = company.Company(view, hits)
    brought = sorted(companions.candidates().difference(paths))
    paths += brought
    rows = np.vstack([rows, evidence.rows(brought)])
    return Table(paths, np.hstack([rows, companions.rows(paths)]), hits)


def near(view: ProjectView, paths: Sequence[str]) -> Near:
    """The rows whose files are tied to a row's file in the view."""
    rows = {path: row for row, path in enumerate(paths)}
    return lambda row: [rows[path] for path in view.near(paths[row]) if path in rows]


def score(view: ProjectView, values: Floats) -> Floats:
    """One score a row."""
    return model.score(values, COLUMNS, history=has_history(view))


def has_history(view: ProjectView) -> bool:
    """Whether past commits can vote."""
    return len(view.history) > 0


def line_in(query: Query, path: str) -> int:
    """The line the task names in this file, or 0."""
    fitting = (place for place in query.places if place.line and f"/{path}".endswith(f"/{place.path}"))
    return next((place.line for place in fitting), 0)
