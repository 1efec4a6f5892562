"""Cases as numbers: for each the candidates, what speaks for them, and which of them were right."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.routing.answers import answer
from benchmarks.routing.cases import Case
from benchmarks.routing.outlines import Outlines
from benchmarks.routing.repository import Repository, folder_of
from benchmarks.routing.walking import walk
from navlog.projections.postings import Floats
from navlog.projections.ranking import Lookup, near, parse, rank, table
from navlog.projections.views import ProjectView


class Sample(NamedTuple):
    """``values`` as in `navlog.projections.ranking.Table`, ``near`` the rows tied to each row.

    ``seconds`` is a whole warm query by the clock, ``worked`` what of it the processor spent on it;
    ``tokens`` and ``given`` as in `answer`.
    """

    case: Case
    paths: list[str]
    values: Floats
    right: "np.ndarray[tuple[int], np.dtype[np.bool_]]"
    near: list[list[int]]
    seconds: float
    worked: float
    tokens: int
    given: float


def collect(cases: Sequence[Case], mirror: Path, cache: Path, depth: int) -> Iterator[Sample]:
    """One sample a case, in the order of the cases."""
    for case, view in walk(cases, mirror, Outlines(cache), depth):
        yield sample(case, view, Repository(folder_of(mirror, case.repo)))


def sample(case: Case, view: ProjectView, repository: Repository) -> Sample:
    """The case in its view, which is warm."""
    query = parse(case.query)
    found = table(view, query, Lookup(view, query))
    began, worked = time.perf_counter(), time.thread_time()
    rank(view, parse(case.query))
    seconds, worked = time.perf_counter() - began, time.thread_time() - worked
    right = np.array([path in case.expected_files for path in found.paths], np.bool_)
    tied = near(view, found.paths)
    near_each = [sorted(tied(row)) for row in range(len(found.paths))]
    tokens, given = answer(repository, view, case)
    return Sample(case, found.paths, found.values, right, near_each, seconds, worked, tokens, given)
