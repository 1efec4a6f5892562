"""The rest of the set: files that go with the first hits.

A task that changes one file often changes its companions: what imports it or is imported by it, what changed
together with it before, its neighbour in the folder, its namesake in another one (a model and its page, a
source and its declaration). Takes scores, gives signals; ranks nothing itself.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from navlog.projections.index import module_of
from navlog.projections.postings import Floats
from navlog.projections.ranking.kinds import kind_of
from navlog.projections.views import ProjectView

COLUMNS = ("imports", "together", "sibling", "namesake")
# So many of the first hits bring company, each counting by its share of the best one's score.
HITS = 3
# So many companions of each sort and hit become candidates.
BRING = 10
# A name that more files have is a habit (``utils``, ``types``), not a bond.
NAMESAKES = 12
# A commit more, so that having changed together once in a single commit is no certainty.
DOUBT = 2


class Company:
    """What goes with the ``hits``, best first; each comes with a weight between 0 and 1."""

    def __init__(self, view: ProjectView, hits: Mapping[str, float]) -> None:
        self._view, self._hits = view, hits
        self._near = {hit: view.near(hit) for hit in hits}
        self._named = {hit: self._namesakes(hit) for hit in hits}
        self._together = {hit: view.history.together(hit) for hit in hits}
        self._changes = {hit: view.history.changes(hit) + DOUBT for hit in hits}

    def candidates(self) -> set[str]:
        """Companions that may be worth a place though no word of the task led to them."""
        found: set[str] = set()
        for hit in self._hits:
            found.update(sorted(self._near[hit])[:BRING])
            found.update(_commonest(self._together[hit])[:BRING])
            found.update(self._named[hit])
        return {path for path in found if path in self._view.files}

    def rows(self, paths: Sequence[str]) -> Floats:
        """One row a path, one column for each of `COLUMNS`; a hit is no company of itself."""
        row_of = {path: row for row, path in enumerate(paths)}
        folders: dict[str, list[str]] = {_folder(hit): [] for hit in self._hits}
        for path in paths:
            if (beside := folders.get(_folder(path))) is not None:
                beside.append(path)
        rows = np.zeros((len(paths), len(COLUMNS)))
        for hit, weight in self._hits.items():
            shares = {path: times / self._changes[hit] for path, times in self._together[hit].items()}
            sides = (self._near[hit], shares, folders[_folder(hit)], self._named[hit])
            for column, companions in enumerate(sides):
                for path in companions:
                    row = row_of.get(path)
                    if row is not None and path != hit:
                        worth = weight * shares[path] if companions is shares else weight
                        rows[row, column] = max(rows[row, column], worth)
        return rows

    def _namesakes(self, hit: str) -> set[str]:
        index = self._view.index
        found = index.named(name_of(hit), NAMESAKES)
        if len(found) > NAMESAKES:
            return set()
        return {path for slot in found if kind_of(path := index.paths[slot]) != "test"}


def hits_of(paths: Sequence[str], scores: Floats) -> dict[str, float]:
    """The first `HITS` with their weights: e to the difference from the best score."""
    best = in_order(paths, scores)[:HITS]
    return {paths[row]: float(np.exp(scores[row] - scores[best[0]])) for row in best}


def in_order(paths: Sequence[str], scores: Floats) -> list[int]:
    """The rows, the best score first; by path where scores are alike."""
    return [row for _, _, row in sorted(zip((-scores).tolist(), paths, range(len(paths)), strict=True))]


def _commonest(counts: Mapping[str, int]) -> list[str]:
    """By count, then by name: an answer must not depend on how a process hashes."""
    return sorted(counts, key=lambda path: (-counts[path], path))


def name_of(path: str) -> str:
    """The name a file goes by: its own without the ending, or its folder's if it stands for that."""
    return module_of(path).rpartition("/")[2]


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
