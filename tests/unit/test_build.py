"""Which of two builds is newer."""

import tomllib
from pathlib import Path

import pytest

from navlog.daemon.build import VERSION, newer


def test_the_version_is_the_packages() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert project["version"] == VERSION


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("0.2.0", "0.1.9", True),
        ("0.10.0", "0.9.0", True),
        ("0.1.0", "0.1.0", False),
        ("0.1.0.dev3", "0.1.0", False),
        ("0.1.0", "", True),
        ("what", "0.1.0", False),
        ("", "", False),
    ],
)
def test_newer(one: str, other: str, expected: bool) -> None:
    assert newer(one, other) is expected
