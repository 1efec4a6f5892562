"""One instance, locked; files that cannot be used are dropped; a path is never used twice."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from navlog.projections.store import Connection, Store
from navlog.schemas import settings

LIMITS = settings.Store()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path, LIMITS)
    yield made
    made.close()


def files(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "derived").glob("*.duckdb"))


def fill(db: Connection, value: int) -> None:
    db.execute("CREATE TABLE facts(value INTEGER)")
    db.execute("INSERT INTO facts VALUES (?)", [value])


def reopened(home: Path, store: Store, version: int = 1) -> tuple[list[tuple[int]], str]:
    store.close()
    again = Store(home, LIMITS)
    try:
        db, why = again.open("graph", version)
        return (db.execute("SELECT value FROM facts").fetchall() if not why else []), why
    finally:
        again.close()


def test_a_file_is_found_again(store: Store, tmp_path: Path) -> None:
    db, why = store.open("graph", 1)
    assert why == "there was none"
    fill(db, 7)
    assert reopened(tmp_path, store) == ([(7,)], "")
    assert files(tmp_path) == ["graph-1.duckdb"]


def test_a_file_of_another_version_is_dropped(store: Store, tmp_path: Path) -> None:
    fill(store.open("graph", 1)[0], 7)
    assert reopened(tmp_path, store, version=2) == ([], "graph-1.duckdb: version 1 is not 2")
    assert files(tmp_path) == ["graph-2.duckdb"]


@pytest.mark.parametrize(
    "harm",
    [
        lambda data: data[:0],
        lambda data: b"not a database" * len(data),
        lambda data: data[:5000],
        lambda data: bytes(len(data)),
    ],
    ids=["empty", "text", "cut", "zeros"],
)
def test_a_damaged_file_is_dropped(store: Store, tmp_path: Path, harm: Callable[[bytes], bytes]) -> None:
    fill(store.open("graph", 1)[0], 7)
    store.close()
    path = tmp_path / "derived" / "graph-1.duckdb"
    path.write_bytes(harm(path.read_bytes()))
    rows, why = reopened(tmp_path, store)
    assert rows == []
    assert why
    assert files(tmp_path) == ["graph-2.duckdb"]


def test_an_unfinished_generation_is_never_opened(store: Store, tmp_path: Path) -> None:
    fill(store.open("graph", 1)[0], 7)
    fill(store.begin("graph", 1), 8)
    assert files(tmp_path) == ["graph-1.duckdb", "graph-2.duckdb"]
    assert reopened(tmp_path, store) == ([(7,)], "")
    assert files(tmp_path) == ["graph-1.duckdb"]


def test_a_swap_puts_the_new_generation_in_place_and_deletes_the_old(store: Store, tmp_path: Path) -> None:
    fill(store.open("graph", 1)[0], 7)
    reader = store.cursor()
    built = store.begin("graph", 1)
    fill(built, 8)
    assert reader.execute("SELECT value FROM facts").fetchall() == [(7,)]
    store.swap("graph", built)
    assert reader.execute("SELECT value FROM facts").fetchall() == [(8,)]
    assert built.execute("SELECT value FROM facts").fetchall() == [(8,)]
    assert files(tmp_path) == ["graph-2.duckdb"]
    assert reopened(tmp_path, store) == ([(8,)], "")


def test_readers_see_no_error_while_generations_are_swapped(store: Store) -> None:
    fill(store.open("graph", 1)[0], 0)
    stop, faults, seen = threading.Event(), [], []

    def read() -> None:
        cursor = store.cursor()
        while not stop.is_set():
            try:
                seen.extend(cursor.execute("SELECT value FROM graph.facts").fetchall())
            except duckdb.Error as fault:
                faults.append(fault)

    thread = threading.Thread(target=read)
    thread.start()
    for value in range(1, 9):
        built = store.begin("graph", 1)
        fill(built, value)
        store.swap("graph", built).close()
    stop.set()
    thread.join()
    assert faults == []
    assert seen == sorted(seen)
    assert seen


def test_a_path_is_never_used_twice(store: Store, tmp_path: Path) -> None:
    store.open("graph", 1)
    for _ in range(2):
        store.begin("graph", 1)
        store.abandon("graph")
    store.renew("graph", 1)
    assert files(tmp_path) == ["graph-4.duckdb"]


def test_projections_do_not_touch_each_others_files(store: Store) -> None:
    fill(store.open("graph", 1)[0], 1)
    fill(store.open("units", 1)[0], 2)
    store.renew("graph", 1)
    assert store.cursor().execute("SELECT value FROM units.facts").fetchall() == [(2,)]
    assert store.names() == ["graph", "units"]


def test_the_mark_is_the_highest_position_any_file_has_kept(store: Store, tmp_path: Path) -> None:
    for name, position in (("graph", 5), ("units", 9)):
        store.open(name, 1)[0].execute("INSERT INTO positions VALUES ('events', ?)", [position])
    store.close()
    (tmp_path / "derived" / "graph-1.duckdb").write_bytes(b"damaged")
    again = Store(tmp_path, LIMITS)
    assert again.marks == {"events": 9, "overlays": 0}
    again.close()


@pytest.mark.parametrize(
    "statement",
    [
        "SET memory_limit = '8GB'",
        "SET allowed_directories = ['/']",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "SET python_enable_replacements = true",
        "SET temp_directory = '/tmp'",
        "RESET threads",
        "ATTACH '{outside}/other.duckdb' AS other",
        "SELECT * FROM read_text('{outside}/secret')",
        "SELECT * FROM glob('{outside}/*')",
        "COPY (SELECT 1) TO '{outside}/copy.csv'",
        "INSTALL httpfs",
        "LOAD httpfs",
    ],
)
def test_the_instance_is_locked(
    store: Store, tmp_path_factory: pytest.TempPathFactory, statement: str
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret").write_text("s")
    with pytest.raises(duckdb.Error):
        store.cursor().execute(statement.replace("{outside}", str(outside)))
    assert [path.name for path in outside.iterdir()] == ["secret"]


def test_a_home_with_a_quote_in_its_name_works(tmp_path: Path) -> None:
    made = Store(tmp_path / "it's", LIMITS)
    fill(made.open("graph", 1)[0], 7)
    made.close()
    assert files(tmp_path / "it's") == ["graph-1.duckdb"]


def test_closing_ends_a_statement_that_still_runs_in_another_thread(tmp_path: Path) -> None:
    store = Store(tmp_path, LIMITS)
    cursor = store.cursor()
    inside = threading.Event()
    ended: list[duckdb.Error] = []

    def seen(number: int) -> int:
        inside.set()
        return number

    def endless() -> None:
        try:
            cursor.execute("SELECT count(seen(n)) FROM range(1000000000000) AS t(n)").fetchall()
        except duckdb.Error as fault:
            ended.append(fault)

    cursor.create_function("seen", seen, ["BIGINT"], "BIGINT")
    worker = threading.Thread(target=endless)
    worker.start()
    assert inside.wait(10)
    store.close()
    worker.join()
    assert [type(fault) for fault in ended] == [duckdb.InterruptException]


def test_what_is_freed_goes_back_to_the_system_by_itself(store: Store) -> None:
    found = store.cursor().execute("SELECT current_setting('allocator_background_threads')").fetchone()
    assert found == (True,)
