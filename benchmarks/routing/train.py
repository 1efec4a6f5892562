"""Trains the ranker's weights and says what they are worth.

    python -m benchmarks.routing.train --cases cases.jsonl --mirror FOLDER --cache FOLDER [--ablate] [--write]

MIRROR holds one bare git directory per repository, owner+name/repo. Figures are by leave-repositories-out:
each case is ranked by a model that has not seen its repository. ``--write`` puts the weights trained on all
cases into the package; ``--ablate`` leaves out one family of signals after the other.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.routing.cases import load
from benchmarks.routing.fitting import fit, left_out
from benchmarks.routing.samples import Sample, collect
from benchmarks.routing.scoring import line, report, worst_rank
from benchmarks.routing.walking import DEPTH
from navlog.projections.postings import Floats
from navlog.projections.ranking import COLUMNS, model

WEIGHTS = Path(__file__).parents[2] / "projections" / "ranking" / "weights.toml"
FAMILIES = {
    "title": ("title_path", "title_symbols", "title_body"),
    "body of the task": ("prose_path", "prose_symbols", "prose_body", "code_symbols", "code_body"),
    "past commits": ("title_votes", "prose_votes", "changes"),
    "paths, modules, tracebacks": ("places", "modules", "frames"),
    "names": ("title_names", "prose_names", "code_names", "stem"),
    "kinds": tuple(name for name in COLUMNS if name.startswith("is_")),
    "company": ("imports", "together", "sibling", "namesake"),
}
WITHOUT_HISTORY = [name for name in COLUMNS if name not in (*FAMILIES["past commits"], "together")]


def main() -> None:
    """Collects, reports, and writes if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--mirror", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--depth", type=int, default=DEPTH, help="commits of history")
    parser.add_argument("--ablate", action="store_true")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    samples = list(collect(load(asked.cases), asked.mirror, asked.cache, asked.depth))
    scores = mixed(samples)
    show("leave-repositories-out", report(samples, scores))
    alone = [worst_rank(sample, score, whole=False) for sample, score in zip(samples, scores, strict=True)]
    show("not completed", [line("all", alone)])
    show("without history", report(samples, mixed(samples, WITHOUT_HISTORY)))
    show("the linear model alone", report(samples, left_out(samples)))
    show("fused ranks alone", report(samples, [model.fused(sample.values, COLUMNS) for sample in samples]))
    for label, times in (
        ("clock", [one.seconds for one in samples]),
        ("work", [one.worked for one in samples]),
    ):
        p50, p99 = np.quantile(times, (0.5, 0.99)) * 1000
        print(f"query by the {label}: p50 {p50:.1f} ms, p99 {p99:.1f} ms")
    tokens, given = np.mean([one.tokens for one in samples]), np.mean([one.given for one in samples])
    dense = np.mean([1000 * one.given / one.tokens if one.tokens else 0.0 for one in samples])
    print(f"an answer: {tokens:,.0f} tokens, recall {given:.2f}, {dense:.2f} per 1,000 tokens\n")
    if asked.ablate:
        show("without", ablation(samples))
    if asked.write:
        write({"with_history": fit(samples), "without_history": fit(samples, WITHOUT_HISTORY)})


def mixed(samples: Sequence[Sample], use: Sequence[str] = COLUMNS) -> list[Floats]:
    """Scores as the product gives them, each by weights that have not seen the sample's repository."""
    used = np.array([name in use for name in COLUMNS])
    fused = (model.fused(sample.values * used, COLUMNS) for sample in samples)
    return [linear + model.TRUST * ranks for linear, ranks in zip(left_out(samples, use), fused, strict=True)]


def ablation(samples: Sequence[Sample]) -> list[str]:
    """What is lost without each family of signals."""
    lines = ["| without | cases | @1 | @3 | @5 | @10 |", "|---|---|---|---|---|---|"]
    for label, family in FAMILIES.items():
        scores = mixed(samples, [name for name in COLUMNS if name not in family])
        ranks = [worst_rank(sample, score) for sample, score in zip(samples, scores, strict=True)]
        lines.append(line(label, ranks))
    return lines


def write(tables: Mapping[str, Floats]) -> None:
    """The weights into the package, two digits each: more would be noise."""
    lines = ["# Trained by benchmarks/routing/train.py on public issues and commits; not touched by hand."]
    for title, weights in tables.items():
        rows = (f"{name} = {weight:.2f}" for name, weight in zip(COLUMNS, weights, strict=True) if weight)
        lines += ["", f"[{title}]", *rows]
    WEIGHTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


def show(title: str, lines: list[str]) -> None:
    """A table under its title."""
    print("\n".join([f"{title}:", *lines, ""]), flush=True)


if __name__ == "__main__":
    main()
