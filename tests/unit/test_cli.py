"""The command without a daemon: help, errors, exit codes, what it imports."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import click
import pytest
from click.testing import CliRunner

from navlog.daemon.cli.frame import columns, human_bytes, human_seconds
from navlog.daemon.cli.main import navlog
from navlog.schemas.control import (
    Indexed,
    ProjectInfo,
    ProjectList,
    Replayed,
    ReplayReply,
    Sample,
    StatusReply,
)
from navlog.schemas.errors import DaemonAway, TimedOut
from navlog.schemas.meaning import SharedReply
from navlog.schemas.tasks import HistoryReply
from navlog.schemas.wire import ContextReply, ImpactArgs, ImpactHit, ImpactReply, ImpactTarget

HEAVY = ("duckdb", "numpy", "eventsourcing", "tree_sitter", "structlog", "asyncio", "rich", "h11")


def commands(group: click.Group = navlog, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name)


@pytest.mark.parametrize("path", list(commands()), ids=" ".join)
def test_every_command_has_help_with_an_example_and_json(run: CliRunner, path: tuple[str, ...]) -> None:
    shown = run.invoke(navlog, [*path, "--help"])
    assert shown.exit_code == 0
    assert "Example:\n" in shown.output
    assert "--json" in shown.output or path == ("completion",)
    assert "  navlog " in shown.output or '"$(navlog ' in shown.output


def test_an_error_is_three_lines_on_standard_error(run: CliRunner) -> None:
    shown = run.invoke(navlog, ["status"])
    assert shown.exit_code == 75
    assert shown.stdout == ""
    assert shown.stderr == "No daemon is running.\n  Nothing was changed.\n  Start it:  navlog up\n"


def test_nothing_to_stop_is_no_error(run: CliRunner) -> None:
    shown = run.invoke(navlog, ["down"])
    assert (shown.exit_code, shown.stdout, shown.stderr) == (0, "it was not running\n", "")
    assert json.loads(run.invoke(navlog, ["down", "--json"]).stdout) == {"pid": None, "activated": False}


def test_a_daemon_that_cannot_be_asked_to_stop_is_an_error(
    run: CliRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = DaemonAway("The daemon does not accept connections.")
    away.__cause__ = PermissionError()
    monkeypatch.setattr("navlog.daemon.cli.lifecycle.stop_daemon", Mock(side_effect=away))
    assert run.invoke(navlog, ["down"]).exit_code == 75


def test_an_error_with_json_is_one_object_on_standard_output(run: CliRunner) -> None:
    shown = run.invoke(navlog, ["context", "x", "--json"])
    assert shown.exit_code == 75
    assert json.loads(shown.stdout)["error"]["code"] == "DaemonAway"
    assert shown.stderr == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["nope"],
        ["context"],
        ["context", "--limit", "0", "x"],
        ["context", "  "],
        ["up", "--foreground", "/x"],
    ],
    ids=" ".join,
)
def test_usage_errors_exit_with_2(run: CliRunner, arguments: list[str]) -> None:
    assert run.invoke(navlog, arguments).exit_code == 2


def test_an_unsafe_home_exits_with_78_and_nothing_is_started(run: CliRunner, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data").chmod(0o777)
    shown = run.invoke(navlog, ["up"])
    assert shown.exit_code == 78
    assert "chmod 700" in shown.stderr
    assert list((tmp_path / "data").iterdir()) == []


def test_a_fault_of_our_own_is_named_without_a_traceback(
    run: CliRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("navlog.daemon.cli.looking.ask", lambda *_args: 1 // 0)
    shown = run.invoke(navlog, ["status"])
    assert shown.exit_code == 1
    assert "ZeroDivisionError" in shown.stderr
    assert "Traceback" not in shown.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(run: CliRunner, shell: str) -> None:
    shown = run.invoke(navlog, ["completion", shell])
    assert shown.exit_code == 0
    assert "_NAVLOG_COMPLETE" in shown.output


def test_the_command_imports_nothing_heavy() -> None:
    code = f"import sys, navlog.daemon.cli.main; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_columns_are_aligned_and_end_without_spaces() -> None:
    assert columns([["a", "bb"], ["ccc", ""]], indent="") == ["a    bb", "ccc"]


@pytest.mark.parametrize(
    ("text", "width"),
    [("项目", 4), ("ｶﾞ", 2), ("e\u0301", 1), ("한글.py", 7), ("Ａ", 2), ("a\u200bb", 2), ("", 0)],
    ids=ascii,
)
def test_columns_stand_under_each_other_whatever_is_written_in_them(text: str, width: int) -> None:
    assert columns([[text, "x"], ["1234567890", "x"]], indent="")[0] == text + " " * (12 - width) + "x"


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 B"), (1023, "1023 B"), (1536, "1.5 KB"), (34 * 1024**2, "34.0 MB"), (3 * 1024**4, "3072 GB")],
)
def test_human_bytes(count: int, text: str) -> None:
    assert human_bytes(count) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.25, "0.2 s"), (59, "59 s"), (3700, "1 h 1 min"), (86400 * 2 + 5, "2 d 5 s"), (3600, "1 h")],
)
def test_human_seconds(seconds: float, text: str) -> None:
    assert human_seconds(seconds) == text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["context", "x", "--limit", "abc"], "--limit"),
        (["context"], "TASK"),
        (["verify", "/nope"], "/nope"),
        (["up", "/x", "--foreground"], "--foreground"),
        (["nope"], "nope"),
        (["--nope"], "--nope"),
    ],
    ids=str,
)
def test_a_usage_error_with_json_has_the_shape_of_every_error(
    run: CliRunner, arguments: list[str], said: str
) -> None:
    shown = run.invoke(navlog, [*arguments, "--json"])
    error = json.loads(shown.stdout)["error"]
    assert shown.exit_code == error["exit"] == 2
    assert shown.stderr == ""
    assert said in error["message"]
    assert error["code"] == "UsageError"
    assert error["hint"].startswith("See:  ")
    assert error["hint"].endswith(" --help")
    assert set(error) == set(json.loads(run.invoke(navlog, ["status", "--json"]).stdout)["error"])


def test_a_task_that_is_called_json_asks_for_no_json(run: CliRunner) -> None:
    shown = run.invoke(navlog, ["context", "--limit", "0", "--", "--json"])
    assert (shown.exit_code, shown.stdout) == (2, "")


@pytest.mark.parametrize(
    "arguments",
    [["context", "x"], ["impact", "x"], ["up"], ["up", "."], ["project", "move", "x", "y"]],
    ids=" ".join,
)
def test_in_a_deleted_folder_a_person_is_told_where_to_go(
    run: CliRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    shown = run.invoke(navlog, arguments)
    assert shown.exit_code == 2
    assert shown.stderr.splitlines()[::2] == [
        "The folder you are in was deleted.", "  Go to one that exists:  cd ~",
    ]  # fmt: skip
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("arguments", [["--help"], ["up", "--help"], ["completion", "bash"]], ids=" ".join)
def test_a_reader_that_went_away_looks_like_no_damage(arguments: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as pipe:
        command = [sys.executable, "-I", "-m", "navlog.daemon", *arguments]
        done = subprocess.run(command, stdout=pipe, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (141, b"")


def test_ids_are_shown_where_projects_are(run: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    flask = ProjectInfo(id="flask-0a1b2c3d", name="flask", root="/src/flask")
    now = StatusReply(
        pid=1, version="0", uptime_s=1, heartbeat_s=0, memory=1, data_home="/d", socket="/s", projects=[flask]
    )
    monkeypatch.setattr("navlog.daemon.cli.looking.ask", lambda *_args: now)
    monkeypatch.setattr("navlog.daemon.cli.projects.ask", lambda *_args: ProjectList(projects=[flask]))
    for command in (["status"], ["project", "list"]):
        assert "flask  flask-0a1b2c3d  " in run.invoke(navlog, command).stdout


def test_one_event_is_not_plural(run: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    done = Replayed(name="graph", events=1, overlays=0, digest="0", changed=False)
    reply = ReplayReply(projections=[done], elapsed_s=0)
    monkeypatch.setattr("navlog.daemon.cli.recovery.ask", lambda *_args, **_named: reply)
    assert "graph  1 event  0 overlays  sha256" in run.invoke(navlog, ["replay"]).stdout


@pytest.mark.parametrize(("stale", "next_step"), [("", "Name a symbol"), ("files so far: 3", "ask again")])
def test_an_empty_answer_says_why_and_what_next(
    run: CliRunner, monkeypatch: pytest.MonkeyPatch, stale: str, next_step: str
) -> None:
    reply = ContextReply(position=1, project="p", trace="t", elapsed_ms=1, tokens=0, stale=stale, items=[])
    monkeypatch.setattr("navlog.daemon.cli.here.ask", lambda *_args, **_how: reply)
    shown = run.invoke(navlog, ["context", "zebra"]).stdout
    assert shown.startswith("Nothing in the project speaks for any file.\n")
    assert next_step in shown


def test_a_sample_with_nothing_to_ask_says_so(run: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    project = ProjectInfo(id="p", name="p", root="/p", files=1)
    daemon = StatusReply(pid=1, version="0", uptime_s=1, heartbeat_s=0, memory=1, data_home="/d", socket="/s")
    replies = {
        "project-add": project,
        "indexed": Indexed(project=project, position=1),
        "sample": Sample(task=""),
        "status": daemon,
    }
    lifecycle = "navlog.daemon.cli.lifecycle"
    monkeypatch.setattr(f"{lifecycle}.ask", lambda _home, verb, *_args, **_named: replies[verb])
    monkeypatch.setattr(f"{lifecycle}.ensure_daemon", lambda *_args: (daemon, True))
    assert "nothing to ask" in run.invoke(navlog, ["up", "--sample"]).stdout
    assert "nothing to ask" not in run.invoke(navlog, ["up"]).stdout


def test_an_impact_names_the_class_and_what_the_limit_cut(
    run: CliRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").touch()
    asked: list[ImpactArgs] = []
    target = ImpactTarget(path="a.py", line=3, symbol="save", owner="Model")
    hit = ImpactHit(path="b.py", line=1, symbol="", distance=1, confidence=1, reason="calls it")

    def answer(_home: object, _verb: str, _kind: type, args: ImpactArgs, **_how: object) -> ImpactReply:
        asked.append(args)
        return ImpactReply(position=1, project="p", stale="", targets=[target], hits=[hit], found=75)

    monkeypatch.setattr("navlog.daemon.cli.here.ask", answer)
    shown = run.invoke(navlog, ["impact", "a.py:save"]).stdout
    assert shown.startswith("a.py:3  Model.save\n")
    assert "1 of 75 places" in shown
    run.invoke(navlog, ["impact", "a.py", "--project", "/other"])
    run.invoke(navlog, ["impact", "absent.py"])
    assert [args.target for args in asked] == [str(tmp_path / "a.py:save"), "a.py", "absent.py"]


def test_bytes_that_are_no_text_are_refused_and_no_fault_of_ours(run: CliRunner) -> None:
    shown = run.invoke(navlog, ["context", os.fsdecode(b"caf\xe9")])
    assert shown.exit_code == 2
    assert shown.stderr.splitlines()[0] == r"What is asked holds bytes that are no UTF-8: b'\xe9'."


def test_the_list_of_commands_shows_whole_sentences_in_the_order_of_the_page(run: CliRunner) -> None:
    for group in ([], ["overlay"], ["import"]):
        _, _, shown = run.invoke(navlog, [*group, "--help"]).stdout.partition("Commands:\n")
        assert shown
        assert "..." not in shown
    listed = [
        line.split()[0] for line in run.invoke(navlog, ["--help"]).stdout.splitlines() if line[2:3] > " "
    ]
    assert [name for name in listed if name in navlog.commands] == list(navlog.commands)


def test_an_interrupt_is_no_damage(run: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("navlog.daemon.cli.looking.ask", Mock(side_effect=KeyboardInterrupt))
    shown = run.invoke(navlog, ["status"])
    assert shown.exit_code == 130
    assert "Interrupted." in shown.stderr


def test_judgements_that_cannot_be_written_out_are_no_fault_of_ours(
    run: CliRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply = SharedReply(project="p", judgements=[])
    monkeypatch.setattr("navlog.daemon.cli.here.ask", lambda *_args, **_named: reply)
    shown = run.invoke(navlog, ["overlay", "export", str(tmp_path / "absent" / "file")])
    assert shown.exit_code == 2
    assert "absent/file cannot be written: No such file or directory." in shown.stderr


def test_a_plugin_that_cannot_be_written_is_no_fault_of_ours(run: CliRunner) -> None:
    shown = run.invoke(navlog, ["install", "claude-code", "--plugin", "/proc/absent"])
    assert shown.exit_code == 2
    assert "cannot be written: No such file or directory." in shown.stderr


@pytest.mark.parametrize("host", ["claude-code", "codex", "opencode", "pi", "mcp"])
def test_an_uninstall_takes_out_of_what_an_install_puts_into(run: CliRunner, host: str) -> None:
    put, taken = (run.invoke(navlog, [word, host, "--help"]).stdout for word in ("install", "uninstall"))
    assert " into the " in put
    assert " out of the " in taken
    assert " into " not in taken


def test_no_task_yet_is_said(run: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    reply = HistoryReply(position=1, project="p", tasks=[])
    monkeypatch.setattr("navlog.daemon.cli.here.ask", lambda *_args, **_named: reply)
    for command in (["task", "list"], ["history"]):
        assert run.invoke(navlog, command).stdout.startswith("No task yet")


def test_up_waits_while_the_log_is_still_read(run: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    project = ProjectInfo(id="p", name="p", root="/p", files=1)
    daemon = StatusReply(pid=1, version="0", uptime_s=1, heartbeat_s=0, memory=1, data_home="/d", socket="/s")
    replies = {"indexed": Indexed(project=project, position=1), "status": daemon}
    added = iter([TimedOut("still being read"), TimedOut("still being read"), project])

    def answer(_home: object, verb: str, *_args: object, **_named: object) -> object:
        found = next(added) if verb == "project-add" else replies[verb]
        if isinstance(found, TimedOut):
            raise found
        return found

    monkeypatch.setattr("navlog.daemon.cli.lifecycle.ask", answer)
    monkeypatch.setattr("navlog.daemon.cli.lifecycle.ensure_daemon", lambda *_args: (daemon, True))
    shown = run.invoke(navlog, ["up"])
    assert shown.exit_code == 0
    assert shown.stderr.count("reading the log …") == 1
