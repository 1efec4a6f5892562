"""docs/recovery.md, step by step: the commands a person types, in that order, and the log goes on."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from navlog.daemon.cli.main import navlog
from navlog.daemon.home import Home, find_home, prepare
from navlog.schemas.errors import LogBehindMark
from support.journal import gone, open_journal

COUNT = 20


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A data home with a log of twenty events, stopped cleanly, and something derived."""
    monkeypatch.setenv("NAVLOG_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    place = find_home({"NAVLOG_HOME": str(tmp_path / "data"), "XDG_RUNTIME_DIR": str(tmp_path / "run")})
    (tmp_path / "run").mkdir(mode=0o700)
    prepare(place)
    journal = open_journal(place.log)
    for number in range(COUNT):
        journal.append([gone(number)]).result()
    journal.close()
    (place.derived / "graph-1.duckdb").write_text("tables")
    return place


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(navlog, arguments)


def segment(home: Home) -> Path:
    return home.log / "events-00000001.jsonl"


def lines(home: Home) -> list[bytes]:
    return segment(home).read_bytes().splitlines(keepends=True)


def goes_on(home: Home) -> list[str]:
    """The types in the log, which can be written."""
    journal = open_journal(home.log)
    journal.append([gone("after")]).result()
    types = [record.type for record in journal.read()]
    journal.close()
    assert typed("verify").exit_code == 0
    return types


def put_in_place(home: Home, salvaged: Path) -> None:
    """``mv log log.damaged; mv SALVAGED log; rm -r derived``"""
    home.log.rename(home.log.with_name("log.damaged"))
    salvaged.rename(home.log)
    shutil.rmtree(home.derived)


def test_a_torn_tail_needs_nobody(home: Home) -> None:
    segment(home).write_bytes(segment(home).read_bytes() + b'{"position":21,')
    looked = typed("verify")
    assert looked.exit_code == 0
    assert "quarantine" in looked.output
    assert goes_on(home)[-2:] == ["log_repaired", "file_removed"]


def test_a_damaged_record_is_salvaged_around(home: Home, tmp_path: Path) -> None:
    written = lines(home)
    written[5] = written[5].replace(b"id-4", b"id-X")
    segment(home).write_bytes(b"".join(written))
    assert typed("verify").exit_code == 1
    before = segment(home).read_bytes()
    assert typed("salvage", "--out", str(tmp_path / "salvaged")).exit_code == 1
    assert segment(home).read_bytes() == before
    put_in_place(home, tmp_path / "salvaged")
    types = goes_on(home)
    assert types.count("record_lost") == 1
    assert types.count("file_removed") == COUNT


def test_a_log_behind_its_mark_is_restored_from_a_backup(home: Home, tmp_path: Path) -> None:
    assert typed("backup", "--out", str(tmp_path / "backup")).exit_code == 0
    segment(home).write_bytes(b"".join(lines(home)[:-3]))
    with pytest.raises(LogBehindMark):
        open_journal(home.log)
    home.log.rename(home.log.with_name("log.damaged"))
    assert typed("restore", str(tmp_path / "backup")).exit_code == 0
    assert not (home.derived / "graph-1.duckdb").exists()
    assert goes_on(home) == ["file_removed"] * (COUNT + 1)


def test_a_log_behind_its_mark_goes_on_without_what_is_lost(home: Home, tmp_path: Path) -> None:
    segment(home).write_bytes(b"".join(lines(home)[:-3]))
    assert typed("verify").exit_code == 1
    assert typed("salvage", "--out", str(tmp_path / "salvaged")).exit_code == 1
    put_in_place(home, tmp_path / "salvaged")
    types = goes_on(home)
    assert types.count("record_lost") == 3
    assert len(types) == COUNT + 1


def test_a_backup_that_was_changed_is_refused(home: Home, tmp_path: Path) -> None:
    assert typed("backup", "--out", str(tmp_path / "backup")).exit_code == 0
    copy = tmp_path / "backup" / segment(home).name
    copy.write_bytes(copy.read_bytes().replace(b"id-4", b"id-X"))
    home.log.rename(home.log.with_name("log.damaged"))
    refused = typed("restore", str(tmp_path / "backup"))
    assert refused.exit_code == 1
    assert "not what was copied" in refused.output
