"""The weights of the linear model from samples: a listwise softmax loss, pulled towards a prior.

Each right file is set against all wrong candidates of its case. Weights of signals that speak for a file
stay at 0 or above, those of kinds that speak against it at 0 or below: with under two hundred cases a free
sign fits the accidents of one repository. The prior (every search alike) is what fusion would do.
"""

from collections.abc import Sequence

import numpy as np

from benchmarks.routing.samples import Sample
from navlog.projections.postings import Floats
from navlog.projections.ranking import COLUMNS

PULL = 0.03  # towards the prior, per squared difference; found by leave-repositories-out
STEPS, RATE = 200, 0.12  # of Adam
_PRIOR = {"size": 0.2, "changes": 0.3, "stem": 0.3, "places": 2.0, "frames": 1.0}
_PRIOR |= {"imports": 0.2, "together": 0.3, "sibling": 0.1, "namesake": 0.3}
PRIOR = np.array([-1.5 if name.startswith("is_") else _PRIOR.get(name, 0.6) for name in COLUMNS])
AGAINST = np.array([name.startswith("is_") for name in COLUMNS])


def fit(samples: Sequence[Sample], use: Sequence[str] = COLUMNS) -> Floats:
    """One weight for each of `COLUMNS`; those not in ``use`` are 0."""
    usable = [sample for sample in samples if sample.right.any() and not sample.right.all()]
    values = np.concatenate([sample.values for sample in usable])
    right = np.concatenate([sample.right for sample in usable])
    case = np.repeat(np.arange(len(usable)), [len(sample.right) for sample in usable])
    used = np.array([name in use for name in COLUMNS])
    weights, first, second = PRIOR * used, np.zeros(len(COLUMNS)), np.zeros(len(COLUMNS))
    for step in range(1, STEPS + 1):
        slope = (_slope(values, right, case, weights) + PULL * (weights - PRIOR)) * used
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        rate = RATE * (0.3 if step > 0.7 * STEPS else 1.0)
        weights = weights - rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        weights = np.where(AGAINST, np.minimum(weights, 0.0), np.maximum(weights, 0.0))
    return weights


def left_out(samples: Sequence[Sample], use: Sequence[str] = COLUMNS) -> list[Floats]:
    """Scores of each sample by a model that has not seen its repository."""
    repositories = {sample.case.repo for sample in samples}
    models = {
        repo: fit([sample for sample in samples if sample.case.repo != repo], use)
        for repo in sorted(repositories)
    }
    return [sample.values @ models[sample.case.repo] for sample in samples]


def _slope(values: Floats, right: Floats, case: Floats, weights: Floats) -> Floats:
    """The gradient of the mean loss."""
    count = int(case[-1]) + 1
    score = values @ weights
    top = np.maximum.reduceat(score, np.searchsorted(case, np.arange(count)))
    size = np.exp(score - top[case])
    wrong = np.bincount(case, size * ~right, minlength=count)
    share = 1 / np.bincount(case, right, minlength=count)[case]
    against = np.where(right, 1 / (size + wrong[case]), 0.0)
    pushed = np.bincount(case, against, minlength=count)
    slope: Floats = (np.where(right, size * against - 1, size * pushed[case]) * share / count) @ values
    return slope
