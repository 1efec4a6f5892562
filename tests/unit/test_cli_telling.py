"""What a person is told when something is not as it should be: what it is, and the next step."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from navlog.daemon.cli.main import navlog
from navlog.schemas.control import StatusReply
from navlog.schemas.tasks import SpoolState

RECORD = ["bench", "record", "away", "1", "--task", "t", "--arm", "with"]


@pytest.mark.parametrize("words", [["bench", "routing", "away"], RECORD, ["up", "--foreground"]])
def test_a_file_that_cannot_be_read_is_told_with_the_next_step(
    run: CliRunner, tmp_path: Path, words: list[str]
) -> None:
    (tmp_path / "config/navlog/config.toml").mkdir(parents=True)  # no file, and yet it is there
    shown = run.invoke(navlog, words)
    assert shown.exit_code == 2, shown.output
    assert len(shown.stderr.splitlines()) == 3


def test_files_set_aside_are_counted_and_their_folder_is_named(
    run: CliRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    spool = SpoolState(damaged=[f"{n}.json" for n in range(90)])
    now = StatusReply(
        pid=1, version="0", uptime_s=1, heartbeat_s=0, memory=1, data_home="/d", socket="/s", spool=spool
    )
    monkeypatch.setattr("navlog.daemon.cli.looking.ask", lambda *_args: now)
    told = [line for line in run.invoke(navlog, ["status"]).stdout.splitlines() if "set aside" in line]
    assert told == ["spool       set aside, no hook call: 90 files in /d/spool/damaged"]


@pytest.mark.parametrize(("answers", "stopped"), [("no bus", 0), ("", 1)])
def test_the_daemon_is_stopped_for_systemd_only_where_systemd_can_start_it(
    run: CliRunner, monkeypatch: pytest.MonkeyPatch, answers: str, stopped: int
) -> None:
    stops: list[object] = []
    monkeypatch.setattr("navlog.daemon.units.systemctl", lambda *_words: answers)
    monkeypatch.setattr("navlog.daemon.cli.installing.stop_daemon", stops.append)
    done = run.invoke(navlog, ["install", "service"])
    assert done.exit_code == 0
    assert len(stops) == stopped
    assert ("navlog down; systemctl --user daemon-reload" in done.stdout) is bool(answers)
