"""Changes and positions go together; what fails is shown and tried again; a replay changes only the file."""

import threading
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from navlog.projections.graph import GraphProjection
from navlog.projections.positions import Positions
from navlog.projections.projector import BURST, GATHER_S, LONGEST_S, Projector, take
from navlog.projections.replay import replay
from navlog.projections.store import Connection, Store
from navlog.schemas.envelope import Record
from navlog.schemas.errors import Internal
from navlog.schemas.events import FileRemoved, ProjectRemoved
from navlog.schemas.overlays import AliasAdded
from support.graph import LIMITS, REGISTERED, ListLog, World, observed, outlined

BROKEN = "broken on purpose"


class Counting:
    """A projection of the smallest kind: one row a record."""

    name = "counting"
    version = 1
    reads: Collection[str] | None = None

    def __init__(self) -> None:
        self.fail_in = ""
        self.known: list[str] = []
        self.published: list[str] = []

    def create(self, db: Connection) -> None:
        db.execute("CREATE TABLE seen(id VARCHAR)")

    def load(self, db: Connection) -> None:
        self.known = [row[0] for row in db.execute("SELECT id FROM seen ORDER BY rowid").fetchall()]
        self.published = list(self.known)

    def fold(self, batch: Sequence[Record]) -> list[str]:
        self._fail("fold")
        ids = [record.type + record.id for record in batch]
        self.known += ids
        return ids

    def apply(self, db: Connection, changes: list[str]) -> None:
        db.execute("INSERT INTO seen SELECT unnest(?::VARCHAR[])", [changes])
        self._fail("apply")

    def publish(self, changes: list[str]) -> None:
        self._fail("publish")
        self.published += changes

    def fresh(self) -> "Counting":
        return Counting()

    def succeed(self, previous: "Counting") -> None:
        self.succeeded = previous

    def export(self, db: Connection) -> Iterator[tuple[Any, ...]]:
        return iter(db.execute("SELECT id FROM seen ORDER BY id").fetchall())

    def _fail(self, where: str) -> None:
        if self.fail_in == where:
            raise OSError(BROKEN)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path, LIMITS)
    yield made
    made.close()


@pytest.fixture
def log() -> ListLog:
    made = ListLog()
    made.add(*[FileRemoved(path=str(number)) for number in range(5)])
    return made


def rows(store: Store) -> int:
    found = store.cursor().execute("SELECT count(*) FROM seen").fetchone()
    assert found
    return int(found[0])


def kept(store: Store) -> int:
    """The position of the events in the file."""
    found = store.cursor().execute("SELECT position FROM positions WHERE log = 'events'").fetchone()
    return int(found[0]) if found else 0


def test_a_projector_goes_on_from_its_position(store: Store, log: ListLog) -> None:
    assert Projector(Counting(), store, {"events": log}).catch_up(3) == 3
    again = Projector(Counting(), store, {"events": log})
    assert again.position == Positions(3, 0)
    assert again.catch_up(100) == 5
    assert rows(store) == 5


def test_what_a_projection_does_not_read_moves_it_on_and_costs_no_transaction(
    store: Store, log: ListLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("navlog.projections.projector.KEEP_EVERY", 100)
    counting = Counting()
    counting.reads = {ProjectRemoved.TYPE}
    projector = Projector(counting, store, {"events": log})
    assert projector.catch_up(4) == 4
    assert (projector.position, kept(store), rows(store)) == (Positions(4, 0), 0, 0)
    log.add(ProjectRemoved())
    projector.catch_up(6)
    assert (projector.position, kept(store), counting.known) == (Positions(6, 0), 6, ["project_removede6"])


def test_a_position_without_changes_is_kept_now_and_then_and_at_the_end(
    store: Store, log: ListLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("navlog.projections.projector.KEEP_EVERY", 4)
    counting = Counting()
    counting.reads = ()
    projector = Projector(counting, store, {"events": log}, size=2)
    projector.catch_up(2)
    assert kept(store) == 0
    projector.catch_up(5)
    assert (kept(store), projector.position) == (4, Positions(5, 0))
    projector.stop()
    assert (kept(store), rows(store)) == (5, 0)


def test_a_projection_that_is_dear_gathers_the_longer(store: Store, log: ListLog) -> None:
    pauses: list[float] = []
    gathered = threading.Event()

    class Telling(Projector):
        def _gather(self, seconds: float) -> None:
            pauses.append(seconds)
            if len(pauses) > 1:
                gathered.set()

    projector = Telling(Counting(), store, {"events": log}, rest=1e9)
    projector.start()
    assert projector.wait_for(5, 5)
    assert gathered.wait(5)
    projector.stop()
    assert pauses[:2] == [GATHER_S, LONGEST_S]


class Growing(threading.Event):
    """Instead of waiting, more comes into the log; set from the ``asked`` th wait on."""

    def __init__(self, log: ListLog, growth: Sequence[int], asked: int) -> None:
        super().__init__()
        self.waits: list[float | None] = []
        self._log, self._growth, self._asked = log, growth, asked

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout)
        for _ in range(self._growth[min(len(self.waits), len(self._growth)) - 1]):
            self._log.add(FileRemoved(path="a"))
        return len(self.waits) >= self._asked


@pytest.mark.parametrize(
    ("rest", "growth", "asked", "waits"),
    [
        (1.0, [BURST, BURST, BURST - 1], 99, [3.0, GATHER_S, GATHER_S]),  # to the end of the burst
        (1.0, [BURST - 1], 99, [3.0]),  # a save
        (1.0, [BURST], 99, [3.0, *[GATHER_S] * round(LONGEST_S / GATHER_S)]),  # an endless one
        (1.0, [BURST], 2, [3.0, GATHER_S]),  # somebody asks
        (0.0, [BURST], 99, [3.0]),  # cheap batches
    ],
)
def test_a_dear_projection_gathers_to_the_end_of_a_burst(
    store: Store, rest: float, growth: list[int], asked: int, waits: list[float]
) -> None:
    log = ListLog()
    projector = Projector(Counting(), store, {"events": log}, rest=rest)
    growing = projector._asked = Growing(log, growth, asked)
    projector._gather(3.0)
    assert growing.waits == waits


def test_both_positions_move_with_their_own_log(store: Store, log: ListLog) -> None:
    overlays = ListLog()
    overlays.add(AliasAdded(after_event=1, who="a", concept="c", alias="d"))
    Projector(Counting(), store, {"events": log, "overlays": overlays}).catch_up(2)
    assert Projector(Counting(), store, {"events": log}).position == Positions(2, 1)
    assert rows(store) == 3


@pytest.mark.parametrize("where", ["fold", "apply"])
def test_a_batch_that_fails_leaves_rows_position_and_state_as_they_were(
    store: Store, log: ListLog, where: str
) -> None:
    counting = Counting()
    projector = Projector(counting, store, {"events": log})
    projector.catch_up(2)
    counting.fail_in = where
    with pytest.raises(OSError, match=BROKEN):
        projector.catch_up(5)
    assert (projector.position, rows(store), len(counting.known)) == (Positions(2, 0), 2, 2)
    counting.fail_in = ""
    projector.catch_up(5)
    assert counting.known == counting.published == [f"file_removede{number}" for number in range(1, 6)]


def test_a_second_projector_on_the_same_file_is_stopped(store: Store, log: ListLog) -> None:
    one, two = Counting(), Counting()
    first, second = (Projector(counting, store, {"events": log}) for counting in (one, two))
    first.catch_up(5)
    with pytest.raises(Internal, match="two write to it"):
        second.catch_up(5)
    assert rows(store) == 5


def test_views_that_fail_are_filled_again_from_the_tables(store: Store, log: ListLog) -> None:
    counting = Counting()
    projector = Projector(counting, store, {"events": log})
    counting.fail_in = "publish"
    with pytest.raises(OSError, match=BROKEN):
        projector.catch_up(5)
    assert projector.position == Positions(5, 0)
    assert len(counting.published) == rows(store) == 5


def test_a_position_is_told_only_when_the_views_show_it(store: Store, log: ListLog) -> None:
    told: list[int] = []

    class Watching(Counting):
        def publish(self, changes: list[str]) -> None:
            told.append(projector.position.events)
            super().publish(changes)

    projector = Projector(Watching(), store, {"events": log})
    projector.catch_up(5)
    assert (told, projector.position.events) == ([0], 5)


def test_a_fault_of_several_lines_is_shown_in_one(
    store: Store, log: ListLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`status` has a line for it; the other two lines of an error of ours belong to whoever asked."""
    failed = threading.Event()
    projector = Projector(Counting(), store, {"events": log}, on_fault=lambda _: failed.set())
    fault = Internal("Two write to it.", hint="navlog status")
    monkeypatch.setattr(projector, "catch_up", Mock(side_effect=fault))
    projector.start()
    assert failed.wait(5)
    projector.stop()
    assert projector.state.error == "Internal: Two write to it."


def test_the_thread_follows_shows_its_fault_and_recovers(
    store: Store, log: ListLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("navlog.projections.projector.BACK_OFF_S", (0.01,))
    counting = Counting()
    failed = threading.Event()
    projector = Projector(counting, store, {"events": log}, on_fault=lambda _: failed.set())
    counting.fail_in = "apply"
    projector.start()
    assert failed.wait(5)
    assert projector.state.error == f"OSError: {BROKEN}"
    assert (projector.state.position, projector.state.lag) == (0, 5)
    counting.fail_in = ""
    assert projector.wait_for(5, 5)
    projector.stop()
    assert (projector.state.error, projector.state.lag) == ("", 0)


def test_a_stop_waits_for_the_batch_and_not_for_the_log(store: Store, log: ListLog) -> None:
    """A long log behind a projection of which each batch is dear: the next start goes on from there."""
    begun = threading.Event()

    class Stopped(Counting):
        def publish(self, changes: list[str]) -> None:
            super().publish(changes)
            begun.set()
            assert projector._stopping.wait(10)

    projector = Projector(Stopped(), store, {"events": log}, size=2)
    projector.start()
    assert begun.wait(10)
    projector.stop()
    assert (projector.position.events, log.position) == (2, 5)


def test_batches_are_bounded_by_count_bytes_and_goal(log: ListLog, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [record.position for record in take(log, 1, 5, 2)] == [2, 3]
    assert [record.position for record in take(log, 1, 3, 100)] == [2, 3]
    assert take(log, 5, 5, 100) == []
    assert take(log, 7, 5, 100) == []
    monkeypatch.setattr("navlog.projections.projector.BATCH_BYTES", 20)
    assert [record.position for record in take(log, 0, 5, 100)] == [1, 2]


def test_a_file_damaged_behind_its_headers_is_rebuilt(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.log.add(REGISTERED)
    for number in range(300):
        text = f"def f{number}\n" + " ".join(f"w{number * word}" for word in range(99))
        world.log.add(observed(f"{number}.py", text), outlined(text))
    world.run()
    before = world.projector.digest()
    world.store.close()
    path = tmp_path / "derived" / "graph-1.duckdb"
    data = bytearray(path.read_bytes())
    data[3 * 4096 :: 97] = bytes(len(data[3 * 4096 :: 97]))  # DuckDB's three header pages stay whole
    path.write_bytes(data)
    world.open()
    world.run()
    assert world.projector.state.rebuilt
    assert world.projector.digest() == before
    world.store.close()


# --- replay ---------------------------------------------------------------------------------------------


def small_world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.log.add(REGISTERED, observed("a.py", "import b"), outlined("import b"), observed("b.py", "def f"))
    world.run(size=1)
    return world


def test_a_replay_gives_the_same_digest_and_the_same_views(tmp_path: Path) -> None:
    world = small_world(tmp_path)
    before, views = world.projector.digest(), world.graph.views
    steps: list[tuple[str, int, int]] = []
    done = replay(world.projector, GraphProjection(), 2, lambda *step: steps.append(step))
    assert done.digest == before
    assert (done.name, done.events, done.changed) == ("graph", 4, False)
    assert steps == [("graph", 2, 4), ("graph", 4, 4)]
    assert sorted(path.name for path in (tmp_path / "derived").glob("*.duckdb")) == ["graph-2.duckdb"]
    world.log.add(observed("c.py", "import b"))
    world.run()
    assert set(views["p"].files) == {"a.py", "b.py", "c.py"}
    assert world.ask("SELECT count(*) FROM files") == [(3,)]
    world.store.close()


def test_a_replay_mends_tables_that_are_wrong(tmp_path: Path) -> None:
    world = small_world(tmp_path)
    before = world.projector.digest()
    other = world.store.cursor()
    other.execute("DELETE FROM files")
    assert world.projector.digest() != before
    done = replay(world.projector, GraphProjection())
    assert (done.digest, done.changed) == (before, True)
    world.store.close()


def test_a_replay_that_fails_leaves_the_present_generation(store: Store, log: ListLog) -> None:
    projector = Projector(Counting(), store, {"events": log})
    projector.catch_up(5)
    fresh = Counting()
    fresh.fail_in = "apply"
    with pytest.raises(OSError, match=BROKEN):
        replay(projector, fresh)
    assert rows(store) == 5
    log.add(FileRemoved(path="x"))
    assert projector.catch_up(6) == 6
    assert replay(projector, Counting()).events == 6


def test_events_that_arrive_during_a_replay_are_in_both_generations(store: Store, log: ListLog) -> None:
    projector = Projector(Counting(), store, {"events": log})
    projector.catch_up(5)

    def write_meanwhile(_: str, done: int, __: int) -> None:
        if done == 4:
            log.add(FileRemoved(path="late"))
            projector.catch_up(6)

    assert replay(projector, size=2, progress=write_meanwhile).events == 6
    assert rows(store) == 6


def test_deleted_derived_files_come_back_at_the_next_start(tmp_path: Path) -> None:
    world = small_world(tmp_path)
    before = world.projector.digest()
    world.store.close()
    for path in (tmp_path / "derived").glob("*.duckdb*"):
        path.unlink()
    world.open()
    world.run()
    assert world.projector.digest() == before
    world.store.close()
