"""Which cosine a prompt has to reach to be given a record of a change, on pairs from real commits.

    python benchmarks/recalling.py REPOSITORY… [--commits N]

A commit's subject stands for a prompt. Its own records are related; those of other commits that share no path
with it count as unrelated, though some are about the same matter: the share that passes is an upper bound.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / ".ci" / "typing"), str(ROOT / "benchmarks")]

import numpy as np  # noqa: E402
from measuring import machine, table  # noqa: E402
from routing.repository import Repository  # noqa: E402
from slicing import Sliced, Walk  # noqa: E402

from navlog.projections.embedding import Vectors  # noqa: E402
from navlog.projections.embedding.hashing import HashingEmbedder  # noqa: E402
from navlog.projections.slicing.speaking import gist  # noqa: E402

EMBEDDER = HashingEmbedder()
STEPS = (0.15, 0.2, 0.25, 0.3, 0.35)
SIZE = 20  # files of a commit at most


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--commits", type=int, default=80)
    args = parser.parse_args()
    print(machine())
    for folder in args.repositories:
        subjects, records = walk(folder, args.commits)
        print(f"{folder}: {len(subjects)} commits")
        print(table(("cosine", "own records pass", "others pass"), rows(subjects, records)))


def walk(folder: Path, commits: int) -> tuple[list[str], list[list[Sliced]]]:
    """The newest commits' subjects, and the records of each."""
    history = Repository(folder).history("HEAD", commits * 2 + 1, 300)
    subjects: list[str] = []
    records: list[list[Sliced]] = []
    with TemporaryDirectory() as home:
        one = Walk(folder, Path(home))
        one.begin(history[0].commit)
        for commit in history[1:]:
            formed = [case.record for case in one.step(commit.commit, commit.files)]
            if formed and len(formed) <= SIZE and len(subjects) < commits:
                subjects.append(commit.subject)
                records.append(formed)
    return subjects, records


def rows(subjects: Sequence[str], records: Sequence[Sequence[Sliced]]) -> list[list[object]]:
    """A row for each threshold: the shares that pass."""
    queries = EMBEDDER.embed(subjects)
    vectors = [EMBEDDER.embed([gist(one.msu, one.texts) for one in formed]) for formed in records]
    paths = [{one.msu.path for one in formed} for formed in records]
    own = [float((rows @ query).max()) for rows, query in zip(vectors, queries, strict=True)]
    others = np.concatenate([_others(number, queries, vectors, paths) for number in range(len(subjects))])
    return [
        [least, f"{np.mean(np.array(own) >= least):.1%}", f"{np.mean(others >= least):.2%}"]
        for least in STEPS
    ]


def _others(number: int, queries: Vectors, vectors: Sequence[Vectors], paths: Sequence[set[str]]) -> Vectors:
    found = [
        rows @ queries[number]
        for other, rows in enumerate(vectors)
        if other != number and not paths[other] & paths[number]
    ]
    return np.concatenate(found) if found else np.zeros(0, np.float32)


if __name__ == "__main__":
    main()
