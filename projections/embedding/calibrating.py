"""Which cosine means "alike", for one model: measured on a repository's own unrelated pairs.

A fixed number is right for one model only: at 0.82 one passes no true pair and another 84% of unrelated ones.
So a threshold is the cosine that all but a share of unrelated pairs stay below. Unrelated are chunks of files
in different folders; neighbours in one file stand for related ones, to see how far apart the two are.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from navlog.projections.embedding import Vectors

PASSED_FOLD, PASSED_ALIKE = 0.01, 0.05  # shares of unrelated pairs that may pass
STEPS = 21  # quantiles that are kept: 0, 5, … 100%
LEAST = 100  # pairs: with fewer nobody can say which cosine one in a hundred passes


class Calibration(NamedTuple):
    """``fold`` and ``alike`` are the thresholds; ``negatives`` and ``positives`` quantiles of the cosines."""

    fold: float
    alike: float
    pairs: int
    negatives: list[float]
    positives: list[float]


def calibrate(negatives: Sequence[float], positives: Sequence[float]) -> Calibration:
    """The thresholds that the cosines of unrelated pairs ask for; raises `ValueError` for too few."""
    if len(negatives) < LEAST:
        raise ValueError(f"{len(negatives)} unrelated pairs are too few; {LEAST} are needed")
    fold, alike = (float(np.quantile(negatives, 1 - share)) for share in (PASSED_FOLD, PASSED_ALIKE))
    return Calibration(
        round(fold, 4), round(alike, 4), len(negatives), quantiles(negatives), quantiles(positives)
    )


def quantiles(cosines: Sequence[float]) -> list[float]:
    """`STEPS` of them; none of nothing."""
    if not cosines:
        return []
    return [round(float(one), 4) for one in np.quantile(cosines, np.linspace(0, 1, STEPS))]


def cosines(left: Vectors, right: Vectors) -> list[float]:
    """Row by row, of unit vectors."""
    return [float(one) for one in np.einsum("ij,ij->i", left, right)]


def plot(negatives: Sequence[float], positives: Sequence[float], threshold: float) -> list[str]:
    """The two lists of quantiles as bars from a tenth of a cosine to the next, and where the line is."""
    lines = []
    for step in range(-2, 10):
        low = step / 10
        mark = "<- threshold" if low <= threshold < low + 0.1 else ""
        bars = (f"{'#' * round(20 * _share(one, low)):<20}" for one in (negatives, positives))
        lines.append(f"{low:5.1f}  {'  '.join(bars)}  {mark}".rstrip())
    return lines


def _share(quantile: Sequence[float], low: float) -> float:
    """How much of the cosines lies in [low, low + 0.1), as far as quantiles say."""
    inside = sum(low <= one < low + 0.1 or (low == 0.9 and one >= 1.0) for one in quantile)
    return inside / len(quantile) if quantile else 0.0
