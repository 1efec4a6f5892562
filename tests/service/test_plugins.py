"""The plugins of OpenCode and pi around a session's tail, run by node, with a real daemon."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from service.conftest import Installation, running

from navlog.daemon.client import ask
from navlog.schemas.control import SqlArgs, SqlReply
from support.plugins import Body, driven, needs_node

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(120), needs_node]
ARCS = 60
NOW = int(time.time() * 1000)  # pi knows its messages by their time
TEXT = "the ledger keeps its sum of the day, and what is short is written in red beside it. " * 75
HOSTS = pytest.mark.parametrize("host", ["opencode", "pi"])


@pytest.fixture
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Installation, Path]]:
    root = tmp_path_factory.mktemp("p")
    (root / "a.py").write_text("A = 1\n")
    with running(tmp_path_factory) as installation:
        assert installation.run("up", str(root)).returncode == 0
        yield installation, root


def requested(host: str, arcs: int) -> Body:
    """The request of a session in which that many files were read."""
    if host == "pi":
        read = [message for number in range(arcs) for message in _pi(number)]
        asked = {"role": "user", "content": "Read all ledgers", "timestamp": 1}
        return {"event": {"type": "context", "messages": [asked, *read]}}
    asked = {"id": "u", "role": "user", "sessionID": "s", "agent": "build", "time": {}}
    read = [_opencode(number) for number in range(arcs)]
    prompt = {"info": asked, "parts": [{"type": "text", "text": "Read all ledgers"}]}
    hook = "experimental.chat.messages.transform"
    return {"hook": hook, "input": {}, "output": {"messages": [prompt, *read]}}


def _opencode(number: int) -> Body:
    info = {"id": f"a{number}", "role": "assistant", "sessionID": "s", "providerID": "p", "modelID": "m"}
    state = {
        "status": "completed",
        "input": {"filePath": f"{number}.txt"},
        "output": _ledger(number),
        "time": {},
    }
    part = {"type": "tool", "callID": f"c{number}", "tool": "read", "state": state}
    return {"info": {**info, "time": {"completed": NOW}}, "parts": [part]}


def _pi(number: int) -> list[Body]:
    call = {"type": "toolCall", "id": f"c{number}", "name": "read", "arguments": {"path": f"{number}.txt"}}
    said = {
        "role": "assistant",
        "provider": "p",
        "model": "m",
        "timestamp": NOW - 1000 + number,
        "content": [call],
    }
    came = {
        "role": "toolResult",
        "toolCallId": f"c{number}",
        "toolName": "read",
        "timestamp": NOW - 1000 + number,
    }
    return [said, {**came, "content": [{"type": "text", "text": _ledger(number)}]}]


def _ledger(number: int) -> str:
    return f"LEDGER {number}. {TEXT}"


def used(host: str, call: str) -> Body:
    if host == "pi":
        content = [{"type": "text", "text": "out"}]
        event = {
            "type": "tool_result",
            "toolName": "read",
            "toolCallId": call,
            "input": {},
            "content": content,
        }
        return {"event": event, "rest": 500}
    about = {"tool": "read", "sessionID": "s", "callID": call, "args": {}}
    return {
        "hook": "tool.execute.after",
        "input": about,
        "output": {"output": "out", "metadata": {}},
        "rest": 500,
    }


def outputs(host: str, came: Body) -> list[str]:
    """What the model sees of each file."""
    if host == "pi":
        results = [one for one in came["result"]["messages"] if one["role"] == "toolResult"]
        return [one["content"][0]["text"] for one in results]
    return [one["parts"][0]["state"]["output"] for one in came["output"]["messages"][1:]]


@HOSTS
def test_a_long_session_is_told_gives_up_and_is_rid_of_it(
    house: tuple[Installation, Path], host: str
) -> None:
    installation, root = house
    steps = [
        requested(host, ARCS),
        used(host, "c98"),  # the reminder
        used(host, "c99"),  # the message of its own
        {"tool": "ctx_reduce", "input": {"drop": "2-30", "reason": "read"}},
        {"tool": "ctx_reduce", "input": {"drop": "x"}},
        requested(host, ARCS),
        requested(host, ARCS + 1),
    ]
    client = {"model": {"id": "m", "provider": "p", "contextWindow": 200_000}}
    found = driven(host, steps, installation.environ, folder=str(root), client=client)
    came: list[Any] = found["came"]
    first, then = outputs(host, came[0]), outputs(host, came[6])
    assert [text.partition(" ")[0] for text in first] == [f"§{tag}§" for tag in range(2, ARCS + 2)]
    assert "Before the next tool call" in str(came[1])
    assert "Before the next tool call" not in str(came[2])
    assert len(found["sent"]) == 1
    assert "Set aside: 2-30." in str(came[3]["result"])
    assert "is no tag and no range of tags" in str(came[4]["result"])
    assert then[:29] == [f"[dropped §{tag}§]" for tag in range(2, 31)]
    assert then[29:] == [*first[29:], f"§{ARCS + 2}§ {_ledger(ARCS)}"]
    assert outputs(host, came[5]) == then[:-1]
    query = (
        "select type, count(*) as n from events where type in ('nudge_shown', 'nudge_delivered') group by 1"
    )
    rows = {row[0]: row[1] for row in ask(installation.home, "sql", SqlReply, SqlArgs(query=query)).rows}
    assert rows["nudge_shown"] == rows["nudge_delivered"]
