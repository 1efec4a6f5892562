"""What the signals are worth: fused ranks, and a linear model with its weights in ``weights.toml``.

Fusion needs no training and rewards a file that many signals agree on; the linear model knows how much each
is worth. Together they rank better than either where there is no history, and as well as the better one where
there is (docs/benchmarks.md). The weights are trained by ``benchmarks/routing/train.py`` on public issues and
commits and are not touched by hand. A project without history has a set of its own: a model that counted on
past commits misjudges the other signals without them.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import numpy as np

from navlog.projections.postings import Floats
from navlog.projections.ranking.signals import SEARCHES

# Reciprocal rank fusion: 1 / (FUSE + rank). A small constant trusts the top of each list (measured: 1 and 2
# beat 3, which beats 5, 10 and 60).
FUSE = 2
# What a test, a document, something generated or vendored counts beside a source. A declaration counts fully:
# those that are written by hand change with what they declare, and others mostly lie where builds go.
OTHER = 0.3
FULL = "is_declaration"
# What fused ranks count beside the linear model (measured: 3 to 5 are alike).
TRUST = 4.0


@cache
def weights(*, history: bool) -> Mapping[str, float]:
    """The weights of the linear model, by signal."""
    text = files("navlog.projections.ranking").joinpath("weights.toml").read_text(encoding="utf-8")
    table: Mapping[str, float] = tomllib.loads(text)["with_history" if history else "without_history"]
    return table


def score(values: Floats, columns: Sequence[str], *, history: bool) -> Floats:
    """One score a row."""
    return linear(values, columns, history=history) + TRUST * fused(values, columns)


def linear(values: Floats, columns: Sequence[str], *, history: bool) -> Floats:
    """The linear model's part of the score; a column without a weight counts nothing."""
    score: Floats = values @ _vector(tuple(columns), history=history)
    return score


@cache
def _vector(columns: tuple[str, ...], *, history: bool) -> Floats:
    by = weights(history=history)
    return np.array([by.get(column, 0.0) for column in columns])


def contributions(row: Floats, columns: Sequence[str], *, history: bool) -> dict[str, float]:
    """What each signal adds to the linear part of a row's score, the largest first."""
    by = weights(history=history)
    telling = np.flatnonzero(row).tolist()
    added = {columns[place]: float(row[place]) * by.get(columns[place], 0.0) for place in telling}
    return dict(sorted(((name, worth) for name, worth in added.items() if worth), key=lambda item: -item[1]))


def fused(values: Floats, columns: Sequence[str]) -> Floats:
    """Reciprocal ranks in the columns that find files added up, less for what is not a source.

    A row gets nothing from a column that says nothing of it.
    """
    places = [columns.index(name) for name in SEARCHES]
    worth = values.T[places]
    worth = worth[worth.any(axis=1)]
    order = np.argsort(-worth, axis=1, kind="stable")
    ranks = np.empty(order.shape)
    np.put_along_axis(ranks, order, np.arange(len(values), dtype=np.float64)[np.newaxis], axis=1)
    score = np.zeros(len(values))
    for column in np.where(worth > 0, 1 / (FUSE + ranks), 0.0):  # one by one: sums have an order
        score += column
    other = [place for place, name in enumerate(columns) if name.startswith("is_") and name != FULL]
    return score * np.where(values[:, other].any(axis=1), OTHER, 1.0)
