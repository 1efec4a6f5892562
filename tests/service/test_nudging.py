"""Nudges end to end: a real daemon, the hook client, the MCP server's shim, transcripts that grow.

``NAVLOG_RACES=1000`` is the full count of races of two processes for one message.
"""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from service.conftest import Installation, running

from navlog.daemon.client import ask
from navlog.daemon.hosts import hook
from navlog.daemon.hosts.installing.commands import SERVER
from navlog.schemas.control import SqlArgs, SqlReply
from navlog.schemas.tails import (
    NudgeExplainArgs,
    NudgeExplained,
    TailMeasureArgs,
    TailMeasureReply,
)
from navlog.schemas.wire import HookArgs, HookReply
from support.tails import OUTPUT, SETTINGS, WAIT_S, raw, session_of
from support.transcripts import ClaudeTranscript, CodexRollout

CLIENT = (sys.executable, "-I", "-S", hook.__file__)
RACES = int(os.environ.get("NAVLOG_RACES", "50"))

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(180)]


class Agent:
    """A daemon with one project, and a session of a host in it."""

    def __init__(self, installation: Installation, root: Path) -> None:
        self.installation = installation
        self.root = root
        self.home = installation.home

    def hook(
        self, host: str, name: str, session: str, path: Path, pid: int = os.getpid(), **fields: Any
    ) -> str:
        """What the daemon says to a hook of the process ``pid``, which waits long enough on any machine."""
        payload = msgspec.Raw(self.payload(name, session, path, **fields))
        args = HookArgs(host=host, id=os.urandom(16).hex(), payload=payload, wait_ms=20_000, pid=pid)
        return spoken(name, ask(self.home, "hook", HookReply, args).stdout)

    def client(self, host: str, name: str, session: str, path: Path, **fields: Any) -> str:
        """The same by the real client, which has no more than its 300 ms."""
        done = subprocess.run(
            [*CLIENT, host], input=self.payload(name, session, path, **fields), capture_output=True,
            check=False, env=self.installation.environ, timeout=30,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
        return spoken(name, done.stdout.decode())

    def payload(self, name: str, session: str, path: Path, **fields: Any) -> bytes:
        call = {
            "session_id": session, "cwd": str(self.root), "hook_event_name": name,
            "transcript_path": str(path), **fields,
        }  # fmt: skip
        return msgspec.json.encode(call)

    @contextlib.contextmanager
    def server(self) -> Iterator["Server"]:
        """The MCP server as a child of this process, which the hooks are children of as well."""
        with subprocess.Popen(
            [sys.executable, "-I", "-S", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=self.installation.environ, cwd=self.root,
        ) as process:  # fmt: skip
            yield Server(process)
            assert process.stdin
            process.stdin.close()

    def types(self, session: str) -> list[str]:
        """The events of the session's nudging, in their order."""
        query = "SELECT type, data->>'session' FROM events WHERE source = 'navlog' ORDER BY position"
        rows = ask(self.home, "sql", SqlReply, SqlArgs(query=query)).rows
        return [str(type_) for type_, of in rows if of == session]

    def explain(self, session: str) -> NudgeExplained:
        return ask(self.home, "nudge-explain", NudgeExplained, NudgeExplainArgs(session=session))


def spoken(name: str, stdout: str) -> str:
    """The text in the host's own schema, "" for nothing."""
    if not stdout:
        return ""
    said = json.loads(stdout)["hookSpecificOutput"]
    assert (set(said), said["hookEventName"]) == ({"hookEventName", "additionalContext"}, name)
    return str(said["additionalContext"])


class Server:
    """The shim, asked as a client asks it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        assert self.process.stdin
        assert self.process.stdout
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        found: dict[str, Any] = json.loads(self.process.stdout.readline())["result"]
        return found

    def reduce(self, drop: str) -> str:
        reply = self.ask("tools/call", name="ctx_reduce", arguments={"drop": drop, "reason": "done with it"})
        return str(reply["content"][0]["text"])


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    root = tmp_path_factory.mktemp("p").resolve()
    (root / "login.py").write_text("def login(user: str) -> bool:\n    return bool(user)\n")
    with running(tmp_path_factory) as one:
        one.home.settings.parent.mkdir(parents=True, exist_ok=True)
        one.home.settings.write_text(SETTINGS)
        assert one.run("up", str(root)).returncode == 0
        one.index(root)
        yield Agent(one, root)


def told(agent: Agent, transcript: ClaudeTranscript, number: int, pid: int = os.getpid()) -> str:
    """One tool of a Claude Code session: its hook, after which the transcript has its result."""
    call = f"c{number}"
    said = agent.hook(
        "claude-code", "PostToolUse", transcript.session, transcript.path, pid, tool_name="Bash",
        tool_input={"command": f"run {call}"}, tool_response=OUTPUT, tool_use_id=call,
    )  # fmt: skip
    transcript.arc(call, OUTPUT)
    return said


def test_a_session_of_claude_code_is_told_once_a_level_then_reduces_then_has_its_grace(
    agent: Agent, tmp_path: Path
) -> None:
    transcript = ClaudeTranscript(tmp_path / "t.jsonl", "claude")
    with agent.server() as server:
        server.ask("tools/list")
        server.ask("ping")  # answered behind the offer: the daemon has it
        assert agent.hook("claude-code", "UserPromptSubmit", "claude", transcript.path, prompt="Fix it") == ""
        transcript.prompt("Fix it")
        said = [(number, text) for number in range(42) if (text := told(agent, transcript, number))]
        (first, gentle), (second, firm) = said
        assert first * 2_100 > 60_000
        assert "as you go" in gentle
        assert "(Bash: run c0)" in gentle
        assert "Do one ctx_reduce now" in firm
        assert agent.types("claude").count("nudge_shown") == 2
        before = agent.explain("claude")
        assert (before.state.band, before.state.usable, before.level) == ("firm", True, "firm")

        agent.hook(
            "claude-code", "PreToolUse", "claude", transcript.path, tool_use_id="reduce",
            tool_name="mcp__navlog__ctx_reduce", tool_input={"drop": "2-6"},
        )  # fmt: skip
        answer = server.reduce("2-6, 40-41, 900")
        assert answer.startswith("Set aside: 2-6. It is marked as spent; this host shows it until")
        assert "40: protected; 41: protected; 900: unknown" in answer
        transcript.arc("reduce", answer, "mcp__navlog__ctx_reduce", {"drop": "2-6"})
        grown = [text for number in range(42, 46) if (text := told(agent, transcript, number))]
        assert not grown
        after = agent.explain("claude")
        assert after.queued == [2, 3, 4, 5, 6]
        assert after.grace.startswith("from ")
        assert {"reduce_asked", "baseline_taken"} <= set(agent.types("claude"))
        assert second < 42


def test_channel_2_is_sent_once_at_the_end_of_a_batch(agent: Agent, tmp_path: Path) -> None:
    transcript = ClaudeTranscript(tmp_path / "t.jsonl", "batch")
    transcript.prompt("Fix it")
    for number in range(130):
        transcript.arc(f"c{number}", OUTPUT)
    with agent.server() as server:
        server.ask("tools/list")
        server.ask("ping")
        assert "Before the next tool call" in told(agent, transcript, 200)
        for quiet in ("Stop", "SubagentStop"):
            assert agent.hook("claude-code", quiet, "batch", transcript.path, agent_id="a") == ""
        text = agent.hook("claude-code", "PostToolBatch", "batch", transcript.path, tool_calls=[])
        assert "Most of this session's tail is spent." in text
        assert agent.explain("batch").state.lease == "claimed"
        again = [
            agent.hook("claude-code", "PostToolBatch", "batch", transcript.path, tool_calls=[]),
            agent.hook("claude-code", "UserPromptSubmit", "batch", transcript.path, prompt="Go on"),
            told(agent, transcript, 201),
        ]
        assert again == ["", "", ""]
        assert agent.explain("batch").state.lease == "delivered"
        assert agent.types("batch").count("nudge_claimed") == 1


def test_what_is_due_when_a_turn_ends_is_taken_back_and_said_at_the_next_prompt(
    agent: Agent, tmp_path: Path
) -> None:
    transcript = ClaudeTranscript(tmp_path / "t.jsonl", "ended")
    transcript.prompt("Fix it")
    for number in range(130):
        transcript.arc(f"c{number}", OUTPUT)
    with agent.server() as server:
        server.ask("tools/list")
        server.ask("ping")
        assert told(agent, transcript, 200)
        assert agent.explain("ended").state.lease == "pending"
        assert (
            agent.hook("claude-code", "Stop", "ended", transcript.path, last_assistant_message="Done") == ""
        )
        assert agent.explain("ended").state.lease == "empty"
        text = agent.hook("claude-code", "UserPromptSubmit", "ended", transcript.path, prompt="Go on")
        assert "Most of this session's tail is spent." in text


def test_without_a_server_in_the_agent_nothing_is_said_and_explain_says_why(
    agent: Agent, tmp_path: Path
) -> None:
    transcript = ClaudeTranscript(tmp_path / "t.jsonl", "without")
    transcript.prompt("Fix it")
    for number in range(130):
        transcript.arc(f"c{number}", OUTPUT)
    assert told(agent, transcript, 200, pid=0) == ""
    found = agent.explain("without")
    assert (found.state.usable, found.why) == (False, "no server of ours was seen in this agent")
    assert found.next == "nothing is said: the session has no usable reduce tool"
    with agent.server() as server:
        server.ask("tools/list")
        server.ask("ping")
        assert told(agent, transcript, 201) == ""  # the verdict is frozen


def test_the_real_client_is_told_in_its_time_or_at_a_later_result(agent: Agent, tmp_path: Path) -> None:
    transcript = ClaudeTranscript(tmp_path / "t.jsonl", "client")
    transcript.prompt("Fix it")
    for number in range(130):
        transcript.arc(f"c{number}", OUTPUT)
    said: list[str] = []
    with agent.server() as server:
        server.ask("tools/list")
        server.ask("ping")
        until = time.monotonic() + WAIT_S
        while not said:
            assert time.monotonic() < until
            text = agent.client(
                "claude-code", "PostToolUse", "client", transcript.path, tool_name="Bash", tool_input={},
                tool_response="", tool_use_id=f"n{time.monotonic_ns()}",
            )  # fmt: skip
            said += [text] if text else []
    assert "Before the next tool call" in said[0]
    said_of_it = agent.types("client")
    # Where the client had no more time for it, it counts as not said.
    assert said_of_it.count("nudge_shown") - said_of_it.count("nudge_missed") == 1


def test_codex_is_told_beside_its_tools_and_the_message_comes_with_a_call_of_its_own(
    agent: Agent, tmp_path: Path
) -> None:
    rollout = CodexRollout(tmp_path / "r.jsonl")
    rollout.said("user", "Fix it")
    for number in range(130):
        rollout.arc(f"c{number}", OUTPUT)
    said: list[str] = []
    with agent.server() as server:
        server.ask("tools/list")
        server.ask("ping")
        for number in range(3):
            text = agent.hook(
                "codex", "PostToolUse", "codex", rollout.path, tool_name="Bash", tool_use_id=f"n{number}",
                tool_input={"command": "ls"}, tool_response="x",
            )  # fmt: skip
            said.append(text)
    assert "Before the next tool call" in said[0]
    assert "Most of this session's tail is spent." in said[1]
    assert said[2] == ""


def test_people_are_shown_the_stored_measurement_in_words_and_as_json(agent: Agent) -> None:
    args = TailMeasureArgs(
        session="shown", host="own", project=str(agent.root), messages=raw(session_of(60, 12_000)),
        reduce_tool="ctx_reduce",
    )  # fmt: skip
    reply = ask(agent.home, "tail.measure", TailMeasureReply, args)
    run = agent.installation.run
    explained = run("nudge", "explain", "shown").stdout
    assert f"{reply.u:,} of {reply.t:,} tokens spent" in explained
    assert explained.count("could be given up") == sum(part.code == "reclaimable" for part in reply.parts)
    assert "could be given up" not in run("nudge", "explain", "shown", "--brief").stdout
    said = json.loads(run("nudge", "explain", "shown", "--json").stdout)
    assert (said["state"]["u"], said["state"]["t"]) == (reply.u, reply.t)
    for words in (("nudge", "status"), ("status",)):
        (line,) = [one for one in run(*words).stdout.splitlines() if " shown " in one]
        assert f"{reply.u:,} of {reply.t:,} tokens spent" in line
    (tail,) = [
        one for one in json.loads(run("status", "--json").stdout)["tails"] if one["session"] == "shown"
    ]
    assert (tail["u"], tail["t"], tail["usable"]) == (reply.u, reply.t, True)
    unknown = run("nudge", "explain", "nobody")
    assert (unknown.returncode, "navlog nudge status" in unknown.stderr) == (2, True)


def test_after_a_kill_the_state_is_what_it_was(agent: Agent) -> None:
    messages = raw(session_of(60, 12_000))
    args = TailMeasureArgs(
        session="kept", host="own", messages=messages, reduce_tool="ctx_reduce", result="r"
    )
    args = msgspec.structs.replace(args, project=str(agent.root))
    reply = ask(agent.home, "tail.measure", TailMeasureReply, args)
    assert reply.reminder
    before = agent.explain("kept")
    pid = agent.installation.status().pid
    os.kill(pid, 9)
    assert agent.installation.run("up", str(agent.root)).returncode == 0
    assert agent.installation.status().pid != pid
    assert agent.explain("kept") == before
    assert ask(agent.home, "tail.measure", TailMeasureReply, args).reminder == ""


RACER = """
import sys
from navlog.daemon.client import ask
from navlog.daemon.home import find_home
from navlog.schemas.tails import TailMeasureArgs, TailMeasureReply, TailSentArgs, TailSentReply
import os
home = find_home(os.environ)
project, wanted = sys.argv[1], int(sys.argv[2])
held = []
while len(held) < wanted:
    args = TailMeasureArgs(
        session="race", host="own", project=project, reduce_tool="ctx_reduce", message=True
    )
    reply = ask(home, "tail.measure", TailMeasureReply, args)
    if reply.message:
        held.append(reply.message.token)
        sent = TailSentArgs(session="race", token=reply.message.token, project=project, failed=True)
        assert ask(home, "tail.sent", TailSentReply, sent).taken
print(*held)
"""


def test_two_processes_never_hold_one_message_at_once(agent: Agent) -> None:
    messages = raw(session_of(60, 12_000))
    args = TailMeasureArgs(
        session="race", host="own", project=str(agent.root), messages=messages, reduce_tool="ctx_reduce"
    )
    ask(agent.home, "tail.measure", TailMeasureReply, args)
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACER, str(agent.root), str(RACES // 2)],
            env=agent.installation.environ, stdout=subprocess.PIPE, text=True,
        )
        for _ in range(2)
    ]  # fmt: skip
    held = [token for racer in racers for token in racer.communicate(timeout=150)[0].split()]
    assert [racer.returncode for racer in racers] == [0, 0]
    assert len(set(held)) == len(held) == 2 * (RACES // 2)
    steps = [type_ for type_ in agent.types("race") if type_ in ("nudge_claimed", "nudge_released")]
    assert steps == ["nudge_claimed", "nudge_released"] * len(held)
