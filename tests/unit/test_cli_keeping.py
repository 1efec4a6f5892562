"""`verify`, `salvage`, `backup`, `restore` without a daemon, on logs made for it."""

import json
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from navlog.daemon.cli.main import navlog
from navlog.daemon.journal import Journal, RealStorage
from navlog.schemas.envelope import draft
from navlog.schemas.events import ScanCompleted
from navlog.schemas.settings import Log


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    use_home(tmp_path / "data", monkeypatch)
    return CliRunner()


def use_home(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAVLOG_HOME", str(data))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(data.parent))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(data.parent))
    monkeypatch.setenv("HOME", "/nobody")


@pytest.fixture
def segment(tmp_path: Path, run: CliRunner) -> Path:
    """The one segment of a log of twenty events."""
    del run  # the home is named first
    folder = tmp_path / "data" / "log"
    for name in ("data", "data/log"):
        (tmp_path / name).mkdir(mode=0o700)
    with closing(Journal.open(folder, "events", settings=Log(), redact=lambda one: one)) as journal:
        for number in range(1, 21):
            event = ScanCompleted(why="start", files=number)
            journal.append([draft(event, project="p", source="test", id=str(number))]).result()
    return folder / "events-00000001.jsonl"


def flip(segment: Path, line: int) -> int:
    """Damages a line; where it begins."""
    lines = segment.read_bytes().splitlines(keepends=True)
    offset = sum(map(len, lines[:line]))
    text = bytearray(b"".join(lines))
    text[offset + 60] ^= 1
    segment.write_bytes(text)
    return offset


def test_a_whole_log_is_said_to_be_whole(run: CliRunner, segment: Path) -> None:
    before = segment.read_bytes()
    shown = run.invoke(navlog, ["verify"])
    assert (shown.exit_code, shown.stderr) == (0, "  verifying …\n")
    events, overlays = (line.split() for line in shown.stdout.splitlines())
    assert events[:3] == ["events", "20", "records"]
    assert events[-3:] == ["position", "20", "ok"]
    assert overlays[:3] == ["overlays", "0", "records"]
    assert segment.read_bytes() == before


def test_no_log_at_all_is_no_damage(run: CliRunner) -> None:
    assert run.invoke(navlog, ["verify"]).exit_code == 0


def test_damage_is_named_by_segment_byte_and_position(run: CliRunner, segment: Path) -> None:
    offset = flip(segment, 7)
    shown = run.invoke(navlog, ["verify"])
    assert shown.exit_code == 1
    assert f"events-00000001.jsonl, byte {offset:,}, position 7: damaged: " in shown.stdout
    assert "salvage --out DIR" in shown.stdout
    report = json.loads(run.invoke(navlog, ["verify", "--json"]).stdout)
    (fault,) = report["faults"]
    assert (fault["file"], fault["offset"], fault["position"]) == (segment.name, offset, 7)


def test_an_interrupted_write_is_named_and_no_damage(run: CliRunner, segment: Path) -> None:
    with segment.open("ab") as file:
        file.write(b'{"position":21,"id":')
    shown = run.invoke(navlog, ["verify"])
    assert shown.exit_code == 0
    assert "position 21: torn: " in shown.stdout
    assert "nothing acknowledged is in it" in shown.stdout


def test_a_salvaged_log_is_whole_and_the_damaged_one_untouched(
    run: CliRunner, segment: Path, tmp_path: Path
) -> None:
    flip(segment, 7)
    before, out = segment.read_bytes(), tmp_path / "saved here"
    shown = run.invoke(navlog, ["salvage", "--out", str(out)])
    assert shown.exit_code == 1
    assert "lost: 7" in shown.stdout
    assert f"mv '{out}' {segment.parent}" in shown.stdout
    assert segment.read_bytes() == before
    assert run.invoke(navlog, ["verify", str(out)]).exit_code == 0
    again = run.invoke(navlog, ["salvage", "--out", str(out)])
    assert again.exit_code == 2


def test_a_backup_comes_back_in_another_home(
    run: CliRunner, segment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "backup"
    made = run.invoke(navlog, ["backup", "--out", str(out)])
    assert made.exit_code == 0
    assert "events up to position 20" in made.stdout
    assert run.invoke(navlog, ["verify", str(out)]).exit_code == 0
    refused = run.invoke(navlog, ["restore", str(out)])
    assert (refused.exit_code, len(refused.stderr.splitlines())) == (2, 3)
    use_home(tmp_path / "other", monkeypatch)
    (tmp_path / "other" / "derived").mkdir(parents=True)
    (tmp_path / "other").chmod(0o700)
    (tmp_path / "other" / "derived").chmod(0o700)
    (tmp_path / "other" / "derived" / "graph-1.duckdb").touch()
    restored = run.invoke(navlog, ["restore", str(out), "--json"])
    assert restored.exit_code == 0
    assert [fence["position"] for fence in json.loads(restored.stdout)["fences"]] == [20, 0]
    assert (tmp_path / "other" / "log" / segment.name).read_bytes() == segment.read_bytes()
    assert not (tmp_path / "other" / "derived").exists()


def test_a_backup_that_is_not_what_was_copied_is_not_restored(
    run: CliRunner, segment: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "backup"
    run.invoke(navlog, ["backup", "--out", str(out)])
    flip(out / segment.name, 3)
    use_home(tmp_path / "other", monkeypatch)
    shown = run.invoke(navlog, ["restore", str(out)])
    assert shown.exit_code == 1
    assert segment.name in shown.stderr
    assert not list((tmp_path / "other" / "log").glob("*.jsonl"))


def test_a_damaged_log_is_salvaged_not_backed_up(run: CliRunner, segment: Path, tmp_path: Path) -> None:
    flip(segment, 7)
    shown = run.invoke(navlog, ["backup", "--out", str(tmp_path / "backup")])
    assert shown.exit_code == 1
    assert "navlog salvage --out" in shown.stderr


@pytest.mark.parametrize("command", ["verify", "backup", "salvage", "restore"])
def test_a_log_that_somebody_holds_without_answering_is_left_alone(
    run: CliRunner, segment: Path, tmp_path: Path, command: str
) -> None:
    out = [] if command == "verify" else ["--out", str(tmp_path / "out")]
    with closing(RealStorage().lock(segment.parent)):
        shown = run.invoke(navlog, [command, *(out if command != "restore" else [str(tmp_path)])])
    assert shown.exit_code == 78
    assert not (tmp_path / "out").exists()


def test_a_restore_beside_a_running_daemon_says_how_to_end_it(
    run: CliRunner, tmp_path: Path, segment: Path
) -> None:
    (tmp_path / "copy").mkdir()
    with closing(RealStorage().lock(segment.parent)):
        shown = run.invoke(navlog, ["restore", str(tmp_path / "copy")])
    assert shown.exit_code == 78
    assert shown.stderr.endswith("navlog down\n")
