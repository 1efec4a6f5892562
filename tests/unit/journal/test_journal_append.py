"""Append, acknowledge, read, wait: the journal as the other rooms use it."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from navlog.daemon.journal import Condition, Item, Journal, RealStorage, Receipt
from navlog.daemon.journal.journal import UNHURRIED
from navlog.schemas.envelope import GENESIS, Draft, draft
from navlog.schemas.errors import AlreadyRunning, ConditionFailed, Degraded, IdReused, UsageError
from navlog.schemas.events import FileRemoved
from navlog.schemas.settings import Log
from support.journal import gone, open_journal


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    journal = open_journal(tmp_path / "log")
    yield journal
    journal.close()


def test_positions_count_from_one(journal: Journal) -> None:
    assert journal.position == 0
    assert journal.append([gone("a")]).result() == Receipt(first=1, last=1)
    assert journal.append([gone("b"), gone("c")]).result() == Receipt(first=2, last=3)
    assert journal.position == 3


def test_what_was_appended_is_read_back_verbatim(journal: Journal) -> None:
    sent = gone("ä b.py", tags=("path:x",), trace="t-1", cause="id-0", occurred_at="2026-01-01T00:00:00Z")
    journal.append([sent]).result()
    (record,) = journal.read()
    assert bytes(record.data) == sent.data
    for field in ("id", "project", "source", "type", "version", "tags", "occurred_at", "cause", "trace"):
        assert getattr(record, field) == getattr(sent, field)


def test_a_batch_is_numbered_after_repeats_are_taken_out(journal: Journal) -> None:
    journal.append([gone("b")]).result()
    receipt = journal.append([gone("a"), gone("b"), gone("c"), gone("a")]).result()
    assert receipt == Receipt(first=2, last=3, repeated=("id-b",))
    assert [(r.id, r.batch) for r in journal.read(1)] == [("id-a", (1, 2)), ("id-c", (2, 2))]


def test_a_retry_gets_the_receipt_that_got_lost(journal: Journal) -> None:
    first = journal.append([gone("a"), gone("b")]).result()
    again = journal.append([gone("a"), gone("b")]).result()
    assert (again.first, again.last) == (first.first, first.last)
    assert again.repeated == ("id-a", "id-b")
    assert journal.position == 2


def test_an_id_is_known_across_restarts_and_segments(tmp_path: Path) -> None:
    for _ in range(3):
        journal = open_journal(tmp_path, Log(segment_bytes=4096))
        for n in range(40):
            journal.append([gone(f"{n}")]).result()
        journal.close()
    journal = open_journal(tmp_path, Log(segment_bytes=4096))
    assert journal.position == 40
    assert journal.state.segments > 2
    assert [record.position for record in journal.read()] == list(range(1, 41))
    journal.close()


def test_the_same_id_with_another_payload_is_reported(journal: Journal) -> None:
    journal.append([gone("a")]).result()
    other = draft(FileRemoved(path="b"), project="p", source="test", id="id-a")
    with pytest.raises(IdReused) as caught:
        journal.append([gone("new"), other]).result()
    assert caught.value.position == 1
    assert journal.position == 1


def test_reading_starts_after_a_position_and_stops_at_a_limit(tmp_path: Path) -> None:
    journal = open_journal(tmp_path, Log(segment_bytes=4096))
    for n in range(30):
        journal.append([gone(f"{n}")]).result()
    assert [r.position for r in journal.read(after=27)] == [28, 29, 30]
    assert [r.position for r in journal.read(after=10, limit=2)] == [11, 12]
    assert list(journal.read(after=30)) == []
    journal.close()


def test_a_condition_lets_only_one_of_two_through(journal: Journal) -> None:
    lease = Condition(items=(Item(types=("file_removed",), tags=("lease:1",)),))
    journal.append([gone("a", tags=("lease:1",))], lease).result()
    with pytest.raises(ConditionFailed) as caught:
        journal.append([gone("b", tags=("lease:1",))], lease).result()
    assert caught.value.position == 1
    later = Condition(items=lease.items, after=1)
    assert journal.append([gone("b", tags=("lease:1",))], later).result().last == 2


def test_a_retried_conditional_append_is_not_refused_by_its_own_event(journal: Journal) -> None:
    lease = Condition(items=(Item(tags=("lease:1",)),))
    journal.append([gone("a", tags=("lease:1",))], lease).result()
    assert journal.append([gone("a", tags=("lease:1",))], lease).result().repeated == ("id-a",)


def test_select_finds_by_type_and_by_all_tags(tmp_path: Path) -> None:
    journal = open_journal(tmp_path, Log(segment_bytes=4096))
    for n in range(30):
        journal.append([gone(f"{n}", tags=(f"even:{n % 2 == 0}", f"third:{n % 3 == 0}"))]).result()
    both = Item(tags=("even:True", "third:True"))
    assert [r.position for r in journal.select([both])] == [1, 7, 13, 19, 25]
    assert [r.position for r in journal.select([both], after=13)] == [19, 25]
    assert list(journal.select([Item(types=("nothing",))])) == []
    assert len(list(journal.select([Item(types=("file_removed",)), both]))) == 30
    journal.close()


def test_wait_ends_when_something_is_durable(journal: Journal) -> None:
    seen = []
    waiter = threading.Thread(target=lambda: seen.append(journal.wait(0, 5)))
    waiter.start()
    journal.append([gone("a")]).result()
    waiter.join()
    assert seen == [1]
    assert journal.wait(1, 0) == 1


def test_many_writers_get_one_position_each(journal: Journal) -> None:
    def write(writer: int) -> None:
        for n in range(20):
            journal.append([gone(f"{writer}-{n}")]).result()

    writers = [threading.Thread(target=write, args=(w,)) for w in range(8)]
    for thread in writers:
        thread.start()
    for thread in writers:
        thread.join()
    assert [r.position for r in journal.read()] == list(range(1, 161))
    assert len({r.id for r in journal.read()}) == 160


def test_the_draft_is_redacted_before_anything_else_sees_it(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path, "events", settings=Log(), redact=lambda _: gone("hidden"))
    journal.append([gone("secret")]).result()
    journal.close()
    assert b"secret" not in (tmp_path / "events-00000001.jsonl").read_bytes()


@pytest.mark.parametrize(
    "data",
    [b"", b"nope", b'{"a":1', b'{"a":\n1}', b'"\xff"', b'1,"position":9', b"[" * 65 + b"]" * 65, b"{} {}"],
)
def test_what_is_not_one_line_of_json_is_refused(journal: Journal, data: bytes) -> None:
    with pytest.raises(UsageError):
        journal.append([Draft(id="x", project="p", source="s", type="t", data=data)])
    assert journal.position == 0


def test_text_that_is_not_unicode_is_refused(journal: Journal) -> None:
    with pytest.raises(UsageError):
        journal.append([Draft(id="\ud800", project="p", source="s", type="t", data=b"{}")])
    with pytest.raises(UsageError):
        gone("\udcff")


def test_an_overlong_line_is_refused_and_its_batch_with_it(tmp_path: Path) -> None:
    journal = open_journal(tmp_path, Log(line_bytes=1000))
    with pytest.raises(UsageError):
        journal.append([gone("a"), gone("x" * 1000)]).result()
    assert journal.position == 0
    assert journal.append([gone("a")]).result().last == 1
    journal.close()


def test_a_critical_event_nobody_knows_is_refused(journal: Journal) -> None:
    with pytest.raises(UsageError):
        journal.append([Draft(id="x", project="p", source="s", type="t", data=b"{}", critical=True)])


def test_a_second_holder_of_the_folder_is_refused(tmp_path: Path) -> None:
    journal = open_journal(tmp_path)
    with pytest.raises(AlreadyRunning):
        open_journal(tmp_path)
    journal.close()
    open_journal(tmp_path).close()


def test_both_logs_share_one_lock(tmp_path: Path) -> None:
    lock = RealStorage().lock(tmp_path)
    events = open_journal(tmp_path, lock=lock)
    overlays = Journal.open(tmp_path, "overlays", settings=Log(), redact=lambda draft: draft, lock=lock)
    events.append([gone("a")]).result()
    overlays.append([gone("b")]).result()
    events.close()
    overlays.close()
    assert [r.id for r in events.read()] == ["id-a"]
    assert [r.id for r in overlays.read()] == ["id-b"]
    lock.close()


def test_a_closed_journal_takes_nothing_and_wakes_its_readers(tmp_path: Path) -> None:
    journal = open_journal(tmp_path)
    journal.close()
    journal.close()
    assert journal.wait(0) == 0
    with pytest.raises(Degraded):
        journal.append([gone("a")])


def test_the_chain_begins_at_the_genesis_and_runs_through_the_headers(tmp_path: Path) -> None:
    journal = open_journal(tmp_path, Log(segment_bytes=4096))
    for n in range(30):
        journal.append([gone(f"{n}")]).result()
    journal.close()
    prev = GENESIS
    for path in sorted(tmp_path.glob("events-*.jsonl")):
        for line in path.read_text().splitlines():
            assert f'"prev":"{prev}"' in line
            prev = line[-18:-2]


def test_what_nobody_waits_for_is_fsynced_together(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("navlog.daemon.journal.journal.UNHURRIED_S", 600.0)
    made = [journal.append([gone(number)], unhurried=True) for number in range(UNHURRIED)]
    assert [one.result().last for one in made] == list(range(1, UNHURRIED + 1))
    assert journal.state.fsyncs == 1


def test_who_waits_takes_those_along_that_have_time(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("navlog.daemon.journal.journal.UNHURRIED_S", 600.0)
    patient = journal.append([gone("a")], unhurried=True)
    assert journal.append([gone("b")]).result().last == 2
    assert patient.result().last == 1
    assert journal.state.fsyncs == 1


def test_a_clean_stop_waits_for_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("navlog.daemon.journal.journal.UNHURRIED_S", 600.0)
    journal = open_journal(tmp_path)
    patient = journal.append([gone("a")], unhurried=True)
    journal.close()
    assert patient.result().last == 1
