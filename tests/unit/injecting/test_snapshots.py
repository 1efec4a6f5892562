"""The file for commands in a sandbox: written once a project is still, or has not been for too long."""

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from navlog.daemon.injecting.snapshots import FOLDER, LONGEST, Snapshots
from navlog.projections.views import FileView, ProjectView


class World:
    """One project, its view, and the snapshots of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.view = ProjectView()
        self.there: Sequence[object] = [SimpleNamespace(id="p", root=Path("/project"))]
        self.snapshots = Snapshots(
            folder,
            SimpleNamespace(all=lambda: self.there),  # type: ignore[arg-type]
            SimpleNamespace(view=lambda _: self.view),  # type: ignore[arg-type]
            SimpleNamespace(offer=lambda *_: []),
            lambda: 7,
        )

    def put(self, path: str) -> None:
        self.view.put(FileView(path, "c", "python", 1, 1, 0.0), {})

    def said(self) -> list[str]:
        """The paths in the file; none without one."""
        file = self.folder / FOLDER / "p.json"
        return sorted(json.loads(file.read_bytes())["paths"]) if file.exists() else []


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_a_project_is_written_once_it_is_still(world: World) -> None:
    world.put("a.py")
    world.snapshots.look()
    world.put("b.py")
    world.snapshots.look()
    assert world.said() == []
    world.snapshots.look()
    assert world.said() == ["a.py", "b.py"]


def test_a_project_that_never_is_still_is_written_all_the_same(world: World) -> None:
    for number in range(LONGEST + 1):
        assert world.said() == []
        world.put(f"{number}.py")
        world.snapshots.look()
    assert len(world.said()) == LONGEST + 1


def test_what_is_no_project_any_more_leaves_nothing(world: World) -> None:
    world.put("a.py")
    world.snapshots.look()
    world.snapshots.look()
    assert world.said() == ["a.py"]
    world.there = []
    world.snapshots.look()
    assert world.said() == []
