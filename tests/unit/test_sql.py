"""`navlog sql` reads, and nothing else; each hole that was found is a case here."""

import os
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from navlog.daemon.journal import Journal
from navlog.daemon.journal.shapes import Damage, Fence, JournalState
from navlog.daemon.sql import Sql, check_plan, jsonable
from navlog.projections.store import Store
from navlog.schemas import settings
from navlog.schemas.envelope import Header, Record, draft, seal
from navlog.schemas.errors import NavlogError, TimedOut, UnsafeQuery, UsageError
from navlog.schemas.events import FileRemoved

import msgspec  # isort: skip


class Log:
    """Two segments; the first has a void end, the second a line that is not durable yet."""

    fence = Fence(log="events", segment=2, bytes=0, position=4)
    state = JournalState(
        log="events", position=4, segments=2, bytes=0, mark=0, fsyncs=0, slow_fsyncs=0, last_fsync_s=0.0
    )

    def __init__(self, folder: Path) -> None:
        (folder / "events-00000001.jsonl").write_bytes(
            header(1, 1) + line(1) + line(2) + line(3, id_="void") + b'{"position":4,"id":"to' + b"\0" * 50
        )
        (folder / "events-00000002.jsonl").write_bytes(
            header(2, 3) + line(3) + line(4) + line(5, id_="early") + b'{"position":4'
        )


def header(segment: int, first: int) -> bytes:
    return seal(
        Header(segment=segment, log="events", format=1, first=first, at="t", previous_bytes=0, prev="0" * 16)
    )


def line(position: int, id_: str = "") -> bytes:
    return seal(
        Record(
            position=position,
            id=id_ or f"e{position}",
            at="2026-01-01T00:00:00Z",
            project="p",
            source="test",
            type="file_removed",
            version=1,
            tags=("a:b",) if position == 1 else (),
            data=msgspec.Raw(b'{"path":"x","list":[1,null]}'),
            prev="0" * 16,
        )
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path, settings.Store())
    db, _ = made.open("graph", 1)
    db.execute("CREATE TABLE files(path VARCHAR, size HUGEINT)")
    db.execute("INSERT INTO files VALUES ('a', 1), ('b', 2::HUGEINT ** 100)")
    yield made
    made.close()


@pytest.fixture
def log(tmp_path: Path, store: Store) -> Log:  # noqa: ARG001 - the store makes the folders
    return Log(tmp_path / "log")


def no_room(_spans: object) -> str:
    raise duckdb.OutOfMemoryException("as with many segments")


@pytest.fixture(params=["apart", "in a row"])
def joined(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A query for each segment, or one for all, which is taken where there is no room for the others."""
    if request.param == "in a row":
        monkeypatch.setattr("navlog.daemon.sql.apart", no_room)


@pytest.fixture
def sql(tmp_path: Path, store: Store, log: Log) -> Sql:
    return Sql(store, tmp_path / "log", log, settings.Store(sql_s=5.0, sql_rows=3))


@pytest.mark.usefixtures("joined")
def test_events_are_shown_up_to_the_durable_position_each_once(sql: Sql) -> None:
    assert (
        sql.ask("SELECT position, id FROM events ORDER BY position").rows
        == [[n, f"e{n}"] for n in range(1, 5)][:3]
    )
    assert sql.ask("SELECT count(*) FROM events").rows == [[4]]


@pytest.mark.usefixtures("joined")
def test_the_columns_of_events_are_the_stable_ones(sql: Sql) -> None:
    reply = sql.ask("SELECT * FROM events WHERE position = 1")
    assert dict(zip(reply.columns, reply.rows[0], strict=True)) == {
        "position": 1,
        "id": "e1",
        "recorded_at": "2026-01-01T00:00:00Z",
        "project": "p",
        "source": "test",
        "type": "file_removed",
        "version": 1,
        "tags": ["a:b"],
        "data": {"path": "x", "list": [1, None]},
        "occurred_at": None,
        "cause": None,
        "trace": None,
    }
    assert sql.ask("SELECT tags FROM events WHERE position = 2").rows == [[[]]]
    assert sql.ask("SELECT data->>'path' FROM events WHERE position = 2").rows == [["x"]]


@pytest.mark.usefixtures("joined")
def test_what_the_journal_knows_to_be_damaged_is_left_out(sql: Sql, log: Log) -> None:
    flipped = Damage(segment="s", offset=1, position=2, kind="damaged", why="flipped")
    log.state = msgspec.structs.replace(log.state, damage=(flipped,))
    assert sql.ask("SELECT position FROM events ORDER BY 1").rows == [[1], [3], [4]]


@pytest.mark.usefixtures("joined")
def test_the_journals_own_segments_are_read(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "log"
    journal = Journal.open(
        folder, "events", settings=settings.Log(segment_bytes=2000), redact=lambda draft: draft
    )
    sql = Sql(store, folder, journal, settings.Store())
    assert sql.ask("SELECT count(*) FROM events").rows == [[0]]
    for number in range(20):
        event = FileRemoved(path=f"{number} 名")
        journal.append([draft(event, project="p", source="test", id=f"e{number}")]).result()
    assert sql.ask("SELECT position, id, data->>'path' FROM events ORDER BY position").rows == [
        [number + 1, f"e{number}", f"{number} 名"] for number in range(20)
    ]
    assert journal.state.segments > 1
    journal.close()


@pytest.mark.usefixtures("joined")
def test_an_empty_log_has_no_events(sql: Sql, log: Log) -> None:
    log.fence = Fence(log="events", segment=0, bytes=0, position=0)
    assert sql.ask("SELECT * FROM events").rows == []


def test_rows_are_capped_and_it_says_so(sql: Sql) -> None:
    assert sql.ask("SELECT * FROM range(3)").truncated is False
    reply = sql.ask("SELECT * FROM range(100000000)")
    assert (reply.rows, reply.truncated) == ([[0], [1], [2]], True)


@pytest.mark.parametrize(
    "query",
    [
        "FROM files",
        "TABLE files;",
        "SELECT path FROM files ORDER BY 1 -- a comment",
        "WITH f AS (SELECT path FROM files) SELECT * FROM f UNION SELECT 'c' FROM range(1)",
        "SELECT * FROM graph.files, unnest([1, 2])",
        "SELECT * FROM files f, json_each('[1]') j",
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 3) FROM t",
        "DESCRIBE files",
        "SHOW TABLES",
        "SELECT 'COPY x TO y', 'read_text(1)'",
    ],
)
def test_what_only_reads_is_answered(sql: Sql, query: str) -> None:
    assert sql.ask(query).rows


UNSAFE = [
    "",
    "SELECT 1; SELECT 2",
    "SELECT 1; DROP TABLE files",
    "DELETE FROM files",
    "INSERT INTO files VALUES ('x', 1)",
    "UPDATE files SET path = 'x'",
    "DROP TABLE files",
    "CREATE TABLE t(a INT)",
    "CREATE TEMP TABLE t(a INT)",
    "COPY files TO '{log}/out.csv'",
    "COPY files FROM '{log}/events-00000001.jsonl'",
    "EXPORT DATABASE '{log}/out'",
    "ATTACH '{log}/x.duckdb' AS x",
    "DETACH graph",
    "USE memory",
    "SET memory_limit = '9GB'",
    "RESET memory_limit",
    "PRAGMA database_list",
    "CALL pragma_version()",
    "CHECKPOINT",
    "VACUUM",
    "BEGIN",
    "INSTALL httpfs",
    "LOAD httpfs",
    "PREPARE x AS SELECT 1",
    "EXPLAIN ANALYZE SELECT 1",
    "WITH x AS (COPY (SELECT 1) TO '{log}/events-00000001.jsonl') SELECT * FROM x",
    "SELECT * FROM (WITH x AS (COPY (SELECT 1) TO '{log}/out.csv') SELECT * FROM x)",
    "SELECT (WITH x AS (COPY (SELECT 1) TO '{log}/out.csv') SELECT count(*) FROM x)",
    "WITH x AS (DELETE FROM files RETURNING path) SELECT * FROM x",
    "WITH x AS (INSERT INTO files VALUES ('x', 1) RETURNING path) SELECT * FROM x",
    "WITH x AS (UPDATE files SET path = 'x' RETURNING path) SELECT * FROM x",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM READ_TEXT('{log}/events-00000001.jsonl')",
    "SELECT * FROM system.main.read_text('{log}/events-00000001.jsonl')",
    "SELECT * FROM read_blob('{log}/*')",
    "SELECT * FROM read_csv('{log}/events-00000001.jsonl')",
    "SELECT * FROM read_json('{log}/events-00000001.jsonl')",
    "SELECT * FROM read_json_objects('{log}/*')",
    "SELECT * FROM read_parquet('{log}/x')",
    "SELECT * FROM read_duckdb('{derived}/graph-1.duckdb')",
    "SELECT * FROM sniff_csv('{log}/events-00000001.jsonl')",
    "SELECT * FROM parquet_metadata('{log}/x')",
    "SELECT * FROM glob('{log}/*')",
    "SELECT * FROM '{log}/events-00000001.jsonl'",
    'SELECT * FROM "{log}/events-00000001.jsonl"',
    'SELECT (SELECT count(*) FROM "{log}/events-00000001.jsonl")',
    "SELECT * FROM query('SELECT * FROM read_text(''{log}/x'')')",
    "SELECT * FROM query_table('{log}/events-00000001.jsonl')",
    "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
    "SELECT * FROM checkpoint('graph')",
    "SELECT * FROM force_checkpoint('graph')",
    "SELECT * FROM truncate_duckdb_logs()",
    "SELECT * FROM enable_logging()",
    "SELECT * FROM duckdb_secrets()",
    "SELECT write_log('x')",
]


@pytest.mark.parametrize("query", UNSAFE)
def test_what_does_more_than_read_is_refused_and_changes_nothing(
    sql: Sql, tmp_path: Path, query: str
) -> None:
    before = contents(tmp_path)
    with pytest.raises(UnsafeQuery):
        sql.ask(query.replace("{log}", str(tmp_path / "log")).replace("{derived}", str(tmp_path / "derived")))
    assert contents(tmp_path) == before
    assert sql.ask("SELECT count(*) FROM files").rows == [[2]]


def contents(home: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (home / "log").iterdir()}


@pytest.mark.parametrize(
    "name", ["COPY_TO_FILE", "BATCH_COPY_TO_FILE", "INSERT", "CREATE_TABLE_AS", "DELETE"]
)
def test_the_plan_is_asked_too(name: str) -> None:
    with pytest.raises(UnsafeQuery):
        check_plan([{"name": "PROJECTION", "children": [{"name": name, "children": []}]}])
    check_plan([{"name": "COLUMN_DATA_SCAN", "children": [{"name": "SEQ_SCAN", "children": []}]}])


@pytest.mark.parametrize(
    "query",
    [
        "SELECT getenv('HOME')",
        "SELEC 1",
        "SELECT * FROM absent",
        "SELECT sql_of_python",
        "SELECT * FROM store",
    ],
)
def test_a_mistake_is_told_and_not_a_fault_of_ours(sql: Sql, query: str) -> None:
    os.environ.setdefault("HOME", "/")
    with pytest.raises(UsageError) as caught:
        sql.ask(query)
    assert caught.value.hint


def test_a_mistake_is_shown_in_the_words_of_the_query(sql: Sql) -> None:
    with pytest.raises(UsageError) as told:
        sql.ask("SELECT nothing FROM events")
    words, arrow = told.value.message.splitlines()[-2:]
    assert words.endswith(": SELECT nothing FROM events")
    assert words[arrow.index("^") :].startswith("nothing")


def test_a_query_that_takes_too_long_is_ended(tmp_path: Path, store: Store, log: Log) -> None:
    sql = Sql(store, tmp_path / "log", log, settings.Store(sql_s=0.05))
    with pytest.raises(TimedOut):
        sql.ask("SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE (a.range * b.range) % 7 = 3")
    assert sql.ask("SELECT 1").rows == [[1]]


def test_a_log_whose_header_is_damaged_is_named(sql: Sql, tmp_path: Path) -> None:
    path = tmp_path / "log" / "events-00000001.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"format":1', b'"format":2', 1))
    with pytest.raises(NavlogError, match="cannot be shown"):
        sql.ask("SELECT 1")


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (2**100, str(2**100)),
        (float("nan"), None),
        (float("-inf"), None),
        (Decimal("1.50"), "1.50"),
        (date(2026, 1, 2), "2026-01-02"),
        (b"\x00\xff", "00ff"),
        ({1: [b"a", (True, None)]}, {"1": ["61", [True, None]]}),
    ],
)
def test_values_without_a_json_form_stand_as_text(value: object, plain: object) -> None:
    assert jsonable(value) == plain
    msgspec.json.encode(plain)
