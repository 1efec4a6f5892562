"""The context provider of the Microsoft Agent Framework: 300 ms, and passing through."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

framework = pytest.importorskip("agent_framework", reason="the extra `agent-framework` is not installed")
provider = pytest.importorskip("navlog.daemon.hosts.agent_framework")

REPLIES = {"start": "ORIENTATION", "prompt": "BLOCK"}


class Daemon:
    """Answers the verb `hook`, after ``wait_s``."""

    def __init__(self, wait_s: float = 0.0, garbage: bytes = b"") -> None:
        self.asked: list[dict[str, Any]] = []
        self.wait_s, self.garbage = wait_s, garbage
        self.running: list[asyncio.Task[Any]] = []

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.running += filter(None, [asyncio.current_task()])
        payload = json.loads(await reader.readline())["args"]["payload"]
        self.asked.append(payload)
        await asyncio.sleep(self.wait_s)
        said = json.dumps({"block": REPLIES.get(payload["hook"], "")})
        writer.write(self.garbage or json.dumps({"result": {"stdout": said}}).encode() + b"\n")
        writer.close()
        await writer.wait_closed()


SLOW = Daemon(wait_s=0.2)


def run(folder: Path, monkeypatch: pytest.MonkeyPatch, daemon: Daemon | None, runs: int = 1) -> list[str]:
    """The messages that are added to the runs of one session."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    (folder / "navlog").mkdir(exist_ok=True)

    async def work() -> list[str]:
        server = await asyncio.start_unix_server(daemon, folder / "navlog/navlog.sock") if daemon else None
        one, state, told = (
            provider.NavlogContextProvider(project="/w", limit_s=0.3 if daemon is not SLOW else 0.05),
            dict[str, Any](),
            list[str](),
        )
        session = framework.AgentSession(session_id="s1")
        for _ in range(runs):
            asked = [framework.Message("user", ["fix the login"])]
            context = framework.SessionContext(session_id="s1", input_messages=asked)
            await one.before_run(agent=None, session=session, context=context, state=state)
            await one.after_run(agent=None, session=session, context=context, state=state)
            told += [message.text for added in context.context_messages.values() for message in added]
        if server and daemon:
            server.close()
            await asyncio.gather(*daemon.running, return_exceptions=True)
            daemon.running.clear()
        return told

    return asyncio.run(work())


def test_a_session_is_oriented_once_and_each_prompt_gets_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon = Daemon()
    assert run(tmp_path, monkeypatch, daemon, runs=2) == ["ORIENTATION\nBLOCK", "BLOCK"]
    hooks = [(one["hook"], one["session"], one["cwd"]) for one in daemon.asked]
    assert hooks[:3] == [("start", "s1", "/w"), ("prompt", "s1", "/w"), ("turn_end", "s1", "/w")]
    assert daemon.asked[1]["text"] == "fix the login"


@pytest.mark.parametrize(
    "daemon", [None, SLOW, Daemon(garbage=b"no json\n"), Daemon(garbage=b"[]\n")],
    ids=["away", "slow", "garbage", "another shape"],
)  # fmt: skip
def test_whatever_is_wrong_the_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, daemon: Daemon | None
) -> None:
    assert run(tmp_path, monkeypatch, daemon) == []
