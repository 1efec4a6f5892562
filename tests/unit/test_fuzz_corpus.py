"""Every input that is committed for the fuzzer, and every one that ever broke something, on each run."""

from pathlib import Path

import pytest
from fuzz.targets import CORPUS, TARGETS

INPUTS = [(name, path) for name in TARGETS for path in sorted((CORPUS / name).iterdir())]


@pytest.mark.parametrize(("name", "path"), INPUTS, ids=lambda one: one.name if isinstance(one, Path) else one)
def test_an_input_of_the_corpus_breaks_nothing(name: str, path: Path) -> None:
    TARGETS[name](path.read_bytes())


def test_each_target_has_a_corpus() -> None:
    assert {name for name, _ in INPUTS} == set(TARGETS)
