"""Acc@k: the share of cases all of whose expected files stand within the first k."""

from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.routing.cases import Case
from benchmarks.routing.samples import Sample
from navlog.projections.postings import Floats
from navlog.projections.ranking.completing import completed

KS = (1, 3, 5, 10)
GROUPS: dict[str, Callable[[Case], bool]] = {
    "all": lambda case: True,  # noqa: ARG005
    "JS/TS": lambda case: case.lang in ("javascript", "typescript"),
    "Rust": lambda case: case.lang == "rust",
    "Python": lambda case: case.lang == "python",
    "Go, Java, C": lambda case: case.lang in ("go", "java", "c"),
    "Chinese": lambda case: case.qlang == "zh",
    "several files": lambda case: len(case.expected_files) > 1,
}


def worst_rank(sample: Sample, scores: Floats, *, whole: bool = True) -> int:
    """The place of the last expected file, from 1; beyond all candidates if one is not among them.

    ``whole``: the answer is completed, as the product does.
    """
    if whole:
        order, _ = completed(sample.paths, scores, sample.near.__getitem__)
    else:
        order = sorted(range(len(sample.paths)), key=lambda row: (-scores[row], sample.paths[row]))
    places = {sample.paths[row]: place for place, row in enumerate(order, start=1)}
    return max(places.get(path, 10**6) for path in sample.case.expected_files)


def line(label: str, ranks: Sequence[int]) -> str:
    """A row of a table."""
    shares = (100 * np.mean([rank <= k for rank in ranks]) for k in KS)
    return f"| {label} | {len(ranks)} | " + " | ".join(f"{share:.1f}" for share in shares) + " |"


def report(samples: Sequence[Sample], scores: Sequence[Floats]) -> list[str]:
    """A table by group."""
    ranks = [worst_rank(sample, score) for sample, score in zip(samples, scores, strict=True)]
    lines = ["| | cases | @1 | @3 | @5 | @10 |", "|---|---|---|---|---|---|"]
    for label, holds in GROUPS.items():
        chosen = [rank for sample, rank in zip(samples, ranks, strict=True) if holds(sample.case)]
        if chosen:
            lines.append(line(label, chosen))
    return lines
