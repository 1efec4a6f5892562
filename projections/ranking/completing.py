"""The second half of an answer: after the first files, those that go with them.

A task that needs several files names one or two of them; the others often share no word with it. So the first
`STAND` files stand as they were ranked, and the places after them go to files that also lie beside those or
are tied to them (an import, a link, a test, in either direction). Further up this harms: a neighbour of a
wrong hit would take the place of a right one.
"""

from collections.abc import Callable, Collection, Sequence

import numpy as np

from navlog.projections.postings import Floats
from navlog.projections.ranking.company import in_order

STAND = 5
# What being tied to all of the first files, and lying in the folder of all of them, adds to a score
# (measured by leave-repositories-out: 2 to 4 of each are alike).
TIED, BESIDE = 3.0, 3.0
# How much further down the score one of the first files speaks for its company: e to the distance over this.
SPREAD = 2.0

Near = Callable[[int], Collection[int]]


def completed(paths: Sequence[str], scores: Floats, near: Near) -> tuple[list[int], Floats]:
    """(the rows in their order, their scores with what completing adds); a row's company by ``near``.

    No row after the first `STAND` has a score above theirs.
    """
    order = in_order(paths, scores)
    first = order[:STAND]
    if len(order) <= STAND:
        return order, scores
    shares = np.exp((scores[first] - scores[first[0]]) / SPREAD)
    added = np.zeros(len(paths))
    folders: dict[str, list[int]] = {paths[row].rpartition("/")[0]: [] for row in first}
    for row, path in enumerate(paths):
        if (beside := folders.get(path.rpartition("/")[0])) is not None:
            beside.append(row)
    for row, share in zip(first, shares / shares.sum(), strict=True):
        added[list(near(row))] += TIED * share
        added[folders[paths[row].rpartition("/")[0]]] += BESIDE * share
    sums = scores + added
    standing = set(first)
    rest = [row for row in in_order(paths, sums) if row not in standing]
    sums[first] = scores[first]
    sums[rest] = np.minimum(sums[rest], scores[first[-1]])
    return [*first, *rest], sums
