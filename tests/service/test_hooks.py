"""Hooks as a host runs them: a process a call, a real daemon, and everything that can be wrong with either.

``NAVLOG_HOOKS=1000`` is the full count of prompts.
"""

import contextlib
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from service.conftest import Installation, running

from navlog.daemon.client import ask
from navlog.daemon.hosts import hook
from navlog.schemas.control import SqlArgs, SqlReply
from navlog.schemas.meaning import Action, JudgeArgs, JudgeReply
from navlog.schemas.tasks import HistoryArgs, HistoryReply

CLIENT = (sys.executable, "-I", "-S", hook.__file__)
PROMPTS = int(os.environ.get("NAVLOG_HOOKS", "20"))
SECRET = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6"
WAIT_S = 20.0  # for what a thread of the daemon does by itself

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(90 + 2 * PROMPTS)]


class Hooks:
    """A daemon with one project, and hooks that are called in it."""

    def __init__(self, installation: Installation, root: Path) -> None:
        self.installation = installation
        self.root = root
        self.spool = installation.home.spool

    def payload(self, name: str, session: str = "s", **fields: Any) -> bytes:
        call = {"session_id": session, "cwd": str(self.root), "hook_event_name": name, **fields}
        return msgspec.json.encode(call)

    def call(self, payload: bytes, *command: str, **environ: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [*(command or (*CLIENT, "claude-code"))], input=payload, capture_output=True, check=False,
            env={**self.installation.environ, **environ}, timeout=30,
        )  # fmt: skip

    def hear(self, payload: bytes) -> subprocess.CompletedProcess[bytes]:
        """A call that is in the log when this returns: on a busy machine it may go by way of the spool."""
        done = self.call(payload)
        self.drained()
        return done

    def said(self, where: str = "true") -> list[tuple[str, ...]]:
        """(type, session, id) of what hooks said, in the order of the log."""
        columns = "SELECT type, data->>'session', id FROM events WHERE source LIKE 'hook:%'"
        query = f"{columns} AND {where} ORDER BY position"
        reply = ask(self.installation.home, "sql", SqlReply, SqlArgs(query=query))
        return [tuple(map(str, row)) for row in reply.rows]

    def waits_for(self, what: Callable[[], bool]) -> None:
        """What the daemon does by itself, in a while."""
        until = time.monotonic() + WAIT_S
        while not what():
            assert time.monotonic() < until
            time.sleep(0.05)

    def drained(self) -> None:
        self.waits_for(
            lambda: not self.spool.exists() or not any(file.is_file() for file in self.spool.iterdir())
        )

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """SIGSTOP: it accepts connections and never answers."""
        pid = self.installation.status().pid
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(pid, signal.SIGCONT)


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hooks]:
    root = tmp_path_factory.mktemp("p").resolve()
    (root / "login.py").write_text("def login(user: str) -> bool:\n    return bool(user)\n")
    with running(tmp_path_factory) as one:
        assert one.run("up").returncode == 0
        one.index(root)
        yield Hooks(one, root)


def test_every_hook_leaves_an_event_and_says_nothing(hooks: Hooks) -> None:
    for name in ("SessionStart", "PreToolUse", "PostToolBatch", "NeverHeardOf"):
        done = hooks.hear(hooks.payload(name, "each", tool_name="Bash", tool_input={"command": "ls"}))
        assert (done.returncode, done.stderr) == (0, b"")
    found = [type_ for type_, session, _ in hooks.said() if session == "each"]
    assert found == ["session_started", "tool_asked", "hook_called", "hook_called"]


def test_a_session_becomes_a_task_with_its_result(hooks: Hooks) -> None:
    tool = {
        "tool_name": "Edit",
        "tool_input": {"file_path": str(hooks.root / "login.py")},
        "tool_use_id": "t1",
    }
    tests = {"tool_name": "Bash", "tool_input": {"command": "pytest test_login.py"}, "tool_use_id": "t2"}
    hooks.hear(hooks.payload("SessionStart", "task", source="startup"))
    hooks.hear(hooks.payload("UserPromptSubmit", "task", prompt="Refuse blank usernames at the login"))
    hooks.hear(hooks.payload("PostToolUse", "task", tool_response="ok", **tool))
    hooks.hear(
        hooks.payload("PostToolUse", "task", tool_response={"stdout": "3 passed", "stderr": ""}, **tests)
    )
    hooks.hear(hooks.payload("Stop", "task", last_assistant_message="Blank names are refused."))
    hooks.hear(hooks.payload("SessionEnd", "task", reason="other"))
    history = ask(
        hooks.installation.home, "history", HistoryReply, HistoryArgs(path=str(hooks.root / "login.py"))
    )
    (task,) = [one for one in history.tasks if "task" in one.sessions]
    assert (task.title, task.status) == ("Refuse blank usernames at the login", "completed")
    assert task.summary == "Blank names are refused."
    assert [(file.path, file.modified) for file in task.files if file.modified] == [("login.py", 1)]
    (related,) = hooks.installation.context("blank usernames login", hooks.root).tasks
    assert related["task"] == task.task


def test_the_end_of_a_task_names_what_it_affected_as_it_was_called_then(hooks: Hooks) -> None:
    def judge(action: Action, **said: Any) -> None:
        args = JudgeArgs(action=action, project=str(hooks.root), who="ann", **said)
        ask(hooks.installation.home, "overlay", JudgeReply, args)

    (hooks.root / "door.py").write_text("def opens_at() -> int:\n    return 9\n")
    judge("create", label="Opening hours")
    hooks.installation.context("opens at", hooks.root)
    judge("map", target="opening-hours", paths=["door.py"])
    tool = {"tool_name": "Edit", "tool_input": {"file_path": str(hooks.root / "door.py")}, "tool_use_id": "d"}
    hooks.hear(hooks.payload("UserPromptSubmit", "door", prompt="Open at eight"))
    hooks.hear(hooks.payload("PostToolUse", "door", tool_response="ok", **tool))
    hooks.hear(hooks.payload("SessionEnd", "door", reason="other"))
    judge("rename", target="opening-hours", label="Door")
    args = HistoryArgs(path=str(hooks.root / "door.py"))
    (task,) = ask(hooks.installation.home, "history", HistoryReply, args).tasks
    assert ("concept:opening-hours", "Opening hours") in task.concepts


def test_hooks_that_are_installed_twice_say_a_tool_once(hooks: Hooks) -> None:
    call = hooks.payload("PostToolUse", "twice", tool_name="Read", tool_input={}, tool_use_id="same")
    hooks.hear(call)
    hooks.hear(call)
    assert len([one for one in hooks.said() if one[1] == "twice"]) == 1
    hooks.hear(hooks.payload("PostToolUse", "twice", tool_name="Grep", tool_input={}, tool_use_id="same"))
    assert len([one for one in hooks.said() if one[1] == "twice"]) == 2


def test_a_folder_that_is_no_project_is_not_heard(hooks: Hooks, tmp_path: Path) -> None:
    before = len(hooks.said())
    for cwd in (str(tmp_path), "/gone", "relative", ""):
        done = hooks.call(hooks.payload("UserPromptSubmit", prompt="Fix it", cwd=cwd))
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(hooks.said()) == before


@pytest.mark.parametrize(
    "environ",
    [
        {"XDG_RUNTIME_DIR": "/nowhere"},
        {"NAVLOG_HOME": "/proc/nowhere", "XDG_RUNTIME_DIR": "/nowhere"},
        {"NAVLOG_HOME": "/dev/null", "XDG_RUNTIME_DIR": ""},
        {"HOME": "", "NAVLOG_HOME": "~nobody-there/x", "XDG_RUNTIME_DIR": "relative"},
        {"XDG_RUNTIME_DIR": "/" + "x" * 300},
        {"XDG_RUNTIME_DIR": "/\udcff"},
        {"PYTHONHOME": "/nowhere", "PYTHONPATH": "/nowhere", "LANG": "xx_XX"},
    ],
)
def test_whatever_is_wrong_the_client_exits_0_and_says_nothing(hooks: Hooks, environ: dict[str, str]) -> None:
    for payload in (hooks.payload("Stop", "weird"), b"", b"no json", b"\xff\x00{", b"[" * 10_000):
        done = hooks.call(payload, **environ)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("redirection", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", "</dev/null", "> /dev/full"])
def test_broken_streams_break_nothing(hooks: Hooks, redirection: str) -> None:
    line = " ".join(CLIENT) + f" claude-code {redirection}"
    done = hooks.call(hooks.payload("Stop", "streams"), "sh", "-c", line)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_host_that_never_closes_its_end_costs_no_more_than_the_deadline(hooks: Hooks) -> None:
    for sent in (b"", hooks.payload("Stop", "open"), hooks.payload("Stop", "half")[:-1] + b', "more": "'):
        with subprocess.Popen(
            [*CLIENT, "codex"], stdin=subprocess.PIPE, env=hooks.installation.environ
        ) as one:
            assert one.stdin
            one.stdin.write(sent)
            one.stdin.flush()
            assert one.wait(5) == 0
    hooks.waits_for(lambda: {"open", "half"} <= {session for _, session, _ in hooks.said()})


def test_a_payload_of_any_length_leaves_its_event(hooks: Hooks) -> None:
    payload = hooks.payload(
        "PostToolUse", "long", tool_name="Bash", tool_use_id="l", tool_response="x" * 6_000_000
    )
    assert hooks.call(payload).returncode == 0
    hooks.waits_for(lambda: ("tool_used", "long") in [one[:2] for one in hooks.said()])


REPLIES = [
    b"", b"\n", b"{}\n", b'{"error":{"code":"X","message":"m"}}\n', b"\x00" * 5000,
    b'{"result":{"stdout":7}}\n', b'{"result":{"stdout":"half', b"HTTP/1.1 200 OK\r\n\r\n",
]  # fmt: skip


@pytest.mark.parametrize("reply", REPLIES, ids=range(len(REPLIES)))
def test_a_reply_that_is_none_is_not_printed_and_the_call_is_kept(
    tmp_path_factory: pytest.TempPathFactory, reply: bytes
) -> None:
    """Something else listens where the daemon should."""
    folder = tmp_path_factory.mktemp("r")
    (folder / "run/navlog").mkdir(parents=True)
    (folder / "data").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "run/navlog/navlog.sock"))
        server.listen()
        talking = threading.Thread(target=_answer, args=(server, reply))
        talking.start()
        done = subprocess.run(
            [*CLIENT, "claude-code"], input=b'{"prompt": "x"}', capture_output=True, check=False,
            env={"NAVLOG_HOME": str(folder / "data"), "XDG_RUNTIME_DIR": str(folder / "run")},
        )  # fmt: skip
        talking.join()
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    until = time.monotonic() + WAIT_S
    while not (kept := list((folder / "data/spool").glob("*.json"))) and time.monotonic() < until:
        time.sleep(0.02)
    assert len(kept) == 1


def descriptors_of(pid: int) -> int:
    return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())


def _answer(server: socket.socket, reply: bytes) -> None:
    with contextlib.suppress(OSError):
        channel, _ = server.accept()
        with channel:
            channel.recv(1 << 16)
            channel.sendall(reply)


def test_a_stopped_daemon_costs_no_prompt_and_loses_no_call(hooks: Hooks) -> None:
    hooks.drained()
    with hooks.stopped():
        for number in range(PROMPTS):
            done = hooks.call(
                hooks.payload("UserPromptSubmit", f"stopped{number}", prompt=f"Fix the thing {number}")
            )
            assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        hooks.waits_for(lambda: len(list(hooks.spool.glob("*.json"))) == PROMPTS)  # a child may be at one
    hooks.drained()  # and the daemon finds, all at once, what it was asked while it stood still
    kept = (
        "prompt_given",
        "hook_called",
    )  # without its words where a busy machine left no time for the rules
    found = [session for type_, session, _ in hooks.said() if type_ in kept and "stopped" in session]
    assert sorted(found) == sorted(f"stopped{number}" for number in range(PROMPTS))
    assert not hooks.installation.status().spool.damaged


def test_a_daemon_that_is_away_and_comes_back_hears_it_all_in_order(hooks: Hooks) -> None:
    assert hooks.installation.run("down").returncode == 0
    for name in ("SessionStart", "UserPromptSubmit", "PreToolUse", "Stop"):
        done = hooks.call(hooks.payload(name, "away", prompt="Repair it", tool_name="Read", tool_use_id="a"))
        assert (done.returncode, done.stdout) == (0, b"")
    assert hooks.installation.run("up").returncode == 0
    hooks.drained()
    found = [type_ for type_, session, _ in hooks.said() if session == "away" and type_ != "task_opened"]
    assert found == ["session_started", "prompt_given", "tool_asked", "turn_ended"]


def test_a_call_that_was_heard_and_spooled_is_one(hooks: Hooks) -> None:
    call = b'{"host":"claude-code","id":"0123456789abcdef","at":"2026-01-01T00:00:00Z","payload":%b}'
    hooks.spool.mkdir(mode=0o700, exist_ok=True)
    for number in (1, 2):
        (hooks.spool / f"{number}.json").write_bytes(
            call % hooks.payload("UserPromptSubmit", "late", prompt="Fix it")
        )
        hooks.drained()
    assert [type_ for type_, session, _ in hooks.said() if session == "late"] == [
        "task_opened",
        "prompt_given",
    ]


def test_a_secret_does_not_reach_the_spool(hooks: Hooks) -> None:
    with hooks.stopped():
        hooks.call(hooks.payload("UserPromptSubmit", "secret", prompt=f"Use the token {SECRET}"))
        hooks.call(f"not even json {SECRET}".encode())
        kept = b"".join(file.read_bytes() for file in hooks.spool.rglob("*") if file.is_file())
    assert b'"secret"' in kept
    assert SECRET.encode() not in kept
    hooks.waits_for(lambda: bool(hooks.said("data->>'session' = 'secret'")))
    data = [file.read_bytes() for file in hooks.installation.home.data.rglob("*") if file.is_file()]
    assert not [one for one in data if SECRET.encode() in one]


def test_what_is_no_call_is_set_aside_and_its_folder_is_named(hooks: Hooks) -> None:
    hooks.spool.mkdir(mode=0o700, exist_ok=True)
    (hooks.spool / "0-broken.json").write_bytes(b"{torn")
    hooks.drained()
    assert "0-broken.json" in hooks.installation.status().spool.damaged
    assert re.search(r"no hook call: 1 file in \S+/spool/damaged\n", hooks.installation.run("status").stdout)


def test_clients_that_are_killed_leave_a_daemon_as_it_was(hooks: Hooks) -> None:
    """R26, and the first of the complaints: no child, no descriptor, no half of a call stays."""
    dice = random.Random(26)
    before = hooks.installation.status()
    descriptors = descriptors_of(before.pid)
    for number in range(PROMPTS):
        with subprocess.Popen(
            [*CLIENT, "claude-code"], stdin=subprocess.PIPE, env=hooks.installation.environ
        ) as client:
            assert client.stdin
            with contextlib.suppress(BrokenPipeError):
                client.stdin.write(hooks.payload("UserPromptSubmit", f"killed{number}", prompt="Fix it"))
                client.stdin.close()
            time.sleep(dice.uniform(0, 0.08))
            client.kill()
    hooks.waits_for(lambda: descriptors_of(before.pid) <= descriptors + 2)
    assert hooks.installation.status().pid == before.pid
    assert hooks.hear(hooks.payload("Stop", "after")).returncode == 0
    assert ("turn_ended", "after") in [one[:2] for one in hooks.said()]
