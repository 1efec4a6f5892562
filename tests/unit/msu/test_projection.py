"""Which changes are owed a record, and the same tables whatever the way there."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from navlog.projections.msu import MsuProjection
from navlog.projections.msu.state import Standing
from navlog.projections.projector import Projector
from navlog.projections.replay import replay
from navlog.projections.store import Store
from navlog.schemas.events import Event, FileMoved, FileRemoved, ProjectRemoved, ScanCompleted
from navlog.schemas.sessions import TextKept
from navlog.schemas.slices import ChangesPassed, Member, MsuFormed
from support.graph import LIMITS, REGISTERED, ListLog, content, observed, outlined

LOOKED = ScanCompleted(why="start", files=1)


class Msus:
    """A store, a log, and the projection that follows it on demand."""

    def __init__(self, home: Path, log: ListLog | None = None) -> None:
        self.home = home
        self.log = log or ListLog()
        self.store = Store(home, LIMITS)
        self.projector = Projector(MsuProjection(), self.store, {"events": self.log})

    def say(self, *events: Event, cause: str | None = None) -> None:
        """Appends and folds."""
        for event in events:
            position = self.log.add(event)
            record = self.log.records[position - 1]
            self.log.records[position - 1] = msgspec.structs.replace(record, cause=cause)
        self.projector.catch_up(self.log.position)

    def form(self, path: str, cause: str | None = None, **fields: Any) -> None:
        """The reactor's answer to what is due at ``path``."""
        due = self.due.get(path, Standing())
        made = {"content": due.content, "before": due.sliced, **fields}
        msu = MsuFormed(msu=f"msu:{cause or due.cause}", path=path, basis="git", slicer="t", **made)
        self.say(msu, cause=cause or due.cause)

    @property
    def projection(self) -> MsuProjection:
        projection = self.projector.projection
        assert isinstance(projection, MsuProjection)
        return projection

    @property
    def due(self) -> dict[str, Standing]:
        return {path: one for (_, path), one in self.projection.due.items()}


@pytest.fixture
def msus(tmp_path: Path) -> Iterator[Msus]:
    made = Msus(tmp_path)
    made.say(REGISTERED, observed("a.py", "1"), outlined("1"), LOOKED)
    yield made
    made.store.close()


def test_a_first_look_owes_nothing(msus: Msus) -> None:
    assert msus.due == {}


def test_a_change_is_owed_a_record_until_there_is_one(msus: Msus) -> None:
    msus.say(observed("a.py", "2"))
    assert (msus.due["a.py"].sliced, msus.due["a.py"].content) == (content("1"), content("2"))
    assert msus.due["a.py"].cause == "e5"
    msus.form("a.py")
    assert msus.due == {}


def test_the_same_content_again_is_no_change(msus: Msus) -> None:
    msus.say(observed("a.py", "1", mtime_ns=9))
    assert msus.due == {}


def test_changes_before_the_record_are_one_change(msus: Msus) -> None:
    msus.say(observed("a.py", "2"), observed("a.py", "3"))
    assert (msus.due["a.py"].sliced, msus.due["a.py"].content) == (content("1"), content("3"))
    assert msus.due["a.py"].cause == "e6"


def test_a_change_that_is_taken_back_is_owed_nothing(msus: Msus) -> None:
    msus.say(observed("a.py", "2"), observed("a.py", "1"))
    assert msus.due == {}


def test_a_record_of_an_older_change_leaves_the_newer_one_due(msus: Msus) -> None:
    msus.say(observed("a.py", "2"))
    older = msus.due["a.py"]
    msus.say(observed("a.py", "3"))
    msus.form("a.py", cause=older.cause, content=older.content, before=older.sliced)
    assert (msus.due["a.py"].sliced, msus.due["a.py"].content) == (content("2"), content("3"))


def test_new_removed_and_moved_files_are_changes(msus: Msus) -> None:
    msus.say(observed("b.py", "9"), FileMoved(previous="a.py", path="c.py"))
    assert msus.due["b.py"].sliced == ""
    assert msus.due["c.py"].previous == "a.py"
    msus.form("b.py")
    msus.form("c.py")
    msus.say(FileRemoved(path="c.py"))
    assert (msus.due["c.py"].sliced, msus.due["c.py"].content) == (content("1"), "")


def test_a_file_that_came_and_went_is_owed_nothing(msus: Msus) -> None:
    msus.say(observed("b.py", "9"), FileRemoved(path="b.py"))
    assert msus.due == {}


def test_what_is_passed_by_is_not_due_any_more_but_what_is_kept_is(msus: Msus) -> None:
    msus.say(observed("a.py", "2"), observed("b.py", "2"), observed("c.py", "2"))
    until = msus.log.position
    msus.say(observed("d.py", "2"))
    msus.say(ChangesPassed(until=until, count=2, why="many", kept=["b.py"]))
    assert sorted(msus.due) == ["b.py", "d.py"]
    msus.say(observed("a.py", "3"))
    assert msus.due["a.py"].sliced == content("2")


def test_a_project_that_is_removed_owes_and_holds_nothing(msus: Msus) -> None:
    msus.say(observed("a.py", "2"))
    msus.form("a.py")
    msus.say(observed("a.py", "3"), ProjectRemoved())
    assert msus.due == {}
    assert msus.projection.queue.since("p", 0) == []
    msus.say(REGISTERED, observed("a.py", "4"))
    assert msus.due == {}


def test_what_is_due_and_the_queue_outlive_a_restart(msus: Msus) -> None:
    msus.say(observed("a.py", "2"), observed("b.py", "2"))
    msus.form("a.py")
    before = msus.due, [one.msu for one in msus.projection.queue.since("p", 0)]
    msus.store.close()
    again = Msus(msus.home, msus.log)
    assert (again.due, [one.msu for one in again.projection.queue.since("p", 0)]) == before
    again.store.close()


def test_texts_of_earlier_batches_are_found(msus: Msus) -> None:
    msus.say(TextKept(hash="h1", text="def parse_cookie"))
    msus.say(observed("a.py", "2"))
    due = msus.due["a.py"]
    core = [Member("a.py", 1, 1, "", "changed", "", 3, "h1")]
    msu = MsuFormed(
        msu="msu:1", path="a.py", content=due.content, before=due.sliced, basis="git", slicer="t", core=core
    )
    msus.say(msu, cause=due.cause)
    (entry,) = msus.projection.queue.since("p", 0)
    assert float(entry.vector @ entry.vector) == pytest.approx(1.0)
    with msus.store.cursor() as db:
        assert msus.projection.texts(db, ["h1", "h2"]) == {"h1": "def parse_cookie"}


def random_log(seed: int, home: Path) -> ListLog:
    """Edits, moves, removals and records, as a reactor would append them."""
    draw = random.Random(seed)
    msus = Msus(home)
    msus.say(REGISTERED)
    paths = ["a.py", "b.py", "c/d.py"]
    for number in range(60):
        step = draw.choice(["write", "write", "move", "remove", "form", "form", "pass", "look"])
        path = draw.choice(paths)
        if step == "write":
            msus.say(observed(path, str(draw.randrange(4))))
        elif step == "move":
            msus.say(FileMoved(previous=path, path=draw.choice(paths)))
        elif step == "remove":
            msus.say(FileRemoved(path=path))
        elif step == "look":
            msus.say(LOOKED)
        elif step == "pass":
            msus.say(ChangesPassed(until=msus.log.position - draw.randrange(5), count=1, why="many"))
        elif msus.due:
            msus.say(TextKept(hash=f"h{number}", text=f"text {number}"))
            msus.form(draw.choice(sorted(msus.due)))
    msus.store.close()
    return msus.log


@pytest.mark.parametrize("seed", range(12))
def test_incremental_is_clean_is_replay(seed: int, tmp_path: Path) -> None:
    log = random_log(seed, tmp_path / "one")
    step = Msus(tmp_path / "two", log)
    while step.projector.position.events < log.position:
        step.projector.catch_up(step.projector.position.events + 1 + seed % 5)
    whole = Msus(tmp_path / "three", log)
    whole.projector.catch_up(log.position)
    due = step.due
    assert due == whole.due
    assert step.projector.digest() == whole.projector.digest()
    queued = [one.msu for one in step.projection.queue.since("p", 0)]
    done = replay(step.projector)
    assert not done.changed
    assert step.due == due
    assert [one.msu for one in step.projection.queue.since("p", 0)] == queued
    for one in (step, whole):
        one.store.close()
