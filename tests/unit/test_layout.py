"""The package list is explicit: what is missing from it would be missing from the wheel without a word."""

import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("schemas", "projections", "daemon", "systemd")


def test_every_package_is_in_the_wheel() -> None:
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    found = {
        "navlog." + str(init.parent.relative_to(ROOT)).replace("/", ".")
        for room in ROOMS
        for init in (ROOT / room).rglob("__init__.py")
    }
    assert set(setup["packages"]) == found
    for package in found:
        top = ".".join(package.split(".")[:2])
        assert setup["package-dir"][top] == top.removeprefix("navlog.")


def test_every_file_a_room_reads_is_in_the_wheel() -> None:
    """A pattern for data counts from its package's folder and does not look into others."""
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    folders = [init.parent for room in ROOMS for init in (ROOT / room).rglob("__init__.py")]
    shipped = {
        file for folder in folders for pattern in setup["package-data"]["*"] for file in folder.glob(pattern)
    }
    data = {
        file
        for room in ROOMS
        for file in (ROOT / room).rglob("*")
        if file.is_file() and file.suffix not in (".py", ".pyc")
    }
    assert data <= shipped
    assert any(file.suffix == ".scm" for file in data)


def test_the_typing_links_point_at_the_rooms() -> None:
    for room in ROOMS:
        assert (ROOT / ".ci/typing/navlog" / room).resolve() == ROOT / room


@pytest.mark.parametrize(
    ("target", "needs"), [("up", False), ("down", False), ("lint", True), ("unit", True)]
)
def test_only_who_tests_waits_for_the_tools_of_the_tests(tmp_path: Path, target: str, needs: bool) -> None:
    command = ["make", "--dry-run", target, f"VENV={tmp_path / 'new'}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "-e ." in done.stdout
    assert ("[test]" in done.stdout) == needs
