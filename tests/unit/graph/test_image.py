"""An image says what the tables say, or there is none."""

import hashlib
import os
import pickle
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from navlog.projections.graph import GraphProjection, image, loading
from navlog.projections.index import FIELDS
from navlog.projections.projector import Builder, Projector
from navlog.projections.replay import replay
from navlog.projections.store import Connection, Store
from navlog.projections.views import ProjectView
from navlog.schemas.events import CommitFile, CommitRecorded, Event
from support.graph import LIMITS, REGISTERED, ListLog, World, edits, observed, outlined

WORDS = {"f1": 1.0, "f2": 2.0, "def": 1.0, "p": 1.0, "m1": 3.0, "cache": 1.0}


def look(graph: GraphProjection) -> dict[str, Any]:
    """All that answers ask a graph for."""
    return {name: look_at(view) for name, view in graph.views.items()}


def look_at(view: ProjectView) -> dict[str, Any]:
    found: dict[str, Any] = {
        path: (file, list(file.symbols), list(file.chunks), view.neighbours(path), view.history.changes(path),
               view.history.together(path), view.index.ending(path) != [])
        for path, file in view.files.items()
    }  # fmt: skip
    for field in FIELDS:
        column = view.index.scores(field, WORDS)
        found[f"scores {field}"] = {path: float(column[slot]) for path, slot in view.index.slots.items()}
    found["votes"] = [
        (commit.subject, [view.history.path(one) for one in commit.paths], worth)
        for commit, worth in view.history.votes(WORDS)
    ]
    return found


def commits(count: int) -> list[Event]:
    paths = [f"{folder}m{number}.py" for folder in ("", "p/") for number in range(4)]
    draw = random.Random(count)
    return [
        CommitRecorded(
            commit=f"c{number}", parents=["c"], committed_at="2024-01-01T00:00:00Z", author="",
            subject=f"Mend the cache of f{number % 3}", file_count=2,
            files=[
                CommitFile(draw.choice(paths), "M"), CommitFile(paths[number % 8], "R", draw.choice(paths))
            ],
        )
        for number in range(count)
    ]  # fmt: skip


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path, edits(60, seed=3))
    made.log.add(*commits(12))
    made.run()
    return made


def db_of(world: World) -> Connection:
    return world.projector._builder.db


def image_of(home: Path) -> Path:
    return home / "derived" / "graph-1.duckdb.image"


def leave(world: World) -> None:
    world.graph.rest(db_of(world))


@pytest.fixture
def untouched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often the tables were read for a start."""
    read: list[int] = []
    load = loading.load
    monkeypatch.setattr(loading, "load", lambda db: read.append(1) or load(db))  # type: ignore[func-returns-value]
    return read


@pytest.mark.timeout(60)
@settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**20), st.integers(0, 40), st.integers(0, 40), st.integers(1, 9))
def test_a_graph_from_an_image_is_one_from_the_tables_and_goes_on_like_it(
    tmp_path_factory: pytest.TempPathFactory, seed: int, before: int, after: int, size: int
) -> None:
    """After any edits, and after any more of them on top."""
    store = Store(tmp_path_factory.mktemp("home"), LIMITS)
    log, more = edits(before, seed), edits(after, seed + 1)
    log.add(*commits(seed % 9))
    db, _ = store.open("graph", GraphProjection.version)
    first, imaged, made = GraphProjection(), GraphProjection(), GraphProjection()
    Builder(first, db, new=True).catch_up({"events": log}, log.position, size)
    first.rest(db)
    follower = Builder(imaged, db, new=False)
    assert image.read(db) is not None
    made._state, views = loading.load(db)
    made.views.update(views)
    assert look(imaged) == look(made) == look(first)
    for record in more.records:
        log.raw(record.type, bytes(record.data))
    log.add(*commits(seed % 9 + 3))
    follower.catch_up({"events": log}, log.position, size)
    made._state, views = loading.load(db)
    made.views.clear()
    made.views.update(views)
    assert look(imaged) == look(made)
    store.close()


def test_a_start_after_a_stop_reads_no_tables(world: World, untouched: list[int]) -> None:
    shown = look(world.graph)
    leave(world)
    world.restart()
    assert untouched == []
    assert look(world.graph) == shown
    world.store.close()


def test_records_that_change_nothing_leave_the_image_and_a_change_takes_it(
    world: World, untouched: list[int]
) -> None:
    leave(world)
    world.log.raw("tool_used", b"{}")
    world.run()
    assert image.is_written(db_of(world))
    world.log.add(observed("new.py", "def f1"))
    world.run()
    assert not image.is_written(db_of(world))
    world.restart()
    assert untouched == [1]
    assert "new.py" in world.graph.views["p"].files
    world.store.close()


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(at: int) -> Callable[[bytes], bytes]:
    def flip(data: bytes) -> bytes:
        place = at * len(data) // 100
        return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]

    return flip


@pytest.mark.parametrize(
    "harm", [cut, lambda _: b"", lambda data: data + b"\0", *map(flipped, range(0, 100, 7))]
)
def test_a_damaged_image_is_none(world: World, harm: Callable[[bytes], bytes], untouched: list[int]) -> None:
    shown = look(world.graph)
    leave(world)
    file = image_of(world.home)
    file.write_bytes(harm(file.read_bytes()))
    world.restart()
    assert untouched == [1]
    assert look(world.graph) == shown
    leave(world)
    world.restart()
    assert untouched == [1]  # another one was written in its place
    world.store.close()


def test_an_image_of_other_code_is_none(
    world: World, untouched: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    leave(world)
    monkeypatch.setattr(image, "CODE", hashlib.blake2b())
    world.restart()
    assert untouched == [1]
    world.store.close()


@pytest.mark.parametrize("step", ["open", "replace", "execute"])
def test_a_kill_at_any_step_of_writing_leaves_no_wrong_image(
    world: World, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The image of an earlier state lies there already, and is of another sum."""
    leave(world)
    world.log.add(observed("new.py", "def f1"), outlined("def f1"))
    world.run()
    shown = look(world.graph)

    class Killed(BaseException):
        pass

    def kill(*_: object, **__: object) -> None:
        raise Killed

    db: Any = db_of(world)
    if step == "execute":  # all is written but the sum

        class Ending:
            def execute(self, query: str, *_: object) -> Any:
                return kill() if query.startswith("INSERT") else db_of(world).execute(query)

        db = Ending()
    else:
        monkeypatch.setattr(Path, step, kill)
    with pytest.raises(Killed):
        image.write(db, image.take((world.graph._state, world.graph.views)))
    monkeypatch.undo()
    world.restart()
    assert look(world.graph) == shown
    world.store.close()


def test_an_image_goes_with_its_generation(world: World) -> None:
    leave(world)
    assert image_of(world.home).exists()
    replay(world.projector)
    assert list((world.home / "derived").glob("*.image*")) == []
    world.store.close()


def test_after_a_fault_the_tables_are_asked_and_the_image_is_deleted(
    world: World, untouched: list[int]
) -> None:
    leave(world)
    world.graph.load(db_of(world))
    assert untouched == [1]
    assert not image_of(world.home).exists()
    world.store.close()


def test_a_graph_in_the_middle_of_a_batch_leaves_no_image(world: World) -> None:
    world.log.add(observed("new.py", "def f1"))
    world.graph.fold(world.log.records[-1:])
    leave(world)
    assert not image_of(world.home).exists()
    world.store.close()


def test_an_image_that_cannot_be_written_is_no_fault(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "no space left")

    monkeypatch.setattr(Path, "replace", full)
    leave(world)
    assert not image.is_written(db_of(world))
    world.store.close()


class Harmful:
    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return os.system, ("true",)


@pytest.mark.parametrize("held", [Harmful(), pickle.loads, loading.load])
def test_nothing_is_made_but_what_holds_data(world: World, held: object) -> None:
    image.write(db_of(world), image.take(held))
    assert image.read(db_of(world)) is None
    world.store.close()


def test_what_is_left_at_rest_is_left_once_nothing_comes_and_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in (("QUIET_S", 0.0), ("GATHER_S", 0.01), ("IDLE_S", 0.01)):
        monkeypatch.setattr(f"navlog.projections.projector.{name}", seconds)
    store, log, left = Store(tmp_path, LIMITS), ListLog(), []
    log.add(REGISTERED)
    quiet = threading.Event()

    def at_rest(graph: GraphProjection, _: Connection) -> None:
        left.append(set(graph.views))
        quiet.set()

    projector = Projector(GraphProjection(), store, {"events": log}, at_rest=at_rest)
    projector.start()
    assert quiet.wait(10)
    projector.stop()
    assert len(left) == 2
    assert left[-1] == {"p"}
    store.close()
