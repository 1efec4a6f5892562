"""MCP over HTTP: who is refused, and what the SDK makes of the rest."""

import asyncio
import json
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import pytest

from navlog.daemon.mcp.guard import TOKEN, Guard, token_of
from navlog.schemas.errors import UnsafeHome

PORT = 7337
OWN = {"host": f"127.0.0.1:{PORT}", "authorization": "Bearer secret"}


def scope(method: str = "POST", client: Any = ("127.0.0.1", 1), **headers: str) -> dict[str, Any]:
    named = {**OWN, **headers}
    pairs = [(name.encode(), value.encode()) for name, value in named.items() if value]
    return {"type": "http", "method": method, "path": "/mcp", "client": client, "headers": pairs}


async def nothing(_scope: object, _receive: object, _send: object) -> None: ...


GUARD = Guard(nothing, "secret", PORT)


@pytest.mark.parametrize(
    "fine",
    [
        scope(), scope("GET"), scope(host=f"localhost:{PORT}"),
        scope(host=f"[::1]:{PORT}", client=("::1", 1)), scope(origin=f"http://localhost:{PORT}"),
    ],
)  # fmt: skip
def test_a_client_of_this_machine_with_the_token_is_heard(fine: dict[str, Any]) -> None:
    assert GUARD.refusal(fine) == 0


@pytest.mark.parametrize(
    ("bad", "status"),
    [
        (scope(host="evil.example"), 403),
        (scope(host=f"evil.example:{PORT}"), 403),
        (scope(host="127.0.0.1:80"), 403),
        (scope(host=""), 403),
        (scope(origin="http://evil.example"), 403),
        (scope(origin="null"), 403),
        (scope(origin=f"https://localhost:{PORT}"), 403),
        (scope(client=("192.168.1.7", 1)), 403),
        (scope(client=None), 403),
        (scope(authorization="Bearer wrong"), 401),
        (scope(authorization=""), 401),
        (scope(authorization="secret"), 401),
        (scope("OPTIONS"), 405),
        (scope("PUT"), 405),
    ],
)
def test_everybody_else_is_refused(bad: dict[str, Any], status: int) -> None:
    assert GUARD.refusal(bad) == status


def test_a_header_that_comes_twice_is_refused() -> None:
    twice = scope()
    twice["headers"].append((b"host", b"evil.example"))
    assert GUARD.refusal(twice) == 403


def test_the_token_is_drawn_once_for_its_owner_alone(tmp_path: Path) -> None:
    token = token_of(tmp_path)
    assert token_of(tmp_path) == token
    assert len(token) >= 32
    (tmp_path / TOKEN).chmod(0o644)
    with pytest.raises(UnsafeHome, match="others"):
        token_of(tmp_path)


def request(body: dict[str, Any], **headers: str) -> tuple[int, dict[str, Any]]:
    """What the whole application answers to one POST."""
    streaming = pytest.importorskip("navlog.daemon.mcp.streaming", reason="the extra `mcp` is not installed")
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": json.dumps(body).encode(), "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    async def run() -> None:
        application = streaming.application({"XDG_RUNTIME_DIR": "/nowhere"}, "/w")
        types = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        async with application.running():
            await Guard(application, "secret", PORT)(scope(**types, **headers), receive, send)

    asyncio.run(run())
    data = b"".join(one.get("body", b"") for one in sent)
    return sent[0]["status"], json.loads(data) if data else {}


def rpc(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def test_the_sdk_lists_the_same_tools() -> None:
    status, reply = request(rpc("tools/list"))
    assert status == 200
    assert [one["name"] for one in reply["result"]["tools"]][:2] == ["context", "search"]


def test_a_call_without_a_daemon_says_so() -> None:
    _, reply = request(rpc("tools/call", name="context", arguments={"task": "x"}))
    assert reply["result"]["isError"]
    assert "navlog up" in reply["result"]["content"][0]["text"]


def test_without_the_token_the_sdk_hears_nothing() -> None:
    assert request(rpc("tools/list"), authorization="Bearer wrong") == (401, {})
