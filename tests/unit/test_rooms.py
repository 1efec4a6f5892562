"""What a start does with the projects, in which order."""

from dataclasses import MISSING, fields
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from navlog.daemon.projects import Project
from navlog.daemon.rooms import Rooms

PROJECTS = [Project(name, Path("/src") / name, name, "git") for name in ("a", "b")]


class Traced(Rooms):
    """Notes what is begun; ``b`` cannot be taken up."""

    done: list[str]

    def _is_caught_up(self) -> bool:
        return True

    def _take_up(self, project: Project) -> None:
        self.done.append(f"take up {project.id}")
        if project.id != "b":
            self.taken_up.add(project.id)


@pytest.fixture
def traced() -> Traced:
    done: list[str] = []
    parts: dict[str, Any] = {one.name: None for one in fields(Rooms) if one.default_factory is MISSING}
    parts["spool"] = SimpleNamespace(start=lambda: done.append("spool"))
    parts["projects"] = SimpleNamespace(all=lambda: PROJECTS)
    parts["answers"] = SimpleNamespace(context=lambda args, _trace: done.append(f"ask {args.project}"))
    made = Traced(**parts)
    object.__setattr__(made, "done", done)
    return made


def test_every_project_is_taken_up_before_one_is_asked_for_practice(traced: Traced) -> None:
    traced.resume()
    assert traced.done == ["spool", "take up a", "take up b", "ask a"]


def test_a_start_that_is_to_end_begins_nothing_more(traced: Traced) -> None:
    traced.closing.set()
    traced.resume()
    assert traced.done == ["spool"]
