"""A torn tail is cut exactly and its bytes are kept; a log behind its mark is not opened."""

from pathlib import Path

import pytest

from navlog.daemon.journal import Journal
from navlog.schemas.envelope import draft
from navlog.schemas.errors import LogBehindMark
from navlog.schemas.events import FileRemoved
from navlog.schemas.settings import Log


def open_journal(folder: Path, mark: int = 0) -> Journal:
    return Journal.open(folder, "events", settings=Log(), redact=lambda draft: draft, mark=mark)


def written(folder: Path, count: int) -> Path:
    """A log of ``count`` records as a killed writer leaves it: its anchor still says 0."""
    journal = open_journal(folder)
    for n in range(count):
        event = FileRemoved(path=f"{n}")
        journal.append([draft(event, project="p", source="test", id=f"id-{n}")]).result()
    anchor = (folder / "events.anchor").read_bytes()
    journal.close()
    (folder / "events.anchor").write_bytes(anchor)
    return folder / "events-00000001.jsonl"


@pytest.mark.parametrize("fill", [b"", b"\0" * 9, b"\xff", b'{"position":'])
def test_a_torn_tail_is_cut_kept_and_told(tmp_path: Path, fill: bytes) -> None:
    segment = written(tmp_path, 3)
    whole = segment.read_bytes()
    torn = whole[:-10] + fill
    segment.write_bytes(torn)
    journal = open_journal(tmp_path)
    assert [r.id for r in journal.read(limit=2)] == ["id-0", "id-1"]
    (repair,) = journal.state.repairs
    cut = torn[repair.offset :]
    assert (tmp_path / repair.quarantine).read_bytes() == cut
    assert segment.read_bytes() == torn[: repair.offset]
    (told,) = journal.read(2)
    assert (told.position, told.type) == (3, "log_repaired")
    journal.close()


def test_a_log_behind_its_mark_is_not_opened_and_not_touched(tmp_path: Path) -> None:
    segment = written(tmp_path, 3)
    before = segment.read_bytes()
    with pytest.raises(LogBehindMark):
        open_journal(tmp_path, mark=4)
    segment.write_bytes(before[:-1])
    with pytest.raises(LogBehindMark):
        open_journal(tmp_path, mark=3)
    assert segment.read_bytes() == before[:-1]


def test_the_anchor_alone_sees_that_the_tail_is_gone(tmp_path: Path) -> None:
    segment = written(tmp_path, 3)
    open_journal(tmp_path, mark=3).close()
    journal = open_journal(tmp_path)
    journal.append([draft(FileRemoved(path="x"), project="p", source="test", id="x")]).result()
    journal.close()
    newest = tmp_path / "events-00000002.jsonl"
    newest.write_bytes(newest.read_bytes()[:-1])
    assert segment.exists()
    with pytest.raises(LogBehindMark):
        open_journal(tmp_path)
