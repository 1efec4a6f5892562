"""The client's own code, in this process; what it does as a process is in tests/service/test_hooks.py."""

import ast
import contextlib
import json
import os
import pkgutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.daemon.home import find_home
from navlog.daemon.hosts import hook
from navlog.schemas.wire import PROTOCOL, HookArgs, Request

ROOT = Path(__file__).parents[3]
TREE = ast.parse((ROOT / "daemon/hosts/hook.py").read_bytes())
PATHS = st.sampled_from(["", "/a", "/a/b", "a/b", "/a/", "/with space"])
FACTS = b'{"navlog":1,"result":{"stdout":"facts"}}\n'
PLACES = {
    "HOME": PATHS,
    "NAVLOG_HOME": PATHS | st.just("~/x"),
    "XDG_DATA_HOME": PATHS,
    "XDG_RUNTIME_DIR": PATHS,
}


def test_the_command_for_people_is_in_every_installation() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert pkgutil.resolve_name(scripts["navlog-hook"]) is hook.main


def imported(nodes: list[ast.stmt]) -> set[str]:
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_the_client_imports_what_costs_nothing() -> None:
    assert imported(TREE.body) == {"os", "sys", "time", "_signal", "_socket"}


def test_the_client_needs_no_installation() -> None:
    """The rules against secrets are read by their path: no site-packages, no msgspec."""
    code = f"import sys; sys.path.insert(0, {str(ROOT / 'daemon/hosts')!r}); import hook\n"
    code += 'print(hook._without_secrets(b\'{"prompt": "x", "password": "zX9!kQ27pLm4vT"}\').decode())'
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)["prompt"] == "x"
    assert "zX9!kQ27pLm4vT" not in done.stdout


@given(st.fixed_dictionaries({}, optional=PLACES))
def test_the_client_finds_the_home_that_the_daemon_finds(environ: dict[str, str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "environ", environ)
        data, socket = hook._places()
        home = find_home(environ)
    assert (Path(data), Path(socket)) == (home.data, home.socket)


@given(st.text(max_size=20), st.sampled_from([b'{"a": 1}', b'{\n "a": "x\\n"\r\n}', b"{}"]))
def test_a_request_is_one_line_that_the_daemon_reads(host: str, payload: bytes) -> None:
    host = host.encode("utf-8", "replace").decode()
    args = hook._args(host, "ab" * 16, 1_796_012_302_360_043_478, 100) + hook._line(payload)
    line = hook._request("/data", "ab" * 16, args)
    assert line.count(b"\n") == 1
    request = msgspec.json.decode(line, type=Request)
    assert (request.verb, request.navlog, request.home, request.trace) == (
        "hook",
        PROTOCOL,
        "/data",
        "ab" * 16,
    )
    call = msgspec.json.decode(request.args, type=HookArgs)
    assert (call.host, call.at, call.wait_ms) == (host, "2026-11-30T04:18:22.360Z", 100)
    assert msgspec.json.decode(call.payload) == msgspec.json.decode(payload)


def test_without_time_for_the_rules_only_the_names_of_the_call_are_kept() -> None:
    known = {"session_id": "s", "cwd": "/p", "hook_event_name": "UserPromptSubmit"}
    payload = {**known, "prompt": "secret", "x": {"y": 1}, "tool_name": "z" * 5000}
    kept = hook._bare(json.dumps(payload).encode())
    assert json.loads(kept) == known


def keep(
    folder: Path,
    number: int,
    payload: bytes = b'{"prompt": "x"}',
    channel: Any = None,
    reply: bytes = b"",
) -> bytes | None:
    args = hook._args("codex", "c", 0, 0)
    return hook._spooled(f"{folder}/.{number}", args, payload, channel, bytearray(reply), time.monotonic())


def late(_: object) -> bytes:
    raise hook.Late


def no_child(_: object) -> bool:
    raise OSError


class Channel:
    """A connection on which these parts come, one a call; `Late` stands for the end of the time."""

    def __init__(self, *parts: bytes | type[Exception]) -> None:
        self.parts = list(parts)

    def recv(self, _: int) -> bytes:
        part = self.parts.pop(0)
        if isinstance(part, bytes):
            return part
        raise part


def kept(file: Path) -> Any:
    return msgspec.json.decode(msgspec.json.decode(file.read_bytes(), type=HookArgs).payload)


@pytest.fixture(autouse=True)
def no_alarm_and_no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook, "_alarm", lambda *_: None)
    monkeypatch.setattr(hook, "_parted", no_child)


def test_a_call_is_kept_under_its_own_name_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "spool"
    assert keep(folder, 1) is None
    (file,) = folder.iterdir()
    assert (file.name, kept(file)) == ("1.json", {"prompt": "x"})
    assert (file.stat().st_mode & 0o777, folder.stat().st_mode & 0o777) == (0o600, 0o700)


def test_a_call_is_kept_without_texts_before_secrets_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hook, "_without_secrets", late)
    keep(tmp_path, 1, b'{"session_id": "s", "prompt": "x"}')
    assert kept(tmp_path / "1.json") == {"session_id": "s"}


def test_what_the_time_was_too_short_for_is_left_to_a_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = hook._without_secrets
    monkeypatch.setattr(hook, "_without_secrets", late)
    monkeypatch.setattr(hook, "_parted", lambda _: True)
    keep(tmp_path, 1)
    assert [file.name for file in tmp_path.iterdir()] == [".1.open"]

    def child(_: object) -> bool:
        monkeypatch.setattr(hook, "_without_secrets", rules)
        return False

    monkeypatch.setattr(hook, "_parted", child)
    monkeypatch.setattr(hook, "_without_secrets", late)
    keep(tmp_path, 1)
    assert [(file.name, kept(file)) for file in tmp_path.iterdir()] == [("1.json", {"prompt": "x"})]


@pytest.mark.parametrize("payload", [b"no json", b"[]"])
def test_no_child_is_left_with_what_it_cannot_do_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, payload: bytes
) -> None:
    monkeypatch.setattr(hook, "_parted", lambda _: pytest.fail("a child"))
    with pytest.raises(FileNotFoundError):
        keep(tmp_path, 1, payload)


def test_what_was_heard_in_the_end_is_not_kept(tmp_path: Path) -> None:
    assert keep(tmp_path, 1, channel=Channel(FACTS)) == b"facts"
    assert not list(tmp_path.iterdir())


def test_an_answer_that_came_while_secrets_were_looked_for_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The daemon has written down that it gave this, and will not give it again."""
    monkeypatch.setattr(hook, "_without_secrets", late)
    assert keep(tmp_path, 1, channel=Channel(FACTS)) == b"facts"
    assert not list(tmp_path.iterdir())


def test_of_an_answer_that_is_cut_by_the_time_nothing_is_lost(tmp_path: Path) -> None:
    channel, reply = Channel(FACTS[:20], hook.Late, FACTS[20:]), bytearray()
    assert hook._heard(cast("Any", channel), reply) is None
    assert keep(tmp_path, 1, channel=channel, reply=bytes(reply)) == b"facts"


def test_what_was_heard_is_said_though_the_spool_has_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hook, "SPOOL_FILES", 0)
    assert keep(tmp_path, 1, channel=Channel(FACTS)) == b"facts"


def test_what_was_not_heard_in_time_is_kept(tmp_path: Path) -> None:
    assert keep(tmp_path, 1, channel=Channel(FACTS[:20], hook.Late)) is None
    assert [file.name for file in tmp_path.iterdir()] == ["1.json"]


@pytest.mark.parametrize(("limit", "most"), [("SPOOL_FILES", 2), ("SPOOL_BYTES", 1)])
def test_a_spool_that_is_full_takes_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    monkeypatch.setattr(hook, limit, most)
    for number in range(4):
        with contextlib.suppress(FileNotFoundError):  # there is nothing to settle
            keep(tmp_path, number)
    assert 1 <= len(list(tmp_path.iterdir())) <= 2
