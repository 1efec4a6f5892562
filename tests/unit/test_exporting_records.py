"""`navlog export`: what changed, in files that a warehouse can read."""

import os
from pathlib import Path

import duckdb
import pytest

from navlog.daemon.cli.exporting import STATE, _check, _reached, _take
from navlog.daemon.exporting import Exporting
from navlog.daemon.verbs import Report
from navlog.projections.msu import MsuProjection
from navlog.projections.projector import Projector
from navlog.projections.store import Store
from navlog.schemas.errors import Degraded, UsageError
from navlog.schemas.exports import ExportArgs, ExportedTable, ExportReply
from navlog.schemas.sessions import TextKept
from navlog.schemas.slices import Member, MsuFormed, SymbolChange
from support.graph import LIMITS, ListLog


def record(number: int) -> MsuFormed:
    return MsuFormed(
        msu=f"msu:{number}", path="a.py", content=f"{number}", before="", basis="none", slicer="t",
        changes=[SymbolChange("load", "function", "body", 1)],
        core=[Member("a.py", 1, 2, "load", "changed", "body changed", 9, "h1")],
        radius=[Member("b.py", 4, 4, "main", "call", "calls it", 5)],
    )  # fmt: skip


def silent(stage: str, done: int, total: int = 0) -> None:
    """Nobody waits."""


REPORT: Report = silent


@pytest.fixture
def log() -> ListLog:
    made = ListLog()
    made.add(TextKept(hash="h1", text="def load():"), record(1), record(2))
    return made


@pytest.fixture
def exporting(tmp_path: Path, log: ListLog) -> Exporting:
    store = Store(tmp_path / "data", LIMITS)
    projector = Projector(MsuProjection(), store, {"events": log})
    return Exporting(store, projector, tmp_path / "data" / "derived")


def rows(folder: Path, name: str) -> list[tuple[object, ...]]:
    with duckdb.connect() as db:
        files = f"{folder}/{name}-[0-9]*.parquet"
        return db.execute("SELECT * FROM read_parquet(?)", [files]).fetchall()


def test_records_come_with_their_texts(exporting: Exporting) -> None:
    reply = exporting.export(ExportArgs(), "", REPORT)
    assert [(one.name, one.rows) for one in reply.tables] == [
        ("msus", 2),
        ("msu_changes", 2),
        ("msu_members", 4),
    ]
    members = rows(Path(reply.folder), "msu_members")
    assert {(row[7], row[-1]) for row in members} == {("changed", "def load():"), ("call", None)}


def test_only_what_is_beyond_a_position(exporting: Exporting) -> None:
    reply = exporting.export(ExportArgs(since=2), "", REPORT)
    assert [row[0] for row in rows(Path(reply.folder), "msus")] == ["msu:2"]
    assert reply.position == 3


def test_the_files_are_taken_and_the_next_export_goes_on_from_there(
    exporting: Exporting, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    assert _reached(out / STATE) == 0
    taken = _take(exporting.export(ExportArgs(), "", REPORT), out)
    assert sorted(path.name for path in out.iterdir()) == sorted([STATE, *(one.file for one in taken.tables)])
    assert _reached(out / STATE) == 3
    nothing = _take(exporting.export(ExportArgs(since=3), "", REPORT), out)
    assert nothing.tables == []


def test_the_same_positions_again_are_the_same_files(exporting: Exporting, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    _take(exporting.export(ExportArgs(), "", REPORT), out)
    once = {path.name: path.read_bytes() for path in out.iterdir()}
    _take(exporting.export(ExportArgs(), "", REPORT), out)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == once


def test_what_is_exported_anew_takes_the_place_of_what_was_there(
    exporting: Exporting, log: ListLog, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "msus-of-mine.parquet").write_text("x")
    _take(exporting.export(ExportArgs(), "", REPORT), out)
    log.add(record(3))
    _take(exporting.export(ExportArgs(since=_reached(out / STATE)), "", REPORT), out)
    assert [row[0] for row in rows(out, "msus")] == ["msu:1", "msu:2", "msu:3"]
    _take(exporting.export(ExportArgs(), "", REPORT), out)
    assert [row[0] for row in rows(out, "msus")] == ["msu:1", "msu:2", "msu:3"]
    assert [path.name for path in sorted(out.glob("msus-*"))] == ["msus-0-4.parquet", "msus-of-mine.parquet"]


def test_an_export_that_was_cut_off_is_made_good_by_the_next(
    exporting: Exporting, log: ListLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    _take(exporting.export(ExportArgs(since=2), "", REPORT), out)
    replace = Path.replace

    def cut_off(path: Path, target: Path) -> Path:
        if "msu_members" in path.name:
            raise OSError(28, "No space left on device")
        return replace(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", cut_off)
        with pytest.raises(Degraded):
            _take(exporting.export(ExportArgs(), "", REPORT), out)
    assert _reached(out / STATE) == 0
    log.add(record(3))
    _take(exporting.export(ExportArgs(), "", REPORT), out)
    for name, count in (("msus", 3), ("msu_members", 6)):
        assert len(rows(out, name)) == count


def test_a_position_within_a_file_is_refused(exporting: Exporting, tmp_path: Path) -> None:
    _take(exporting.export(ExportArgs(), "", REPORT), tmp_path)
    _check(tmp_path, 0)
    _check(tmp_path, 3)
    with pytest.raises(UsageError, match="0 to 3"):
        _check(tmp_path, 2)


def test_files_that_cannot_be_taken_leave_the_position_as_it_was(tmp_path: Path) -> None:
    reply = ExportReply(
        folder=str(tmp_path / "gone"), since=0, position=9,
        tables=[ExportedTable(name="msus", file="x.parquet", rows=1)],
    )  # fmt: skip
    with pytest.raises(Exception, match="cannot be written"):
        _take(reply, tmp_path)
    assert _reached(tmp_path / STATE) == 0


def test_a_state_that_is_none_is_said(tmp_path: Path) -> None:
    (tmp_path / STATE).write_text("{}")
    with pytest.raises(UsageError):
        _reached(tmp_path / STATE)


def test_an_export_that_is_under_way_outlives_the_next_one_and_an_old_one_does_not(
    exporting: Exporting,
) -> None:
    first, second = (Path(exporting.export(ExportArgs(), "", REPORT).folder) for _ in range(2))
    assert sorted(first.iterdir())
    os.utime(first, (0, 0))
    exporting.export(ExportArgs(), "", REPORT)
    assert (first.exists(), second.exists()) == (False, True)
