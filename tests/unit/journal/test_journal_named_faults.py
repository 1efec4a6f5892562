"""One test for each fault that `tests/mutants/journal.toml` puts into the log."""

import errno

import msgspec
import pytest

from navlog.daemon.journal.memory import MemoryStorage, PowerCut, Trouble
from navlog.daemon.journal.verify import verify
from navlog.schemas.envelope import is_sealed, seal, unseal
from navlog.schemas.errors import LineDamaged, LogBehindMark, WriterPoisoned
from support.journal import DEFAULT, FOLDER, Process, disk, gone, written

SEGMENT = FOLDER / "events-00000001.jsonl"


@pytest.fixture
def storage() -> MemoryStorage:
    return MemoryStorage()


def nothing(_most: int) -> int:
    """The unkindest power cut: nothing is left of what was not fsynced."""
    return 0


def test_what_was_acknowledged_is_fsynced(storage: MemoryStorage) -> None:
    process = Process(storage, DEFAULT)
    process.commit([gone("first")])
    process.commit([gone("second")])
    storage.cut_power(nothing)
    assert Process(storage, DEFAULT).ids == ["id-first", "id-second"]


def test_the_name_of_a_new_segment_is_durable_before_the_first_acknowledgement(
    storage: MemoryStorage,
) -> None:
    Process(storage, DEFAULT).commit([gone("first")])
    storage.cut_power(nothing)
    assert SEGMENT.name in storage.listdir(FOLDER)


def test_a_descriptor_that_failed_is_never_fsynced_again(storage: MemoryStorage) -> None:
    process = Process(storage, DEFAULT)
    process.commit([gone("first")])
    storage.trouble(Trouble(call="fsync", code=errno.EIO))
    (request,) = process.commit([gone("second")])
    assert isinstance(request.future.exception(), WriterPoisoned)
    assert storage.fsynced_again == 0
    assert process.appender.fatal


def test_a_short_write_is_cut_off_again_and_nobody_is_told_it_went_through(storage: MemoryStorage) -> None:
    process = Process(storage, DEFAULT)
    process.commit([gone("first")])
    before = storage.read(SEGMENT)
    storage.trouble(Trouble(call="append", code=errno.ENOSPC, taken=20))
    (request,) = process.commit([gone("second")])
    assert isinstance(request.future.exception(), WriterPoisoned)
    assert storage.read(SEGMENT) == before
    process.commit([gone("second")])
    assert process.ids == ["id-first", "id-second"]


def test_of_all_cuts_of_a_line_none_is_a_record() -> None:
    line = written(1)[SEGMENT.name].splitlines(keepends=True)[1]
    for end in range(len(line)):
        with pytest.raises(LineDamaged):
            unseal(line[:end])


def test_the_bytes_that_frame_a_seal_are_part_of_it() -> None:
    line = written(1)[SEGMENT.name].splitlines(keepends=True)[1]
    assert is_sealed(line)
    for other in (b',"i":"', b' "h":"', b',"h" "'):
        assert not is_sealed(line.replace(b',"h":"', other))


def test_a_killed_writers_lines_are_durable_before_they_are_read(storage: MemoryStorage) -> None:
    process = Process(storage, DEFAULT)
    process.commit([gone("first")])
    storage.trouble(Trouble(call="fsync"))
    with pytest.raises(PowerCut):
        process.commit([gone("cached")])
    storage.kill()
    assert Process(storage, DEFAULT).ids == ["id-first", "id-cached"]
    storage.cut_power(nothing)
    assert Process(storage, DEFAULT).ids == ["id-first", "id-cached"]


def test_a_line_of_another_chain_is_seen() -> None:
    files = written(3)
    header, first, second, third = files[SEGMENT.name].splitlines(keepends=True)
    other = seal(msgspec.structs.replace(unseal(second), project="another", h=""))
    report = verify(FOLDER, storage=disk(files | {SEGMENT.name: b"".join((header, first, other, third))}))
    assert [fault.kind for fault in report.faults] == ["broken"]


def test_a_log_behind_its_mark_is_not_opened() -> None:
    with pytest.raises(LogBehindMark):
        Process(disk(written(3)), DEFAULT, mark=4)
