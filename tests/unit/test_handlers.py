"""The verbs over projects, with rooms that only say how they are."""

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from navlog.daemon.handlers import Handlers
from navlog.daemon.recorder.recorder import Progress
from navlog.schemas.control import DegradedReason, ProjectName
from navlog.schemas.errors import Degraded


@pytest.mark.parametrize(
    ("looked", "why", "told"),
    [
        (False, "", "indexing"),
        (False, "The disk is full.", "waiting: The disk is full."),
        (True, "The disk is full.", "indexing: The disk is full."),
    ],
)
def test_who_waits_for_an_index_hears_what_holds_it_up(looked: bool, why: str, told: str) -> None:
    recorder = SimpleNamespace(
        progress=lambda _project: Progress(files=3, pending=2, looked=looked),
        faults=lambda: {"p": DegradedReason(reason=why)} if why else {},
    )
    rooms: Any = SimpleNamespace(
        projects=SimpleNamespace(find=lambda _name: SimpleNamespace(id="p", root="/p")),
        recorder=recorder, graph=None, unwritable="", closing=threading.Event(),
    )  # fmt: skip
    rooms.closing.set()  # so that it looks once
    said: list[tuple[str, int, int]] = []
    with pytest.raises(Degraded, match="ending"):
        Handlers(rooms).indexed(ProjectName(project="p"), "", lambda *now: said.append(now))
    assert said == [(told, 1, 3)]
