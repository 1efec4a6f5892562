"""Which files a task needs, best first: signals from the view, weighed by a small trained model.

Pure: the same view and text give the same answer. ``rank`` is asked under the view's lock.
"""

from typing import NamedTuple

import numpy as np

from navlog.projections.postings import Floats
from navlog.projections.ranking import company, model, signals
from navlog.projections.ranking.query import Query, parse
from navlog.projections.ranking.reasons import Reasons
from navlog.projections.views import ProjectView

__all__ = ["Query", "Ranked", "parse", "rank"]


class Ranked(NamedTuple):
    """A file with its score; ``line`` is one the task names there, or 0.

    ``signals`` is what each signal added to the score, the largest first.
    """

    path: str
    score: float
    reason: str
    line: int
    signals: dict[str, float]


def rank(view: ProjectView, query: Query, limit: int = 10) -> list[Ranked]:
    """The ``limit`` best files for a task; fewer if little speaks for any, none for an empty task."""
    evidence = signals.Evidence(view, query)
    paths = evidence.candidates()
    if not paths:
        return []
    first = first_scores(evidence, evidence.rows(paths))
    hits = company.hits_of(paths, first)
    companions = company.Company(view, hits)
    paths = sorted({*paths, *companions.candidates()})
    rows = evidence.rows(paths)
    values = np.hstack([first_scores(evidence, rows)[:, None], companions.rows(paths)])
    columns = ("first", *company.COLUMNS)
    second = model.weights("second")
    scores = model.linear(values, columns, second)
    best = sorted(range(len(paths)), key=lambda row: (-scores[row], paths[row]))[:limit]
    reasons = Reasons(view, query, [paths[row] for row in best], hits)
    found = []
    for row in best:
        added = model.contributions(rows[row], signals.COLUMNS, model.weights("first"))
        added |= model.contributions(values[row][1:], columns[1:], second)
        added = dict(sorted(added.items(), key=lambda item: -item[1]))
        found.append(
            Ranked(
                paths[row],
                float(scores[row]),
                reasons.of(paths[row], added),
                line_in(query, paths[row]),
                added,
            )
        )
    return found


def first_scores(evidence: signals.Evidence, rows: Floats) -> Floats:
    """The first stage: the linear model, or fused ranks in a project without history."""
    if not evidence.has_history:
        return model.fused(rows, signals.COLUMNS, tuple(signals.SEARCHES))
    return model.linear(rows, signals.COLUMNS, model.weights("first"))


def telling(view: ProjectView, query: Query, most: int = 24) -> dict[str, float]:
    """The words that tell most of where to look inside a file, by weight times rarity in the project."""
    words = query.words
    weighed = {
        word: weight * rarity for word, weight in words.items() if (rarity := view.index.rarity(word)) > 0
    }
    return dict(sorted(weighed.items(), key=lambda item: (-item[1], item[0]))[:most])


def line_in(query: Query, path: str) -> int:
    """The line the task names in this file, or 0."""
    fitting = (place for place in query.places if place.line and f"/{path}".endswith(f"/{place.path}"))
    return next((place.line for place in fitting), 0)
