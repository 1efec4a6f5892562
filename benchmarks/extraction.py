"""Extraction on real trees: processor time per megabyte and language, and what it adds to the log.

    python -m benchmarks.extraction TREE…

Runs in this process, so the figures hold no queueing; the worker's own start is not in them.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import msgspec

from navlog.daemon.extract import outline
from navlog.schemas.settings import Extract


@dataclass
class Tally:
    """Of one language."""

    files: int = 0
    size: int = 0
    seconds: float = 0.0
    logged: int = 0
    partial: int = 0


def main() -> None:
    """Print a table for each tree."""
    for tree in map(Path, sys.argv[1:]):
        tallies = measure(tree)
        seconds = sum(tally.seconds for tally in tallies.values())
        text = [tally for language, tally in tallies.items() if language != "binary"]
        logged, size = sum(tally.logged for tally in text), sum(tally.size for tally in text)
        print(f"{tree.name}: {seconds:.1f} CPU-s, outlines {logged / 1e6:.1f} MB of {size / 1e6:.1f} MB text")
        print(
            f"{'language':<12}{'files':>7}{'MB':>8}{'CPU-s':>8}{'CPU-s/MB':>10}{'outline':>9}{'partial':>9}"
        )
        for language, tally in sorted(tallies.items(), key=lambda item: -item[1].seconds):
            print(row(language, tally))


def row(language: str, tally: Tally) -> str:
    per_mb, share = tally.seconds / max(tally.size, 1) * 1e6, tally.logged / max(tally.size, 1)
    return (
        f"{language or '(unknown)':<12}{tally.files:>7}{tally.size / 1e6:>8.2f}{tally.seconds:>8.2f}"
        f"{per_mb:>10.2f}{share:>9.2f}{tally.partial:>9}"
    )


def measure(tree: Path) -> dict[str, Tally]:
    """Tallies by language over the files of ``tree``."""
    tallies: dict[str, Tally] = {}
    settings = Extract()
    for path in files(tree):
        data = path.read_bytes()
        began = process_time()
        read = outline(str(path), data, settings)
        payload = msgspec.json.encode(read)
        spent = process_time() - began
        tally = tallies.setdefault(read.language, Tally())
        tally.files += 1
        tally.size += len(data)
        tally.seconds += spent
        tally.logged += len(payload)
        tally.partial += bool(read.partial)
    return tallies


def files(tree: Path) -> Iterator[Path]:
    for path in sorted(tree.rglob("*")):
        if path.is_file() and not path.is_symlink() and ".git" not in path.parts:
            yield path


if __name__ == "__main__":
    main()
