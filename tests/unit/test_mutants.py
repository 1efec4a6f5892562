"""The mutants of `make mutants` fit the code as it is: each text to replace stands there exactly once."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "tests" / "mutants").glob("*.toml"))
LISTS = {path.stem: tomllib.loads(path.read_text()) for path in FILES}
MUTANTS = [(stem, mutant) for stem, listed in LISTS.items() for mutant in listed["mutant"]]


@pytest.mark.parametrize(("stem", "mutant"), MUTANTS, ids=lambda one: str(one)[:60])
def test_a_mutant_fits_the_code(stem: str, mutant: dict[str, Any]) -> None:
    assert (ROOT / mutant["file"]).read_text().count(mutant["old"]) == 1
    assert mutant["new"] != mutant["old"]
    for test in mutant.get("tests", LISTS[stem]["tests"]):
        assert (ROOT / test).exists()


def test_no_mutant_is_listed_twice() -> None:
    assert len({(stem, mutant["name"]) for stem, mutant in MUTANTS}) == len(MUTANTS)
