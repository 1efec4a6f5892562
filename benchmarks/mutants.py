"""Faults put into the code on purpose, one at a time: the tests must fail on each. ``mutants.py [NAME…]``.

A file of ``tests/mutants/`` names tests and mutants: a file, the text there (exactly once) and the text to
put in its place. The repository is copied to a temporary folder, so nothing here is ever changed. The
unchanged copy has to pass first. Ends with 1 if a mutant survives, with 2 if one cannot be tried.
"""

import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
COPIED = (
    "schemas", "projections", "daemon", "tests", "replay-fixtures", ".ci", "systemd", "docs",
    "pyproject.toml",
)  # fmt: skip
PASSED, FAILED = 0, 1  # pytest's exit codes; every other one is no verdict


class Mutant(NamedTuple):
    """One fault, and the tests that have to see it."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


def main(names: list[str]) -> int:
    """Tries each mutant, or those named, and prints a line for each."""
    mutants = [one for one in read(ROOT / "tests" / "mutants") if not names or one.name in names]
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Path(folder) / "copy"
        copied(copy)
        verdicts = {"unchanged": run(copy, sorted({test for one in mutants for test in one.tests}))}
        print("unchanged:", "passes" if verdicts["unchanged"] == PASSED else "FAILS: nothing below counts")
        for one in mutants:
            verdicts[one.name] = tried(copy, one)
            said = {PASSED: "SURVIVED", FAILED: "killed"}.get(verdicts[one.name], "NOT TRIED")
            print(f"{one.name}: {said}")
    return verdict(verdicts)


def read(folder: Path) -> Iterator[Mutant]:
    """Every mutant that is written down."""
    for path in sorted(folder.glob("*.toml")):
        listed = tomllib.loads(path.read_text())
        for one in listed["mutant"]:
            tests = tuple(one.get("tests", listed["tests"]))
            yield Mutant(f"{path.stem}: {one['name']}", one["file"], one["old"], one["new"], tests)


def copied(target: Path) -> None:
    """The part of the repository that tests run from; links stay links."""
    ignore = shutil.ignore_patterns("__pycache__", ".hypothesis")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, target / name, symlinks=True, ignore=ignore)
        elif source.exists():
            shutil.copy(source, target / name)


def tried(copy: Path, mutant: Mutant) -> int:
    """pytest's exit code on the mutant; the copy is as it was afterwards."""
    path = copy / mutant.file
    text = path.read_text()
    if text.count(mutant.old) != 1:
        print(f"  {mutant.file} has the text {text.count(mutant.old)} times, not once")
        return 2
    path.write_text(text.replace(mutant.old, mutant.new))
    try:
        return run(copy, list(mutant.tests))
    finally:
        path.write_text(text)


def run(copy: Path, tests: list[str]) -> int:
    """The tests in the copy, up to the first failure, always with the same examples."""
    pytest = [sys.executable, "-B", "-m", "pytest", "-q", "-x"]
    options = ["-p", "no:cacheprovider", "--hypothesis-seed=0"]
    return subprocess.run([*pytest, *options, *tests], cwd=copy, capture_output=True, check=False).returncode


def verdict(verdicts: dict[str, int]) -> int:
    """The exit code: 0 where the unchanged copy passes and every mutant is killed."""
    if verdicts.pop("unchanged") != PASSED or any(code not in (PASSED, FAILED) for code in verdicts.values()):
        return 2
    return int(PASSED in verdicts.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
