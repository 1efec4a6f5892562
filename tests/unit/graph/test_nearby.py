"""The graph as slicing asks it: bounded, and the nearest kinds of files first."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from navlog.projections.graph import nearby
from navlog.projections.graph.nearby import NearbyFacts, Uses
from navlog.schemas.events import Reference
from support.graph import REGISTERED, World, observed, outlined


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    made.log.add(REGISTERED)
    yield made
    made.store.close()


def put(world: World, **files: str) -> None:
    for path, text in files.items():
        world.log.add(observed(path, text), outlined(text))
    world.run()


def facts(world: World, uses: Uses | None = None) -> NearbyFacts:
    return NearbyFacts(world.store.cursor(), "p", world.graph.views["p"], uses or Uses(), lambda _: None)


def test_of_too_many_files_sources_and_tests_are_looked_into_before_examples(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearby, "FILES", 3)
    names = ["docs/a.py", "docs/b.py", "examples/c.py", "src/d.py", "src/e.py", "tests/f.py"]
    put(world, **{name: f"def f\nx{number}()" for number, name in enumerate(names)})
    assert list(facts(world).texts(names)) == ["src/d.py", "tests/f.py", "src/e.py"]


def test_what_is_asked_for_now_is_given_however_little_is_kept(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearby, "KEPT", 2)
    put(world, **{f"m{number}.py": f"def f{number}\ng{number}()" for number in range(5)})
    uses = Uses()
    for _ in range(2):
        texts = facts(world, uses).texts([f"m{number}.py" for number in range(5)])
        assert [text.references[0].name for text in texts.values()] == [f"g{number}" for number in range(5)]


def test_definitions_of_a_name_are_counted_in_its_own_case(world: World) -> None:
    put(world, **{"a.py": "def load", "b.py": "def load\ndef Load"})
    assert (facts(world).defining("load"), facts(world).defining("Load"), facts(world).defining("x")) == (
        2,
        1,
        0,
    )


def test_imports_are_asked_for_once_and_given_each_time(world: World) -> None:
    put(world, **{"a.py": "def load", "b.py": "from a import load"})
    near = facts(world)
    assert [row.path for row in near.imports_of(["a.py"])] == ["b.py"]
    assert [row.path for row in near.imports_of(["a.py", "b.py"])] == ["b.py"]
    assert [(row.target, row.names) for row in near.imports_in("b.py")] == [("a.py", (("load", ""),))]


def derive(world: World, **bases: str) -> None:
    """Files with something derived from a thing of that name."""
    for path, base in bases.items():
        made = outlined(f"{path} {base}")
        heir = msgspec.structs.replace(
            made, references=[Reference(base, "base", [1]), Reference("x", "call", [1])]
        )
        world.log.add(observed(path, f"{path} {base}"), heir)
    world.run()


@pytest.mark.parametrize("limit", [nearby.WHOLE_BYTES, 60, 0])
def test_heirs_are_found_among_the_files_asked_about_however_little_is_held(world: World, limit: int) -> None:
    derive(world, **{"a.py": "Base", "b.py": "Base", "c.py": "Bases"})
    uses = Uses(limit)
    for _ in range(2):
        one = facts(world, uses)
        assert one.deriving({"Base"}, {"a.py", "c.py", "gone.py"}) == ["a.py"]
        assert one.deriving({"Base", "x"}, {"a.py", "b.py", "c.py"}) == ["a.py", "b.py"]
        assert one.deriving(set(), {"a.py"}) == one.deriving({"Bas"}, {"a.py"}) == []


def test_what_was_written_since_is_read_when_it_is_asked_for(world: World) -> None:
    derive(world, **{"a.py": "Base"})
    uses = Uses()
    assert facts(world, uses).deriving({"Base"}, {"a.py"}) == ["a.py"]
    derive(world, **{"a.py": "Other", "b.py": "Base"})
    assert facts(world, uses).deriving({"Base"}, {"a.py", "b.py"}) == ["b.py"]
