"""The nearest of some vectors to one: for the few hundred of a queue, every one is looked at."""

from collections.abc import Sequence

import numpy as np

from navlog.projections.embedding import Vectors


def nearest(query: Vectors, rows: Vectors, limit: int, least: float = 0.0) -> list[tuple[int, float]]:
    """(row, cosine) of the ``limit`` rows nearest to ``query``, one row, and at least ``least`` near."""
    if not len(rows):
        return []
    worth = rows @ query.reshape(-1)
    order: Sequence[int] = np.argsort(-worth, kind="stable")[:limit].tolist()
    return [(row, round(float(worth[row]), 6)) for row in order if worth[row] >= max(least, 1e-9)]
