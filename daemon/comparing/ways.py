"""The ways to find the files for a task that are compared: each gives paths, the likeliest first.

They stand for what an agent without navlog does: look at everything, search names, grep, rank words. They
look at the files on the disk as they are; none of them knows what is expected.
"""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from navlog.projections.index import SearchIndex
from navlog.projections.ranking import parse
from navlog.projections.terms import count_terms, terms

Way = Callable[[str], Sequence[str]]
RIPGREP_S = 20.0  # a pattern of many words in a large tree


def everything(paths: Sequence[str]) -> Way:
    """All files, whatever the task."""
    return lambda _task: paths


def filenames(paths: Sequence[str]) -> Way:
    """Files by how many of the task's words their path says."""
    said = {path: frozenset(terms(path)) for path in paths}

    def find(task: str) -> list[str]:
        words = frozenset(parse(task).title)
        counts = {path: len(words & own) for path, own in said.items()}
        return _best(counts)

    return find


def bm25(texts: Iterable[tuple[str, str]]) -> Way:
    """Files by BM25 of the whole task in their text; ``texts`` are (path, text)."""
    index = SearchIndex()
    for path, text in texts:
        groups: dict[str, list[str]] = {}
        for term, count in count_terms(text).items():
            groups.setdefault(str(count), []).append(term)
        index.put(path, (), {count: " ".join(group) for count, group in groups.items()})

    def find(task: str) -> list[str]:
        scores = index.scores("body", parse(task).words)
        found = np.flatnonzero(scores)
        return [index.paths[slot] for slot in found[np.argsort(-scores[found], kind="stable")].tolist()]

    return find


def ripgrep(root: Path, paths: Sequence[str]) -> Way | None:
    """Files by how many lines of them hold a word of the task; None where ``rg`` is not installed."""
    program = shutil.which("rg")
    if program is None:
        return None
    known = frozenset(paths)

    def find(task: str) -> list[str]:
        words = sorted(parse(task).title)
        if not words:
            return []
        pattern = "|".join(map(re.escape, words))
        done = subprocess.run(
            [program, "--count", "--ignore-case", "--no-messages", "--null", "-e", pattern, "./"],
            cwd=root, capture_output=True, check=False, timeout=RIPGREP_S,
        )  # fmt: skip
        return _best({path: count for path, count in _counts(done.stdout) if path in known})

    return find


def _counts(output: bytes) -> Iterable[tuple[str, int]]:
    for line in output.decode(errors="replace").splitlines():
        path, _, count = line.partition("\0")
        if count.isdecimal():
            yield path.removeprefix("./"), int(count)


def _best(counts: Mapping[str, int]) -> list[str]:
    return sorted((path for path, count in counts.items() if count), key=lambda path: (-counts[path], path))
