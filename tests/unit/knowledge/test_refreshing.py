"""What the refresher does when the graph is behind: nothing that was touched may be forgotten."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from navlog.daemon.knowing.refreshing import Refresher, is_outdated
from navlog.daemon.projects import Project
from navlog.projections.knowledge.summarising import SUMMARISER
from navlog.schemas.envelope import draft
from navlog.schemas.events import FileObserved, ScanCompleted
from support.journal import open_journal

PROJECT = Project("p", Path("/nowhere"), "p", "folder")
PAGE = "notes/0012-queues.md"


class House:
    """Fakes around a real log; ``shown`` is whether the graph has what the log says."""

    def __init__(self, folder: Path) -> None:
        self.journal = open_journal(folder)
        self.shown = True
        self.looked: list[str] = []
        graph: Any = SimpleNamespace(wait_for=lambda _position, _timeout: self.shown)
        recorder: Any = SimpleNamespace(
            settle=lambda _project, _timeout: self.journal.position,
            progress=lambda _project: SimpleNamespace(looked=True, pending=0),
        )
        documents: Any = SimpleNamespace(
            kinds=self.kinds,
            is_document=lambda _project, path: self.shown and path == PAGE,
            read=self.read,
            places=lambda _project: None,
        )
        projects: Any = SimpleNamespace(all=lambda: [PROJECT])
        self.refresher = Refresher(
            self.journal,
            graph,
            graph,
            recorder,
            projects,
            cast("Any", None),
            documents,
            cast("Any", None),
            lambda: "t",
        )
        for name, answer in (("_recall", lambda _project: {}), ("_look_at_issues", lambda *_: None)):
            setattr(self.refresher, name, answer)

    def kinds(self, _project: Project) -> dict[str, str]:
        return {PAGE: "decision"} if self.shown and self.page_is_there() else {}

    def page_is_there(self) -> bool:
        return any(record.type == FileObserved.TYPE for record in self.journal.read())

    def read(self, _project: Project, kinds: dict[str, str]) -> list[Any]:
        self.looked.extend(kinds)
        return []

    def say(self, event: FileObserved | ScanCompleted) -> None:
        said = draft(event, project="p", source="test", id=f"event-{self.journal.position}")
        self.journal.append([said]).result()

    def round(self) -> None:
        self.refresher._round(self.journal.position)


@pytest.fixture
def house(tmp_path: Path) -> House:
    made = House(tmp_path)
    made.say(ScanCompleted(why="start", files=0, skipped={}))
    made.round()
    return made


def test_who_waits_for_time_to_pass_is_called_though_nothing_happens(house: House) -> None:
    called: list[int] = []
    house.refresher._each_round = lambda: called.append(1)
    house.round()
    house.round()
    assert called == [1, 1]


@pytest.mark.parametrize(
    ("by", "outdated"), [("extractive-0", True), (SUMMARISER, False), ("endpoint:m", False), ("", False)]
)
def test_what_older_rules_of_ours_made_is_made_anew(by: str, outdated: bool) -> None:
    assert is_outdated(by) == outdated


def test_a_page_that_the_graph_shows_late_is_looked_at_once_more(house: House) -> None:
    house.shown = False
    house.say(FileObserved(path=PAGE, content="0" * 40, size=1, mtime_ns=1))
    house.round()
    assert house.looked == []
    house.shown = True
    house.round()
    assert house.looked == [PAGE]


def test_a_whole_look_that_came_too_early_is_not_crossed_off(house: House) -> None:
    house.say(FileObserved(path=PAGE, content="0" * 40, size=1, mtime_ns=1))
    house.say(ScanCompleted(why="start", files=1, skipped={}))
    house.shown = False
    house.round()
    assert house.looked == []
    house.shown = True
    house.round()
    assert house.looked == [PAGE]
