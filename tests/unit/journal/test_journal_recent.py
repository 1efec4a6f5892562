"""The newest records are handed out from memory: the same ones as the file says, and never others."""

from pathlib import Path

import pytest
from msgspec import Raw

from navlog.daemon.journal import Item, Journal, RealStorage
from navlog.daemon.journal.layout import segment_name
from navlog.daemon.journal.memory import MemoryStorage
from navlog.daemon.journal.recent import ENVELOPE, Recent
from navlog.schemas.envelope import Record, unseal
from navlog.schemas.settings import Log
from support.journal import Process, gone, open_journal

EACH = ENVELOPE + 100


def written(folder: Path, journal: Journal) -> list[Record]:
    """What the lines of all segments say, headers left out."""
    names = (segment_name("events", number) for number in range(1, journal.state.segments + 1))
    lines = [line for name in names for line in (folder / name).read_bytes().splitlines(keepends=True)]
    return [unseal(line) for line in lines if not line.startswith(b'{"segment"')]


@pytest.mark.parametrize("segment_bytes", [4096, 1 << 24])
def test_a_record_from_memory_is_the_one_its_line_says(tmp_path: Path, segment_bytes: int) -> None:
    journal = open_journal(tmp_path, Log(segment_bytes=segment_bytes))
    for number in range(30):
        journal.append([gone(f"{number} ä", tags=("t:1",)), gone(f"{number}b", cause="id-x")]).result()
    said = written(tmp_path, journal)
    assert [comparable(one) for one in journal.read()] == [comparable(one) for one in said]
    assert [one.position for one in journal.read(10, 5)] == [11, 12, 13, 14, 15]
    assert [one.position for one in journal.select([Item(tags=("t:1",))], after=50)] == [51, 53, 55, 57, 59]
    journal.close()


def comparable(record: Record) -> tuple[object, ...]:
    names = [name for name in Record.__struct_fields__ if name != "data"]
    return (*(getattr(record, name) for name in names), bytes(record.data))


def test_who_follows_closely_opens_no_file(tmp_path: Path) -> None:
    read: list[Path] = []

    class Watching(RealStorage):
        def read(self, path: Path, offset: int = 0, size: int | None = None) -> bytes:
            read.append(path)
            return super().read(path, offset, size)

    journal = open_journal(tmp_path, storage=Watching())
    journal.append([gone("a"), gone("b")]).result()
    read.clear()
    assert [one.position for one in journal.read(1)] == [2]
    assert read == []
    journal.close()
    journal = open_journal(tmp_path, storage=Watching())
    assert [one.position for one in journal.read(1)] == [2]
    assert read != []
    journal.close()


def records(first: int, last: int) -> list[Record]:
    return [
        Record(
            position=position, id=f"{position}", at="", project="", source="", type="t", version=1,
            data=Raw(b'"%098d"' % position), prev="",
        )
        for position in range(first, last + 1)
    ]  # fmt: skip


def test_it_is_bounded_and_keeps_the_newest() -> None:
    recent = Recent(room=10 * EACH)
    for position in range(1, 101):
        recent.add(records(position, position))
        held = recent.read(position - 5, 100) if position > 5 else None
        assert held is None or [one.position for one in held] == list(range(position - 4, position + 1))
    assert recent.read(88, 1) is None
    assert recent.read(100, 5) == []


def test_what_was_let_go_is_not_said_to_be_nothing() -> None:
    recent = Recent()
    recent.add(records(1, 6))
    recent.let_go(4)
    assert recent.read(3, 9) is None
    assert [one.position for one in recent.read(4, 9) or ()] == [5, 6]
    recent.let_go(6)
    assert recent.read(6, 9) is None
    recent.add(records(7, 7))
    assert [one.position for one in recent.read(6, 9) or ()] == [7]
    assert recent.read(5, 9) is None


def test_at_rest_the_newest_records_are_let_go_and_nothing_is_written() -> None:
    clock, storage = [0.0], MemoryStorage()
    process = Process(storage, Log(), clock)
    process.commit([gone("first")])
    clock[0] = 5.0
    process.appender.tick()
    assert [one.position for one in process.catalog.recent.read(0, 9) or ()] == [1]
    assert process.appender.due() == pytest.approx(5.0)
    clock[0], calls = 10.0, len(storage.calls)
    process.appender.tick()
    assert not process.catalog.recent
    assert process.appender.due() is None
    assert len(storage.calls) == calls
    assert [one.position for one in process.catalog.read()] == [1]
