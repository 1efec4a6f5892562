"""docs/reliability.md and docs/recovery.md promise nothing that no test stands behind."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
PAGES = ("reliability.md", "recovery.md")
PROMISES = [f"R{number}" for number in range(1, 33)]


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text()


def promised() -> list[str]:
    """The rows of the first table."""
    section = page("reliability.md").partition("## The promises")[2].partition("\n## ")[0]
    return [line for line in section.splitlines() if line.startswith("| R")]


def defined() -> set[str]:
    """Every test there is, and the state machine."""
    found = set()
    for path in TESTS.rglob("test_*.py"):
        tree = ast.parse(path.read_text())
        found |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        found |= {"TestMachine"} & {
            target.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
    return found


@pytest.mark.parametrize("name", PAGES)
def test_every_test_that_is_named_exists(name: str) -> None:
    named = set(re.findall(r"`(test_\w+|TestMachine)`", page(name)))
    assert named
    assert named - defined() == set()


def test_every_promise_has_its_row_and_a_proof_or_is_called_open() -> None:
    assert [row.split()[1] for row in promised()] == PROMISES
    for row in promised():
        assert re.search(r"`test_\w+`|`torture/\w+\.py`|\*\*open\*\*|`TestMachine`", row), row


def test_every_module_of_the_torture_suite_is_named_and_exists() -> None:
    named = set(re.findall(r"`torture/(\w+)\.py`", page("reliability.md")))
    trials = {path.stem for path in (TESTS / "torture").glob("*.py") if "TRIALS = (" in path.read_text()}
    assert named == trials


@pytest.mark.parametrize("promise", PROMISES)
def test_a_row_that_names_a_module_has_a_trial_there(promise: str) -> None:
    (row,) = [row for row in promised() if row.startswith(f"| {promise} |")]
    for module in re.findall(r"`torture/(\w+)\.py`", row):
        assert f'Trial("{promise}"' in re.sub(
            r"Trial\(\s+", "Trial(", (TESTS / "torture" / f"{module}.py").read_text()
        )


def test_every_complaint_is_open_or_names_its_test() -> None:
    table = page("reliability.md").partition("## Complaints")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 12
    assert [row for row in rows if not re.search(r"`test_\w+`|\*\*open\*\*", row)] == []
