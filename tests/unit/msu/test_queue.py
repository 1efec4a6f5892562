"""The queue: heat and age at the moment of reading, and a position for each reader."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from navlog.projections.embedding.hashing import HashingEmbedder
from navlog.projections.msu.queue import KEPT, Queue, edits_today, heat
from navlog.projections.msu.state import Entry
from navlog.schemas.slices import MsuFormed

NOON = 1_780_000_000.0
EMBEDDER = HashingEmbedder()


def entry(position: int, path: str, age_s: float = 0.0, text: str = "") -> Entry:
    msu = MsuFormed(msu=f"msu:{position}", path=path, content="c", before="", basis="none", slicer="t")
    return Entry(position, NOON - age_s, msu, EMBEDDER.embed([text or path])[0])


def queue(*entries: Entry) -> Queue:
    made = Queue()
    made.put("p", entries)
    return made


def test_recent_is_the_last_minutes_newest_first_one_for_each_path() -> None:
    made = queue(entry(1, "old.py", 600), entry(2, "a.py", 90), entry(3, "b.py", 60), entry(4, "a.py", 5))
    assert [one.position for one in made.recent("p", NOON)] == [4, 3]


def test_the_hottest_first_by_age_and_by_edits_today() -> None:
    made = queue(entry(1, "often.py", 3600), entry(2, "often.py", 1800), entry(3, "once.py", 1200))
    found = made.hot("p", NOON, UTC)
    assert [one.entry.position for one in found] == [2, 1, 3]
    assert found[0].score == 1 / 31 + 0.3 * 2


def test_a_day_later_nothing_is_in_the_queue() -> None:
    made = queue(entry(1, "a.py"))
    assert made.hot("p", NOON + 86_401, UTC) == []
    assert made.after("p", 0, NOON + 86_401) == []


def test_each_reader_goes_on_from_its_own_position() -> None:
    made = queue(*(entry(number, f"{number}.py", 100 - number) for number in range(1, 6)))
    first = made.after("p", 0, NOON, limit=2)
    assert [one.position for one in first] == [1, 2]
    assert [one.position for one in made.after("p", first[-1].position, NOON)] == [3, 4, 5]
    assert [one.position for one in made.after("p", 4, NOON)] == [5]


def test_the_nearest_to_words_is_found_by_its_words() -> None:
    made = queue(
        entry(1, "cookie.py", text="def parse_cookie(header): split the cookie header"),
        entry(2, "router.py", text="class Router: match the url path"),
    )
    near = made.near("p", EMBEDDER.embed(["how is the cookie header parsed"])[0], NOON)
    assert near[0].entry.position == 1
    assert near[0].score > 0.2
    assert all(one.entry.position != 2 or one.score < 0.1 for one in near)


def test_words_that_nothing_shares_find_nothing() -> None:
    assert queue(entry(1, "a.py", text="alpha")).near("p", np.zeros(384, np.float32), NOON) == []
    assert Queue().near("p", EMBEDDER.embed(["x"])[0], NOON) == []


def test_a_record_that_is_put_again_stands_once() -> None:
    made = queue(entry(1, "a.py"))
    made.put("p", [entry(1, "a.py"), entry(2, "b.py")])
    assert [one.position for one in made.since("p", 0)] == [1, 2]
    assert made.version("p") == 2


def test_only_the_newest_are_kept() -> None:
    made = queue(*(entry(number, "a.py") for number in range(1, KEPT + 11)))
    assert len(made.since("p", 0)) == KEPT
    assert made.since("p", 0)[0].position == 11


def test_projects_do_not_see_each_other() -> None:
    made = queue(entry(1, "a.py"))
    made.put("q", [entry(2, "b.py")])
    made.drop("p")
    assert made.since("p", 0) == []
    assert made.version("p") == 0
    assert [one.position for one in made.since("q", 0)] == [2]


@pytest.mark.parametrize("zone", ["UTC", "Asia/Shanghai", "America/New_York", "Australia/Lord_Howe"])
@given(hours=st.floats(0, 24), day=st.integers(0, 366))
def test_today_is_the_day_of_the_zone_also_when_its_clocks_are_changed(
    zone: str, hours: float, day: int
) -> None:
    place, now = ZoneInfo(zone), NOON + day * 86_400
    one = replace(entry(1, "a.py"), at=now - hours * 3600)
    same = datetime.fromtimestamp(one.at, place).date() == datetime.fromtimestamp(now, place).date()
    assert edits_today([one], now, place) == ({"a.py": 1} if same else {})


def test_the_heat_of_some_is_what_all_of_them_have() -> None:
    made = queue(entry(1, "often.py", 3600), entry(2, "often.py", 1800), entry(3, "once.py", 1200))
    every = {one.entry.msu.msu: one.score for one in made.hot("p", NOON, UTC)}
    asked = heat(made.since("p", 0), {"msu:1", "msu:3", "msu:9"}, NOON, UTC)
    assert asked == [every["msu:1"], every["msu:3"]]
