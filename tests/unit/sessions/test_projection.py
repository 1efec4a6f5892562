"""The projection as a projector uses it: tables and views equal, whatever the batches were."""

from collections.abc import Iterator
from itertools import pairwise

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navlog.projections.sessions.projection import SessionsProjection
from navlog.projections.sessions.telling import told as said
from navlog.projections.store import Connection
from navlog.schemas.envelope import Record
from navlog.schemas.events import CommitFile, CommitRecorded
from navlog.schemas.sessions import InjectionGiven, TaskJoined, TaskNoted
from support.sessions import Told, closed, ended, opened, prompt, rest, started, tool

COMMIT = CommitRecorded(
    commit="c", parents=["0"], committed_at="2026-01-01T01:00:00Z", author="a", subject="Fix", file_count=1,
    files=[CommitFile("a.py", "M")],
)  # fmt: skip
LOG = Told().tell(
    started(), opened(), prompt("Fix the login"), tool("read", "a.py", "b.py"), tool("modified", "a.py"),
    tool("tested", failed=True, said="pytest", head="1 failed"), rest(), closed(), ended(),
    TaskNoted(task="t", text="keep", who="me"), COMMIT, started(how="resume"),
    TaskJoined(task="t", session="s"),
    prompt("Again"), tool("modified", "c.py"), opened("t2", "Another", "s2"), prompt("Another", "s2"),
    InjectionGiven(injection="i", session="s", host="h", moment="prompt", position=3, tokens=7),
)  # fmt: skip


@pytest.fixture
def db() -> Iterator[Connection]:
    connection = duckdb.connect(":memory:")
    yield connection
    connection.close()


def built(db: Connection, records: list[Record], cuts: list[int], name: str) -> SessionsProjection:
    db.execute(f"ATTACH ':memory:' AS {name}")
    db.execute(f"USE {name}")
    projection = SessionsProjection()
    projection.create(db)
    projection.load(db)
    edges = [0, *sorted(cuts), len(records)]
    for low, high in pairwise(edges):
        changes = projection.fold(records[low:high])
        projection.apply(db, changes)
        projection.publish(changes)
    return projection


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, len(LOG.records)), max_size=6))
def test_any_split_into_batches_ends_in_the_same_rows_and_views(cuts: list[int]) -> None:
    with duckdb.connect(":memory:") as db:
        whole = built(db, LOG.records, [], "whole")
        rows = list(whole.export(db))
        parts = built(db, LOG.records, cuts, "parts")
        assert list(parts.export(db)) == rows
        assert list(map(said, parts.past.tasks("p"))) == list(map(said, whole.past.tasks("p")))


def test_what_is_loaded_is_what_was_kept(db: Connection) -> None:
    kept = built(db, LOG.records[:9], [], "one")
    loaded = SessionsProjection()
    loaded.load(db)
    assert list(map(said, loaded.past.tasks("p"))) == list(map(said, kept.past.tasks("p")))
    for projection in (kept, loaded):
        changes = projection.fold(LOG.records[9:])
        projection.publish(changes)
    assert list(map(said, loaded.past.tasks("p"))) == list(map(said, kept.past.tasks("p")))
    assert loaded.past.sessions() == kept.past.sessions()


def test_a_replay_hands_the_views_over(db: Connection) -> None:
    old = built(db, LOG.records[:3], [], "old")
    past = old.past
    fresh = built(db, LOG.records, [], "new")
    fresh.succeed(old)
    assert fresh.past is past
    assert len(past.tasks("p")) == 2


def test_what_readers_were_given_does_not_change_under_them(db: Connection) -> None:
    projection = built(db, LOG.records[:4], [], "one")
    task = projection.past.task("p", "t")
    assert task
    before = said(task)
    projection.publish(projection.fold(LOG.records[4:]))
    assert said(task) == before
