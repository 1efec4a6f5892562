"""The floors: who may import what, read from the syntax trees."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# The pure rooms: time, ids and randomness are arguments there.
PURE = (
    "slicing", "folding", "impact", "heat", "terms", "tokens", "ranking", "packing", "rendering", "quoting",
    "nudging", "overlaying", "pages", "resolving", "summarising", "choosing", "postings", "history",
    "concepts", "elements", "prose", "recognising", "pointing", "kinship", "retrieving", "citing", "watching",
    "configuring", "issues", "changing", "referring",
)  # fmt: skip
IMPURE = {"duckdb", "os", "time", "random", "socket", "secrets", "uuid", "subprocess"}


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""


def modules(room: str) -> list[Path]:
    found = sorted((ROOT / room).rglob("*.py"))
    assert found
    return found


def is_pure(path: Path) -> bool:
    return any(part.removesuffix(".py") in PURE for part in path.relative_to(ROOT).parts)


@pytest.mark.parametrize("path", modules("schemas"), ids=str)
def test_schemas_import_the_standard_library_and_msgspec(path: Path) -> None:
    for name in imports(path):
        top = name.partition(".")[0]
        assert name.startswith("navlog.schemas") or top == "msgspec" or top in sys.stdlib_module_names
        assert top not in IMPURE


@pytest.mark.parametrize("path", modules("projections"), ids=str)
def test_projections_never_import_the_daemon(path: Path) -> None:
    assert not [name for name in imports(path) if name.startswith("navlog.daemon")]


@pytest.mark.parametrize("path", [p for p in modules("projections") if is_pure(p)], ids=str)
def test_pure_rooms_take_time_ids_and_randomness_as_arguments(path: Path) -> None:
    assert not {name.partition(".")[0] for name in imports(path)} & IMPURE


def test_no_file_is_longer_than_400_lines() -> None:
    rooms = ("schemas", "projections", "daemon", "tests", "benchmarks")
    long = {
        str(path.relative_to(ROOT)): count
        for room in rooms
        for path in (ROOT / room).rglob("*.py")
        if (count := path.read_bytes().count(b"\n")) > 400
    }
    assert not long
