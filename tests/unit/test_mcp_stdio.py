"""The MCP shim: what it answers by itself, and what it passes on to the socket."""

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest

from navlog.daemon.hosts.installing.commands import SERVER
from navlog.daemon.mcp import stdio
from navlog.daemon.mcp.stdio import REVISIONS, Server


class Daemon:
    """Answers each connection with the lines it is given; keeps what it was asked."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "navlog" / "navlog.sock"
        self.path.parent.mkdir(parents=True)
        self.replies: list[dict[str, Any]] = [{"result": {"text": "block"}}]
        self.asked: list[dict[str, Any]] = []
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(str(self.path))
        self.listening.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                channel, _ = self.listening.accept()
            except OSError:
                return
            with channel, channel.makefile("rb") as lines:
                self.asked.append(json.loads(lines.readline()))
                for reply in self.replies:
                    channel.sendall(json.dumps(reply).encode() + b"\n")


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    one = Daemon(tmp_path)
    yield one
    one.listening.close()


def server(folder: Path) -> Server:
    return Server({"XDG_RUNTIME_DIR": str(folder)}, "/w")


def said(one: Server, method: str, **params: Any) -> dict[str, Any]:
    line = one.answer(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode())
    assert line is not None
    assert line.endswith(b"\n")
    found: dict[str, Any] = json.loads(line)
    return found


@pytest.mark.parametrize("wanted", REVISIONS)
def test_a_revision_both_speak_is_taken(tmp_path: Path, wanted: str) -> None:
    reply = said(server(tmp_path), "initialize", protocolVersion=wanted)
    assert reply["result"]["protocolVersion"] == wanted


@pytest.mark.parametrize("wanted", ["1999-01-01", None, 7])
def test_for_another_revision_the_newest_is_offered(tmp_path: Path, wanted: object) -> None:
    assert (
        said(server(tmp_path), "initialize", protocolVersion=wanted)["result"]["protocolVersion"]
        == REVISIONS[0]
    )


def test_every_tool_says_what_it_takes(tmp_path: Path) -> None:
    tools = said(server(tmp_path), "tools/list")["result"]["tools"]
    names = ["context", "search", "impact", "history", "note", "propose", "ctx_reduce"]
    assert [one["name"] for one in tools] == names
    for one in tools:
        assert set(one["inputSchema"]["required"]) <= set(one["inputSchema"]["properties"])


def test_a_tool_the_client_has_from_elsewhere_is_not_offered_a_second_time(
    tmp_path: Path, daemon: Daemon
) -> None:
    one = Server({"XDG_RUNTIME_DIR": str(tmp_path)}, "/w", ["ctx_reduce"])
    names = {tool["name"] for tool in said(one, "tools/list")["result"]["tools"]}
    assert "context" in names
    assert "ctx_reduce" not in names
    one.offer()
    assert daemon.asked == []  # the daemon hears of the tool that can be used: the plugin's


def test_a_call_goes_to_the_daemon_with_the_folder_and_the_client(tmp_path: Path, daemon: Daemon) -> None:
    one = server(tmp_path)
    said(one, "initialize", clientInfo={"name": "some-client"})
    reply = said(one, "tools/call", name="search", arguments={"words": "x"}, _meta={"a/call": "7"})
    assert reply["result"] == {"content": [{"type": "text", "text": "block"}], "isError": False}
    args = {
        "name": "search", "arguments": {"words": "x"}, "folder": "/w", "client": "some-client",
        "parent": os.getppid(), "meta": {"a/call": "7"},
    }  # fmt: skip
    assert daemon.asked == [{"verb": "tool", "args": args}]


def test_the_daemon_hears_once_that_the_tools_were_listed(tmp_path: Path, daemon: Daemon) -> None:
    one = server(tmp_path)
    one.offer()
    assert not daemon.asked
    said(one, "tools/list")
    daemon.replies = [{"error": {"message": "Not now."}}]
    one.offer()
    daemon.replies = [{"result": {"parent": 1}}]
    one.offer()
    one.offer()
    assert daemon.asked == [{"verb": "tool-offered", "args": {"parent": os.getppid()}}] * 2


def test_progress_is_passed_over_and_an_error_is_told_to_the_model(tmp_path: Path, daemon: Daemon) -> None:
    daemon.replies = [{"progress": {"done": 1}}, {"error": {"message": "No.", "hint": "Do."}}]
    result = said(server(tmp_path), "tools/call", name="context", arguments={})["result"]
    assert (result["content"][0]["text"], result["isError"]) == ("No. Do.", True)


def test_without_a_daemon_the_call_says_how_to_start_it(tmp_path: Path) -> None:
    result = said(server(tmp_path), "tools/call", name="context")["result"]
    assert result["isError"]
    assert "navlog up" in result["content"][0]["text"]


def test_a_sandbox_that_forbids_sockets_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Forbidden:
        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None: ...
        def settimeout(self, _seconds: float) -> None: ...
        def connect(self, _path: str) -> None:
            raise PermissionError

    monkeypatch.setattr(stdio, "socket", lambda *_: Forbidden())
    monkeypatch.setenv("NAVLOG_HOME", str(tmp_path))
    asked = {"name": "search", "arguments": {"words": "the login form"}}
    without = said(server(tmp_path), "tools/call", **asked)["result"]
    assert (without["content"][0]["text"], without["isError"]) == (
        "This sandbox forbids the connection to navlog.", True,
    )  # fmt: skip
    (tmp_path / "snapshots").mkdir()
    known = {"root": "/w", "position": 7, "paths": {"a/login.py": ["Form"], "b.py": ["form_of"], "c.py": []}}
    (tmp_path / "snapshots/p.json").write_text(json.dumps(known))
    reply = said(server(tmp_path), "tools/call", **asked)["result"]
    assert not reply["isError"]
    first, *found = reply["content"][0]["text"].split("\n")
    assert "sandbox forbids" in first
    assert found == ["- a/login.py  Form", "- b.py  form_of"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"not json\n", -32700),
        (b"[" * 100_000, -32700),
        (b"3\n", -32600),
        (b'{"id":1,"method":"ping"}\n', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"nope"}\n', -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}\n', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}\n', -32602),
    ],
)
def test_what_cannot_be_answered_is_said_as_the_protocol_says_it(
    tmp_path: Path, line: bytes, code: int
) -> None:
    assert json.loads(server(tmp_path).answer(line) or b"")["error"]["code"] == code


@pytest.mark.parametrize("line", [b"\n", b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n', b"[]"])
def test_what_asks_nothing_gets_nothing(tmp_path: Path, line: bytes) -> None:
    assert server(tmp_path).answer(line) is None


def test_a_batch_is_answered_together(tmp_path: Path) -> None:
    ping = {"jsonrpc": "2.0", "method": "ping"}
    line = json.dumps([{**ping, "id": 1}, ping, {**ping, "id": 2}]).encode()
    assert [one["id"] for one in json.loads(server(tmp_path).answer(line) or b"")] == [1, 2]


def test_it_runs_without_anything_installed(tmp_path: Path) -> None:
    asked = b'{"jsonrpc":"2.0","id":7,"method":"ping"}\n'
    done = subprocess.run(
        [sys.executable, "-I", "-S", SERVER], input=asked, capture_output=True, check=True, cwd=tmp_path
    )
    assert done.stdout == b'{"jsonrpc":"2.0","id":7,"result":{}}\n'
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("line", "key", "code"),
    [
        (b'{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}', "\ud800", None),
        (b'{"jsonrpc": "2.0", "id": 1, "method": ["ping"]}', None, -32600),
        (b'{"jsonrpc": "2.0", "id": {"a": 1}, "method": "ping"}', None, -32600),
        (b'{"jsonrpc": "2.0", "id": NaN, "method": "ping"}', None, -32700),
    ],
    ids=["half a pair", "method", "id", "NaN"],
)
def test_a_client_that_speaks_nonsense_is_answered_in_json(
    tmp_path: Path, line: bytes, key: str | None, code: int | None
) -> None:
    said_back = server(tmp_path).answer(line)
    assert said_back is not None
    reply = json.loads(said_back.decode())
    assert reply["id"] == key
    assert reply.get("error", {}).get("code") == code


def test_half_a_surrogate_pair_in_an_argument_is_still_a_request(tmp_path: Path, daemon: Daemon) -> None:
    said(server(tmp_path), "tools/call", name="search", arguments={"words": "\ud800 x"})
    assert daemon.asked[0]["args"]["arguments"] == {"words": "? x"}
