"""Concepts of a repository beside what a maintainer would name: how many, and with the right main file.

    python -m benchmarks.concepts flask ~/src/flask

reads HEAD of the repository and, where there is one, tests/data/concepts/NAME.toml. Junk is for a person to
judge.
"""

import sys
import tempfile
import time
import tomllib
from pathlib import Path

from benchmarks.routing.outlines import Outlines
from benchmarks.routing.repository import Repository
from benchmarks.routing.walking import Walk
from navlog.projections.concepts.facts import facts_of
from navlog.projections.concepts.finding import Finding, find
from navlog.projections.concepts.naming import stems
from navlog.schemas.concept import Concept

ROOT = Path(__file__).parents[1]
FIRST = 3


def main(name: str, folder: str) -> None:
    """Prints what is shown, then how it compares."""
    with tempfile.TemporaryDirectory() as cache:
        walk = Walk(Repository(Path(folder)), Outlines(Path(cache)))
        walk.to("HEAD")
    facts = facts_of(name, walk.view, {})
    began = time.perf_counter()
    found = find(facts)
    print(f"{name}: {len(facts.pages):,} files, {1000 * (time.perf_counter() - began):.0f} ms")
    shown = found.concepts[: found.room]
    for one in shown:
        print(f"  {one.confidence:.2f}  {one.label}: {', '.join(claim.path for claim in one.files[:FIRST])}")
    golden = ROOT / "tests" / "data" / "concepts" / f"{name}.toml"
    if golden.exists():
        compare(golden, found)


def compare(golden: Path, found: Finding) -> None:
    """Counts, and says what is missing."""
    wanted = tomllib.loads(golden.read_text())["concept"]
    named = right = 0
    for one in wanted:
        names = {stems(name) for name in one["names"]}
        fitting = [each for each in found.concepts[: found.room] if names & _names(each)]
        mains = {claim.path for each in fitting for claim in each.files[:FIRST]}
        named += bool(fitting)
        right += bool(mains & set(one["main"]))
        if not mains & set(one["main"]):
            print(f"  {'main file' if fitting else 'missing'}: {one['names'][0]}")
    print(f"  {named} of {len(wanted)} found, {right} with the right main file in the first {FIRST}")


def _names(one: Concept) -> set[tuple[str, ...]]:
    return {stems(name) for name in (one.key, one.label, *one.aliases)}


if __name__ == "__main__":
    main(*sys.argv[1:3])
