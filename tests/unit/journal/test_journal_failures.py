"""Failed writes, failed fsyncs, full disks, kills and power cuts, one at a time and by name."""

import errno
from collections.abc import Callable
from concurrent.futures import Future
from typing import cast

import msgspec
import pytest

from navlog.daemon.journal import Condition, Item, Receipt
from navlog.daemon.journal.group import Request
from navlog.daemon.journal.memory import ALL, MemoryStorage, PowerCut, Trouble
from navlog.daemon.journal.table import Table
from navlog.daemon.journal.verify import verify
from navlog.schemas.envelope import Header, unseal_as
from navlog.schemas.errors import ConditionFailed, Degraded, Internal, LogDamaged, NavlogError, WriterPoisoned
from navlog.schemas.settings import Log
from support.journal import DEFAULT, FOLDER, Process, files_of, gone, open_journal

FIRST, SECOND = "events-00000001.jsonl", "events-00000002.jsonl"


def none(_most: int) -> int:
    return 0


@pytest.fixture
def storage() -> MemoryStorage:
    return MemoryStorage()


@pytest.fixture
def process(storage: MemoryStorage) -> Process:
    """One record is durable, and the segment is open."""
    process = Process(storage, DEFAULT)
    process.commit([gone("first")])
    return process


def outcome(request: Request) -> Receipt | BaseException:
    assert request.future.done()
    return request.future.exception() or request.future.result()


def header_of(storage: MemoryStorage, name: str) -> Header:
    return unseal_as(Header, storage.read(FOLDER / name).splitlines(keepends=True)[0])


# --- acknowledged means durable -----------------------------------------------------------------------------


def test_what_is_acknowledged_survives_a_power_cut(storage: MemoryStorage, process: Process) -> None:
    process.commit([gone("second")])
    storage.cut_power(none)
    assert Process(storage, DEFAULT).ids == ["id-first", "id-second"]


def test_the_first_acknowledgement_comes_after_every_fsync(storage: MemoryStorage) -> None:
    process = Process(storage, DEFAULT)
    storage.calls.clear()
    process.commit([gone("first")])
    anchor = ["create", "append", "fsync", "rename", "fsync_dir"]
    segment = ["create", "append", "fsync", "fsync_dir"]
    assert storage.calls == [*anchor, *segment, "append", "fsync"]


def test_a_group_costs_one_write_and_one_fsync(storage: MemoryStorage, process: Process) -> None:
    storage.calls.clear()
    process.commit(*[[gone(n)] for n in range(64)])
    assert storage.calls == ["append", "fsync"]


def test_lines_in_a_killed_writer_s_cache_are_durable_before_they_are_read(
    storage: MemoryStorage, process: Process
) -> None:
    storage.trouble(Trouble(call="fsync"))
    with pytest.raises(PowerCut):
        process.commit([gone("cached")])
    storage.kill()
    again = Process(storage, DEFAULT)
    assert again.ids == ["id-first", "id-cached"]
    storage.cut_power(none)
    assert Process(storage, DEFAULT).ids == ["id-first", "id-cached"]


def test_a_new_segment_s_name_is_durable_before_it_is_read(storage: MemoryStorage) -> None:
    process = Process(storage, DEFAULT)
    storage.trouble(Trouble(call="fsync_dir", calls=1))  # the anchor's was the first
    with pytest.raises(PowerCut):
        process.commit([gone("first")])
    storage.kill()
    assert Process(storage, DEFAULT).ids == []
    storage.cut_power(none)
    assert FIRST in storage.listdir(FOLDER)


def test_what_is_not_fsynced_is_not_readable(storage: MemoryStorage, process: Process) -> None:
    storage.trouble(Trouble(call="fsync", code=errno.EIO))
    process.commit([gone("lost")])
    assert process.ids == ["id-first"]
    assert process.catalog.find("id-lost") is None


def test_a_reader_between_fsync_and_publication_sees_nothing_and_no_damage(process: Process) -> None:
    process.commit([gone("second")])
    segment = process.catalog.segments[-1]
    (record,) = process.catalog.read(1)
    early = msgspec.structs.replace(record, position=3, id="early")
    cast("Table", segment.table).add(early, segment.size)
    assert process.catalog.find("early") is None
    assert len(list(process.catalog.select([Item(types=("file_removed",))]))) == 2
    assert not process.catalog.damage


# --- failed writes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
@pytest.mark.parametrize("taken", [0, 1, 100])
def test_a_full_disk_leaves_no_fragment_and_a_new_segment_follows(
    storage: MemoryStorage, process: Process, code: int, taken: int
) -> None:
    storage.trouble(Trouble(call="append", code=code, taken=taken))
    lost, also = process.commit([gone("lost")], [gone("also lost")])
    assert isinstance(outcome(lost), WriterPoisoned)
    assert isinstance(outcome(also), WriterPoisoned)
    assert process.appender.poisoned
    assert not process.appender.fatal
    (kept,) = process.commit([gone("lost")])
    assert outcome(kept) == Receipt(first=2, last=2)
    assert not process.appender.poisoned
    assert process.told == ["log_poisoned", "log_writable_again"]
    assert header_of(storage, SECOND).previous_bytes == storage.size(FOLDER / FIRST)
    assert verify(FOLDER, storage=storage).ok


def test_the_log_goes_on_by_itself_when_there_is_space_again(
    storage: MemoryStorage, process: Process
) -> None:
    storage.room = 10
    process.commit([gone("lost")])
    process.appender.tick()
    assert process.appender.poisoned
    assert process.appender.due() == pytest.approx(1.0)
    storage.room = None
    process.appender.tick()
    assert not process.appender.poisoned
    assert process.ids == ["id-first"]


def test_while_the_disk_is_full_no_file_is_left_half_made(storage: MemoryStorage, process: Process) -> None:
    storage.room = 10
    for _ in range(3):
        process.commit([gone("lost")])
    assert storage.listdir(FOLDER) == [FIRST, "events.anchor"]


def test_after_a_failed_fsync_the_old_tail_may_come_back_and_is_void(
    storage: MemoryStorage, process: Process
) -> None:
    storage.trouble(Trouble(call="fsync", code=errno.ENOSPC))
    process.commit([gone("ghost")])
    process.commit([gone("second")])

    def the_cut_is_lost(most: int) -> int:
        return 1 if most == 2 else 0

    storage.cut_power(the_cut_is_lost)
    assert storage.size(FOLDER / FIRST) > header_of(storage, SECOND).previous_bytes
    again = Process(storage, DEFAULT)
    assert again.ids[:2] == ["id-first", "id-second"]
    assert [record.type for record in again.catalog.read(2)] == ["log_repaired"]


def test_a_broken_disk_ends_the_process_and_the_next_opens_a_new_segment(
    storage: MemoryStorage, process: Process
) -> None:
    process.stop()
    process = Process(storage, DEFAULT)
    storage.trouble(Trouble(call="fsync", calls=1, code=errno.EIO))  # the anchor's is the first
    process.commit([gone("lost")])
    assert process.appender.fatal
    storage.trouble()
    calls = len(storage.calls)
    (refused,) = process.commit([gone("lost")])
    process.appender.tick()
    assert isinstance(outcome(refused), WriterPoisoned)
    assert process.appender.poisoned == "EIO: Input/output error"
    assert len(storage.calls) == calls
    assert process.appender.due() is None
    process.stop()
    storage.kill()
    again = Process(storage, DEFAULT)
    again.commit([gone("lost")])
    assert again.ids == ["id-first", "id-lost"]
    assert SECOND in storage.listdir(FOLDER)


def test_a_refusal_that_rests_on_a_lost_line_is_not_told(storage: MemoryStorage, process: Process) -> None:
    nothing_since = Condition(after=process.catalog.position)
    first = Request((gone("a"),), None, Future())
    second = Request((gone("b"),), nothing_since, Future())
    storage.trouble(Trouble(call="fsync", code=errno.ENOSPC))
    process.appender.commit([first, second])
    assert isinstance(outcome(second), WriterPoisoned)
    process.appender.commit([third := Request((gone("b"),), nothing_since, Future())])
    assert outcome(third) == Receipt(first=2, last=2)


def test_of_two_conditional_appends_in_one_group_the_second_is_refused(process: Process) -> None:
    lease = Condition(items=(Item(tags=("lease",)),), after=process.catalog.position)
    first, second = (Request((gone(name, tags=("lease",)),), lease, Future()) for name in "ab")
    process.appender.commit([first, second])
    assert outcome(first) == Receipt(first=2, last=2)
    refusal = outcome(second)
    assert isinstance(refusal, ConditionFailed)
    assert refusal.position == 2
    assert process.ids == ["id-first", "id-a"]


def test_a_cancelled_wait_disturbs_nobody(storage: MemoryStorage, process: Process) -> None:
    cancelled, other = Request((gone("a"),), None, Future()), Request((gone("b"),), None, Future())
    cancelled.future.cancel()
    process.appender.commit([cancelled, other])
    assert outcome(other) == Receipt(first=3, last=3)
    storage.trouble(Trouble(call="append", code=errno.ENOSPC))
    cancelled = Request((gone("c"),), None, Future())
    cancelled.future.cancel()
    process.appender.commit([cancelled])
    assert process.appender.poisoned


# --- starting -----------------------------------------------------------------------------------------------


def test_a_clean_stop_goes_on_in_the_same_segment(storage: MemoryStorage, process: Process) -> None:
    process.stop()
    again = Process(storage, DEFAULT)
    again.commit([gone("second")])
    assert SECOND not in storage.listdir(FOLDER)
    assert again.ids == ["id-first", "id-second"]


@pytest.mark.parametrize("end", [MemoryStorage.kill, MemoryStorage.cut_power])
def test_after_any_other_end_a_new_segment_begins(
    storage: MemoryStorage, process: Process, end: Callable[[MemoryStorage], None]
) -> None:
    assert process.ids
    end(storage)
    again = Process(storage, DEFAULT)
    assert SECOND not in storage.listdir(FOLDER)  # not before there is something to write
    again.commit([gone("second")])
    assert SECOND in storage.listdir(FOLDER)


def test_a_start_that_writes_nothing_leaves_everything_as_it_was(
    storage: MemoryStorage, process: Process
) -> None:
    process.stop()
    before = files_of(storage)
    Process(storage, DEFAULT).stop()
    assert files_of(storage) == before


def test_a_log_on_a_read_only_disk_answers_and_refuses_writes(storage: MemoryStorage) -> None:
    Process(storage, DEFAULT).commit([gone("first")])
    storage.cut_power()
    torn = storage.size(FOLDER / FIRST) - 3
    file = storage.extend(FOLDER / FIRST)
    file.truncate(torn)
    file.fsync()
    storage.trouble(Trouble(code=errno.EROFS, lasting=True))
    again = Process(storage, DEFAULT)
    assert again.ids == []
    (refused,) = again.commit([gone("second")])
    assert isinstance(outcome(refused), WriterPoisoned)
    assert again.appender.poisoned == "EROFS: Read-only file system"
    storage.trouble()
    (kept,) = again.commit([gone("second")])
    assert outcome(kept) == Receipt(first=1, last=1)
    assert header_of(storage, SECOND).previous_bytes < torn


def test_a_disk_that_cannot_make_the_tail_durable_is_not_believed(
    storage: MemoryStorage, process: Process
) -> None:
    assert process.ids
    storage.kill()
    storage.trouble(Trouble(call="fsync", code=errno.EIO))
    with pytest.raises(WriterPoisoned):
        Process(storage, DEFAULT)


# --- the anchor ---------------------------------------------------------------------------------------------


def test_the_anchor_follows_every_five_seconds_while_records_arrive(storage: MemoryStorage) -> None:
    clock = [0.0]
    process = Process(storage, DEFAULT, clock)
    assert process.appender.due() is None
    process.commit([gone("first")])
    assert process.appender.due() == pytest.approx(5.0)
    clock[0] = 4.9
    process.appender.tick()
    assert process.appender.mark == 0
    clock[0] = 5.0
    process.appender.tick()
    assert process.appender.mark == 1
    storage.cut_power(none)
    assert verify(FOLDER, storage=storage).logs[0].mark == 1


def test_the_anchor_is_written_when_a_segment_is_full(storage: MemoryStorage) -> None:
    process = Process(storage, Log(segment_bytes=2500))
    while len(process.catalog.segments) < 2:
        process.commit(*[[gone(f"{process.catalog.position}-{n}")] for n in range(10)])
    assert process.appender.mark > 0


def test_a_failed_anchor_is_told_and_tried_again_later(storage: MemoryStorage) -> None:
    clock = [0.0]
    process = Process(storage, DEFAULT, clock)
    process.commit([gone("first")])
    clock[0] = 5.0
    storage.trouble(Trouble(call="rename", code=errno.ENOSPC))
    process.appender.tick()
    assert process.told == ["anchor_failed"]
    assert not process.appender.poisoned
    assert process.appender.due() == pytest.approx(5.0)


def test_a_slow_fsync_is_told() -> None:
    class Slow(MemoryStorage):
        def change(self, call: str, *effects: Callable[[], None]) -> None:
            super().change(call, *effects)
            clock[0] += 0.6 if call == "fsync" else 0.0

    clock = [0.0]
    process = Process(Slow(), DEFAULT, clock)
    process.commit([gone("first")])
    assert process.told == ["slow_fsync"]
    assert process.appender.slow_fsyncs == 1
    assert process.appender.last_fsync_s == pytest.approx(0.6)


def test_a_disk_that_cannot_be_read_is_a_typed_error(
    storage: MemoryStorage, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    process.stop()
    journal = open_journal(FOLDER, storage=storage)
    monkeypatch.setattr(storage, "read", broken)
    with pytest.raises(LogDamaged, match=r"events-00000001.jsonl cannot be read at byte \d+"):
        list(journal.read())
    journal.close()
    with pytest.raises(Degraded, match="cannot be opened"):
        open_journal(FOLDER, storage=storage)
    storage.lock(FOLDER).close()


# --- the writer's thread ------------------------------------------------------------------------------------


def test_everybody_who_waits_hears_of_a_fault_of_our_own(
    storage: MemoryStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = open_journal(FOLDER, storage=storage)
    monkeypatch.setattr("navlog.daemon.journal.appender.append_all", lambda *_: 1 / 0)
    with pytest.raises(Internal):
        journal.append([gone("a")]).result(5)
    with pytest.raises(WriterPoisoned):
        journal.append([gone("b")]).result(5)
    assert journal.state.fatal
    journal.close()


def test_a_failure_fails_the_whole_queue(storage: MemoryStorage) -> None:
    journal = open_journal(FOLDER, storage=storage)
    journal.append([gone("first")]).result(5)
    storage.trouble(Trouble(call="fsync", code=errno.EIO))
    futures = [journal.append([gone(n)]) for n in range(200)]
    faults = [future.exception(5) for future in futures]
    assert all(isinstance(fault, NavlogError) for fault in faults)
    assert journal.position == 1
    assert journal.state.poisoned == "EIO: Input/output error"
    journal.close()


def test_every_choice_of_a_kind_power_cut_is_everything() -> None:
    assert ALL(7) == 7
