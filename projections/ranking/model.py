"""What the signals are worth: two linear models with their weights in ``weights.toml``, and fusion of ranks.

The weights are trained by ``benchmarks/routing/train.py`` on public issues and commits and are not touched by
hand. Where a signal the model leans on is missing (no history), ranks are fused instead: a model that counted
on a signal misjudges the others without it.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import numpy as np

from navlog.projections.postings import Floats

# Reciprocal rank fusion: 1 / (FUSE + rank). A small constant trusts the top of each list (measured: 5
# beat 60).
FUSE = 5
# What a test, a document, something generated or vendored counts beside a source.
OTHER = 0.5
Weights = Mapping[str, float]


@cache
def weights(stage: str) -> Weights:
    """The weights of a stage, by signal."""
    text = files("navlog.projections.ranking").joinpath("weights.toml").read_text(encoding="utf-8")
    table: Weights = tomllib.loads(text)[stage]
    return table


def linear(values: Floats, columns: Sequence[str], by: Weights) -> Floats:
    """One score a row; a column without a weight counts nothing."""
    score: Floats = values @ np.array([by.get(column, 0.0) for column in columns])
    return score


def contributions(row: Floats, columns: Sequence[str], by: Weights) -> dict[str, float]:
    """What each signal adds to a row's score, the largest first."""
    added = {column: float(value) * by.get(column, 0.0) for column, value in zip(columns, row, strict=True)}
    return dict(sorted(((c, a) for c, a in added.items() if a), key=lambda item: -item[1]))


def fused(values: Floats, columns: Sequence[str], using: Sequence[str]) -> Floats:
    """Reciprocal ranks of the named columns added up, halved for what is not a source.

    A row gets nothing from a column that says nothing of it.
    """
    score = np.zeros(len(values))
    for column in using:
        worth = values[:, columns.index(column)]
        order = np.argsort(-worth, kind="stable")
        ranks = np.empty(len(order))
        ranks[order] = np.arange(len(order))
        score += np.where(worth > 0, 1 / (FUSE + ranks), 0.0)
    other = [place for place, column in enumerate(columns) if column.startswith("is_")]
    return score * np.where(values[:, other].any(axis=1), OTHER, 1.0)
