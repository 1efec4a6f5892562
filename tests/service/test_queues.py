"""The contract of a queue of records, kept by each: DuckDB's table read anew, and a real Redis server."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import msgspec
import numpy as np
import pytest

from navlog.daemon.sharing.redis_queue import RedisQueue, connect
from navlog.projections.embedding.hashing import HashingEmbedder
from navlog.projections.msu import MsuProjection
from navlog.projections.msu.queue import KEPT, MsuQueue
from navlog.projections.msu.state import Entry
from navlog.projections.projector import Projector
from navlog.projections.store import Store
from navlog.schemas.events import ProjectRemoved
from navlog.schemas.sessions import TextKept
from navlog.schemas.slices import Member, MsuFormed
from support.graph import LIMITS, ListLog
from support.redis import Server, needs_redis, serving

NOW = float(int(time.time()))
NO_VECTOR = np.zeros(0, np.float32)
EMBEDDER = HashingEmbedder()


class Record(msgspec.Struct, frozen=True):
    """A record to be, ``age_s`` old."""

    name: str
    path: str
    age_s: float = 0.0
    text: str = "nothing of note"

    @property
    def msu(self) -> MsuFormed:
        core = [Member(self.path, 1, 1, "", "changed", "", 3, f"text of {self.name}")]
        return MsuFormed(
            msu=self.name, path=self.path, content="c", before="", basis="none", slicer="t", core=core
        )


class Kept(Protocol):
    """A queue, and how a record gets into it. ``again_s`` is 0: what is not confirmed comes again at once."""

    queue: MsuQueue

    def put(self, project: str, *records: Record) -> None: ...


class InDuckDb:
    """As a daemon has it: the log is folded, and the queue read from the tables of a store opened anew."""

    def __init__(self, folder: Path, again_s: float) -> None:
        self._folder = folder
        self._log = ListLog()
        self._store = Store(folder, LIMITS)
        self.queue = MsuProjection().queue
        self.queue._places._again_s = again_s

    def put(self, project: str, *records: Record) -> None:
        for one in records:
            self._log.add(TextKept(hash=f"text of {one.name}", text=one.text), one.msu, project=project)
            at = datetime.fromtimestamp(NOW - one.age_s, UTC).isoformat()
            self._log.records[-1] = msgspec.structs.replace(self._log.records[-1], at=at)
        self._fold()

    def drop(self, project: str) -> None:
        self._log.add(ProjectRemoved(), project=project)
        self._fold()

    def _fold(self) -> None:
        Projector(MsuProjection(), self._store, {"events": self._log}).catch_up(self._log.position)
        self._store.close()
        self._store = Store(self._folder, LIMITS)
        again = MsuProjection()
        Projector(again, self._store, {"events": self._log})
        self.queue.replace(again.queue)

    def close(self) -> None:
        self._store.close()


class InRedis:
    def __init__(self, server: Server, again_s: float, machine: str = "one") -> None:
        self._texts: dict[str, str] = {}
        self.queue = RedisQueue(
            connect(server.url, None), lambda project: f"name-of-{project}", machine,
            lambda hashes: {name: self._texts[name] for name in hashes}, lambda text: text, again_s,
        )  # fmt: skip

    def put(self, project: str, *records: Record) -> None:
        self._texts.update((f"text of {one.name}", one.text) for one in records)
        entries = [Entry(at, NOW - one.age_s, one.msu, NO_VECTOR) for at, one in enumerate(records, 1)]
        self.queue.put(project, entries)

    def drop(self, project: str) -> None:
        self.queue.drop(project)

    def close(self) -> None:
        self.queue.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("redis")) as one:
        yield one


Make = Callable[[float], InDuckDb | InRedis]


@pytest.fixture(params=["duckdb", pytest.param("redis", marks=needs_redis)])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Make]:
    """A queue with nothing in it; ``again_s`` as asked for."""
    made: list[InDuckDb | InRedis] = []

    def new(again_s: float) -> InDuckDb | InRedis:
        if request.param == "duckdb":
            made.append(InDuckDb(tmp_path, again_s))
        else:
            server: Server = request.getfixturevalue("server")
            server.client.flushall()
            made.append(InRedis(server, again_s))
        return made[-1]

    yield new
    for one in made:
        one.close()


@pytest.fixture
def kept(make: Make) -> InDuckDb | InRedis:
    return make(60.0)


A, B, C = Record("a", "a.py", 90), Record("b", "b.py", 60), Record("c", "c.py", 30)


def names(entries: list[Entry]) -> list[str]:
    return [one.msu.msu for one in entries]


def test_records_come_in_the_order_in_which_they_were_put(kept: InDuckDb | InRedis) -> None:
    assert kept.queue.since("p", 0) == []
    assert kept.queue.version("p") == 0
    kept.put("p", A, B)
    kept.put("p", C)
    assert names(kept.queue.since("p", 0)) == ["a", "b", "c"]
    assert names(kept.queue.since("p", NOW - 60)) == ["b", "c"]
    positions = [one.position for one in kept.queue.since("p", 0)]
    assert positions == sorted(set(positions))
    assert kept.queue.version("p") == positions[-1]


def test_a_record_comes_whole_with_its_time(kept: InDuckDb | InRedis) -> None:
    kept.put("p", A)
    (one,) = kept.queue.since("p", 0)
    assert (one.msu, one.at, one.machine) == (A.msu, NOW - 90, "")


def test_a_record_that_is_put_again_stands_once(make: Make) -> None:
    kept = make(60.0)
    kept.put("p", A)
    if isinstance(kept, InRedis):  # a log has no record twice
        kept.put("p", A, B)
    else:
        kept.put("p", B)
    assert names(kept.queue.since("p", 0)) == ["a", "b"]


def test_each_reader_goes_on_from_its_own_position(kept: InDuckDb | InRedis) -> None:
    kept.put("p", A, B, C)
    first = kept.queue.after("p", 0, NOW, limit=2)
    assert names(first) == ["a", "b"]
    assert names(kept.queue.after("p", first[-1].position, NOW)) == ["c"]
    assert kept.queue.after("p", kept.queue.version("p"), NOW) == []


def test_a_day_later_nothing_is_told(kept: InDuckDb | InRedis) -> None:
    kept.put("p", Record("old", "old.py", 86_401), A)
    assert names(kept.queue.after("p", 0, NOW)) == ["a"]
    assert [one.entry.msu.msu for one in kept.queue.hot("p", NOW, UTC)] == ["a"]
    assert names(kept.queue.take("p", "codex", NOW)) == ["a"]
    assert kept.queue.hot("p", NOW + 86_401, UTC) == []


def test_recent_and_hot(kept: InDuckDb | InRedis) -> None:
    kept.put("p", Record("1", "a.py", 600), Record("2", "a.py", 90), B, Record("4", "a.py", 5))
    assert names(kept.queue.recent("p", NOW)) == ["4", "b"]
    hot = kept.queue.hot("p", NOW, UTC)
    assert hot[0].entry.msu.msu == "4"
    assert hot[0].score == pytest.approx(60 / 65 + 0.9, abs=1e-6) or NOW % 86_400 < 600  # edits of today


def test_the_nearest_to_words(kept: InDuckDb | InRedis) -> None:
    cookie = Record("cookie", "a.py", 9, "def parse_cookie(header): split the cookie header")
    kept.put("p", cookie, Record("route", "b.py", 9, "class Router: match the url path"))
    near = kept.queue.near("p", EMBEDDER.embed(["how is the cookie header parsed"])[0], NOW)
    assert near[0].entry.msu.msu == "cookie"


def test_projects_do_not_see_each_other(kept: InDuckDb | InRedis) -> None:
    kept.put("p", A)
    kept.put("q", B)
    assert names(kept.queue.since("p", 0)) == ["a"]
    kept.drop("p")
    assert kept.queue.since("p", 0) == []
    assert kept.queue.version("p") == 0
    assert names(kept.queue.since("q", 0)) == ["b"]


def test_only_the_newest_are_kept(kept: InDuckDb | InRedis) -> None:
    kept.put("p", *(Record(f"{number}", "a.py") for number in range(KEPT + 10)))
    assert names(kept.queue.since("p", 0)) == [f"{number}" for number in range(10, KEPT + 10)]


def test_each_named_reader_is_given_every_record_once(kept: InDuckDb | InRedis) -> None:
    kept.put("p", A, B)
    assert names(kept.queue.take("p", "codex", NOW, limit=1)) == ["a"]
    assert names(kept.queue.take("p", "pi", NOW)) == ["a", "b"]
    assert names(kept.queue.take("p", "codex", NOW)) == ["b"]
    assert kept.queue.take("p", "codex", NOW) == []
    kept.put("p", C)
    assert names(kept.queue.take("p", "codex", NOW)) == ["c"]
    assert names(kept.queue.take("q", "codex", NOW)) == []


def test_what_is_not_confirmed_comes_again_before_what_is_new(make: Make) -> None:
    kept = make(0.0)
    kept.put("p", A, B)
    given = kept.queue.take("p", "codex", NOW)
    kept.queue.confirm("p", "codex", [given[0].position])
    kept.put("p", C)
    assert names(kept.queue.take("p", "codex", NOW)) == ["b", "c"]
    kept.queue.confirm("p", "codex", [one.position for one in kept.queue.take("p", "codex", NOW)])
    assert kept.queue.take("p", "codex", NOW) == []


def test_confirming_what_nobody_gave_is_nothing(kept: InDuckDb | InRedis) -> None:
    kept.put("p", A)
    kept.queue.confirm("p", "nobody", [1, 2])
    assert names(kept.queue.take("p", "nobody", NOW)) == ["a"]
