"""The reactor: a record for each change, once, whatever happens in between."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import msgspec
import pytest

from navlog.daemon.extract import outline
from navlog.daemon.journal import Journal
from navlog.daemon.projects import Project, Projects
from navlog.daemon.slicer.forming import Former
from navlog.daemon.slicer.slicer import Slicer
from navlog.daemon.slicer.texts import Texts
from navlog.projections.graph import GraphProjection
from navlog.projections.msu import MsuProjection
from navlog.projections.msu.state import Place, Standing
from navlog.projections.projector import Projector, Sources
from navlog.projections.store import Store
from navlog.projections.views import ProjectView
from navlog.schemas.envelope import Record, draft
from navlog.schemas.events import Event, FileObserved, FileRemoved, ProjectRegistered, ScanCompleted
from navlog.schemas.settings import Extract, Slice
from navlog.schemas.slices import MsuFormed
from support.graph import LIMITS
from support.journal import open_journal

NOW = 4_000_000_000.0  # after anything this clock says: nothing is too old by accident
SECRET = "ghp_" + "a1B2" * 9


class House:
    """A worktree, a real log, and the rooms that a change passes through; threads are not started."""

    def __init__(self, home: Path, caps: Slice) -> None:
        self.root = home / "tree"
        self.root.mkdir(exist_ok=True)
        self.journal: Journal = open_journal(home / "log")
        self.store = Store(home / "data", LIMITS)
        views: dict[str, ProjectView] = {}
        logs: Sources = {"events": self.journal}
        self.graph = Projector(GraphProjection(views), self.store, logs)
        self.msu = Projector(MsuProjection(), self.store, logs)
        projects = SimpleNamespace(all=lambda: [Project("p", self.root, "p", "folder")])
        texts = Texts(lambda text: text.replace(SECRET, "[redacted:github]"), 10**6)
        self.former = Former(self.store, views.get, texts, caps)
        self.slicer = Slicer(
            self.journal, self.graph, self.msu, cast("Projects", projects), self.former, caps, now=lambda: NOW
        )

    def say(self, *events: Event) -> None:
        """Appends and folds."""
        number = self.journal.position
        drafts = [
            draft(event, project="p", source="test", id=f"e{number + at}")
            for at, event in enumerate(events, 1)
        ]
        self.journal.append(drafts).result()
        self.fold()

    def fold(self) -> None:
        """What is in the log is in the tables."""
        for projector in (self.graph, self.msu):
            projector.catch_up(self.journal.position)

    def write(self, path: str, text: str, *, outlined: bool = True) -> None:
        """A save that was heard of."""
        (self.root / path).write_text(text)
        made = outline(path, text.encode(), Extract())
        seen = FileObserved(path=path, content=made.content, size=len(text), mtime_ns=1)
        self.say(seen, *([made] if outlined else []))

    @property
    def due(self) -> dict[Place, Standing]:
        return cast("MsuProjection", self.msu.projection).due

    def look(self) -> list[MsuFormed]:
        """A round of the reactor, and all the records in the log after it."""
        self.slicer.look()
        self.fold()
        return [msgspec.json.decode(one.data, type=MsuFormed) for one in self.said("msu_formed")]

    def said(self, type_: str) -> list[Record]:
        return [record for record in self.journal.read() if record.type == type_]

    def close(self) -> None:
        self.store.close()
        self.journal.close()


@pytest.fixture
def caps() -> Slice:
    return Slice(at_once=3, hours=10**6)


@pytest.fixture
def house(tmp_path: Path, caps: Slice) -> Iterator[House]:
    made = House(tmp_path, caps)
    made.say(ProjectRegistered(root=str(made.root), name="p", kind="folder"))
    made.write("a.py", "def load(path):\n    return path\n")
    made.say(ScanCompleted(why="start", files=1))
    yield made
    made.close()


def test_a_first_look_is_no_change(house: House) -> None:
    assert house.look() == []


def test_a_save_has_one_record_with_its_cause(house: House) -> None:
    house.write("a.py", "def load(path, mode):\n    return path\n")
    (msu,) = house.look()
    (record,) = house.said("msu_formed")
    assert (record.cause, msu.msu) == ("e5", "msu:e5")
    assert record.id == msu.msu
    assert [(one.how, one.name) for one in msu.changes] == [("signature", "load")]
    assert len(house.look()) == 1


def test_a_restart_between_change_and_record_loses_none_and_repeats_none(
    house: House, tmp_path: Path, caps: Slice
) -> None:
    house.write("a.py", "def load(path, mode):\n    return path\n")
    house.close()
    for _ in range(2):
        again = House(tmp_path, caps)
        again.fold()
        assert [one.msu for one in again.look()] == ["msu:e5"]
        again.close()


def test_the_second_change_is_compared_with_the_text_of_the_first(house: House) -> None:
    house.write("a.py", "def load(path, mode):\n    return path\n")
    house.look()
    house.write("a.py", "def load(path, mode):\n    return path or mode\n")
    first, second = house.look()
    assert (first.basis, second.basis) == ("outline", "memory")
    assert second.lines == [(2, 2)]


def test_of_what_is_due_only_what_the_graph_knows_can_be_formed(house: House) -> None:
    project = Project("p", house.root, "p", "folder")
    house.write("b.py", "b = 1\n")
    house.write("c.py", "c = 1\n", outlined=False)
    house.say(FileRemoved(path="a.py"))
    due = {path: one for (_, path), one in house.due.items()}
    assert sorted(due) == ["a.py", "b.py", "c.py"]
    assert house.former.ready(project, due) == ["b.py", "a.py"]
    stale = {"b.py": msgspec.structs.replace(due["b.py"], content="0" * 40)}
    assert house.former.ready(project, stale) == []


def test_a_change_waits_for_its_outline(house: House) -> None:
    house.write("a.py", "def load(path, mode):\n    return path\n", outlined=False)
    assert house.look() == []
    house.say(outline("a.py", (house.root / "a.py").read_bytes(), Extract()))
    assert len(house.look()) == 1


def test_a_text_that_moved_on_is_a_pointer_not_somebody_elses_text(house: House) -> None:
    house.write("a.py", "def load(path, mode):\n    return path\n")
    (house.root / "a.py").write_text("something else\n")
    (msu,) = house.look()
    assert [one.text for one in msu.core] == [""]


def test_a_removed_file_has_a_record(house: House) -> None:
    house.say(FileRemoved(path="a.py"))
    (msu,) = house.look()
    assert (msu.content, [(one.how, one.name) for one in msu.changes]) == ("", [("removed", "load")])


def test_of_too_many_changes_sources_near_the_root_get_records_and_the_rest_is_said(house: House) -> None:
    for path in ("z.md", "tests_a.py", "b.py", "c.py", "d.py"):
        house.write(path, f"def work_{path[0]}():\n    pass\n")
    assert sorted(one.path for one in house.look()) == ["b.py", "c.py", "d.py"]
    (passed,) = (msgspec.json.decode(one.data) for one in house.said("changes_passed"))
    assert (passed["count"], passed["why"], sorted(passed["kept"])) == (2, "many", ["b.py", "c.py", "d.py"])
    assert len(house.look()) == 3
    batch = [record.batch for record in house.journal.read() if record.source == "slicer"]
    assert {one and one[1] for one in batch} == {len(batch)}


def test_a_change_that_is_too_old_is_passed_by(tmp_path: Path) -> None:
    house = House(tmp_path, Slice(hours=24))
    house.say(
        ProjectRegistered(root=str(house.root), name="p", kind="folder"), ScanCompleted(why="start", files=0)
    )
    house.write("a.py", "x = 1\n")
    assert house.look() == []
    (passed,) = (msgspec.json.decode(one.data) for one in house.said("changes_passed"))
    assert passed["why"] == "old"
    house.close()


def test_texts_are_kept_once_and_without_secrets(house: House) -> None:
    house.write("a.py", f'def load(path, mode):\n    return "{SECRET}"\n')
    house.look()
    house.write("b.py", f'def load(path, mode):\n    return "{SECRET}"\n')
    house.look()
    texts = [msgspec.json.decode(one.data)["text"] for one in house.said("text_kept")]
    assert len(texts) == len(set(texts)) > 0
    assert not any(SECRET in text for text in texts)
    assert any("[redacted:github]" in text for text in texts)


def test_a_replay_forms_nothing(house: House) -> None:
    house.write("a.py", "def load(path, mode):\n    return path\n")
    house.look()
    before = house.journal.position
    fresh = MsuProjection()
    builder = house.msu.begin(fresh)
    builder.catch_up({"events": house.journal}, before, 100)
    house.msu.adopt(builder)
    assert house.look()
    assert house.journal.position == before
