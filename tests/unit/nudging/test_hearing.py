"""Hooks and a session's tail: when something is said, what it takes for it, and what a failure costs."""

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from navlog.daemon.hosts.heard import Call, Place
from navlog.daemon.hosts.payload import Payload
from navlog.daemon.hosts.translating import translate
from navlog.daemon.nudging.handing import Handing
from navlog.daemon.nudging.hearing import Hearing
from navlog.daemon.nudging.offers import Offers
from navlog.daemon.nudging.tails import Tails
from support.tails import NUDGE, Office
from support.transcripts import ClaudeTranscript

LONG = "x" * 1_000
OWN = os.getpid()


class Ear:
    """Hooks of one session of Claude Code; time stands still."""

    def __init__(self, office: Office, transcript: ClaudeTranscript) -> None:
        self.office = office
        self.transcript = transcript
        self.offers = Offers()
        self.time = 0.0
        self.spool = transcript.path.parent / "spool"
        self.hearing = Hearing(
            office.desk, office.steps, Tails(len, NUDGE), self.offers, Handing(self.spool),
            monotonic=lambda: self.time,
        )  # fmt: skip
        self.calls = 0

    def hook(
        self, name: str, pid: int = OWN, host: str = "claude-code", until: float = 30.0, **more: Any
    ) -> str:
        fields = {
            "hook_event_name": name, "session_id": "s", "cwd": "/p",
            "transcript_path": str(self.transcript.path), **more,
        }  # fmt: skip
        payload = Payload(fields)
        heard = translate(host, payload, Place("/p", "/p", "/p", lambda text: text))
        self.calls += 1
        self.last = Call(f"id{self.calls}", host, "p", pid, payload, heard.events, "t", until)
        return self.hearing.hear(self.last)

    def tool(self, call: str = "c", name: str = "Bash", **more: Any) -> str:
        return self.hook(
            "PostToolUse", tool_name=name, tool_input={}, tool_response="", tool_use_id=call, **more
        )

    @property
    def lease(self) -> str:
        return self.office.steps.of("s").lease.state


@pytest.fixture
def ear(office: Office, tmp_path: Path) -> Iterator[Ear]:
    transcript = ClaudeTranscript(tmp_path / "t.jsonl")
    transcript.prompt("Fix it")
    for number in range(100):
        transcript.arc(f"c{number}", LONG)
    one = Ear(office, transcript)
    one.offers.offered(OWN)
    yield one
    one.hearing.close()


def test_a_reminder_stands_beside_one_result_and_the_message_comes_at_the_end_of_the_batch(ear: Ear) -> None:
    assert "Before the next tool call" in ear.tool()
    assert ear.lease == "pending"
    assert "Most of this session's tail is spent." in ear.hook("PostToolBatch")
    assert ear.lease == "claimed"
    assert [ear.tool("d"), ear.hook("PostToolBatch"), ear.hook("UserPromptSubmit", prompt="x")] == [
        "",
        "",
        "",
    ]
    assert ear.lease == "delivered"


def test_where_a_host_has_no_batches_the_message_comes_beside_the_next_result(ear: Ear) -> None:
    assert ear.tool()
    assert "Most of this session's tail is spent." in ear.tool("d")
    assert ear.tool("e") == ""


@pytest.mark.parametrize(
    "hook", ["Stop", "SubagentStop", "SessionEnd", "SessionStart", "PreToolUse", "PreCompact"]
)
def test_at_other_hooks_nothing_is_ever_said(ear: Ear, hook: str) -> None:
    for agent in ("", "a"):
        assert ear.hook(hook, last_assistant_message="Done", agent_id=agent) == ""
    assert ear.tool(agent_id="a") == ""  # nor to a subagent


def test_what_is_due_at_the_end_of_a_turn_is_taken_back_but_not_at_a_subagent_s(ear: Ear) -> None:
    ear.tool()
    ear.hook("SubagentStop", agent_id="a")
    assert ear.lease == "pending"
    ear.hook("Stop", last_assistant_message="Done")
    assert ear.lease == "empty"
    assert "Most of this session's tail is spent." in ear.hook("UserPromptSubmit", prompt="Go on")


def test_without_an_offer_there_is_no_word_and_with_a_late_one_there_is(ear: Ear) -> None:
    other = Ear(ear.office, ear.transcript)
    assert other.tool() == ""
    assert ear.office.steps.of("s").usable is False
    assert ear.tool() == ""
    other.hearing.close()


def test_a_tool_that_the_session_used_is_usable(ear: Ear) -> None:
    ear.transcript.arc("r", "Set aside", "mcp__plugin_navlog_navlog__ctx_reduce", {"drop": "2"})
    assert ear.tool(pid=0)
    state = ear.office.steps.of("s")
    assert (state.usable, state.tool) == (True, "mcp__plugin_navlog_navlog__ctx_reduce")


def test_never_beside_the_tool_s_own_result(ear: Ear) -> None:
    assert ear.tool(name="mcp__navlog__ctx_reduce") == ""
    assert ear.tool("d")


def test_who_has_no_time_is_told_nothing_and_nothing_is_written_as_said(ear: Ear) -> None:
    assert ear.tool(until=0.0) == ""
    assert "nudge_shown" not in ear.office.types()
    assert ear.tool()


def test_what_came_too_late_is_due_again(ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    run = ear.office.desk.run

    def slow(*args: Any) -> Any:
        outcome = run(*args)
        ear.time = 100.0
        return outcome

    for hook in ("PostToolUse", "PostToolBatch"):
        with monkeypatch.context() as slowed:
            slowed.setattr(ear.office.desk, "run", slow)
            assert ear.hook(hook, tool_name="Bash", tool_use_id="late") == ""
        ear.time = 0.0
        assert ear.hook(hook, tool_name="Bash", tool_use_id="next")
    assert "nudge_missed" in ear.office.types()
    assert ear.lease == "claimed"


@pytest.mark.parametrize("drained", [True, False])
def test_what_lies_in_the_spool_with_its_call_was_not_heard_and_is_said_again(
    ear: Ear, drained: bool
) -> None:
    first = ear.tool("one")
    unheard(ear, drained=drained)
    assert ear.tool("two") == first
    message = ear.hook("PostToolBatch")
    unheard(ear, drained=drained)
    assert message
    assert ear.hook("PostToolBatch") == message
    assert ear.hook("PostToolBatch") == ""
    assert ear.lease == "delivered"
    assert ear.office.types().count("nudge_missed") == 1


def unheard(ear: Ear, *, drained: bool) -> None:
    """The client of the last call left it in the spool, which was drained or not before the next hook."""
    if drained:
        assert ear.hearing.hear(ear.last._replace(spooled=True, until=0.0)) == ""
    else:
        ear.spool.mkdir(exist_ok=True)
        (ear.spool / f"00000000000000000001-{ear.last.id}.json").touch()


def test_a_call_whose_client_may_still_hear_is_not_settled(ear: Ear) -> None:
    assert ear.tool("one")
    ear.spool.mkdir()
    kept = ear.spool / f".00000000000000000001-{ear.last.id}.open"
    kept.touch()
    assert ear.tool("two") != ""  # the message, not the reminder again
    assert "nudge_missed" not in ear.office.types()
    kept.rename(ear.spool / kept.name.removeprefix(".").replace(".open", ".json"))
    ear.tool("three")
    assert "nudge_missed" in ear.office.types()


def test_a_transcript_that_takes_long_is_read_for_the_next_time(
    ear: Ear, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    catch_up = ear.hearing._catch_up

    def slow(*args: str) -> Any:
        gate.wait(5)
        return catch_up(*args)

    monkeypatch.setattr(ear.hearing, "_catch_up", slow)
    assert ear.tool(until=0.05) == ""
    gate.set()
    assert ear.tool()


@pytest.mark.parametrize("path", ["", "relative.jsonl", "/nowhere/t.jsonl", "/dev/zero"])
def test_a_transcript_that_cannot_be_read_costs_the_words_alone(ear: Ear, path: str) -> None:
    assert ear.tool(transcript_path=path) == ""
    assert ear.tool()


def test_a_failure_costs_the_words_alone(ear: Ear, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: Any) -> Any:
        raise RuntimeError

    with monkeypatch.context() as failing:
        failing.setattr(ear.office.desk, "run", broken)
        assert ear.tool() == ""
    assert ear.tool()


def test_another_host_s_hooks_are_not_for_transcripts(ear: Ear) -> None:
    assert ear.hook("tool", host="generic", hook="tool", session="s", tool="Bash", call="c") == ""
    assert "tail_measured" not in ear.office.types()


def test_a_session_that_moved_to_another_transcript_is_followed_there(ear: Ear, tmp_path: Path) -> None:
    ear.tool()
    before = ear.office.steps.of("s").measured
    other = ClaudeTranscript(tmp_path / "o.jsonl", "o")
    other.prompt("Anew")
    ear.hook("PostToolUse", transcript_path=str(other.path), tool_use_id="x", tool_name="Bash")
    now = ear.office.steps.of("s").measured
    assert before
    assert now
    assert (before.t > 100_000, now.t) == (True, 4)


def test_a_restart_reads_the_same_tail_and_numbers_nothing_anew(ear: Ear) -> None:
    assert ear.tool()
    before = ear.office.types()
    again = Ear(ear.office, ear.transcript)
    assert again.hook("UserPromptSubmit", pid=0, prompt="Go on")  # the message that was due
    assert again.office.types()[len(before) :] == ["nudge_claimed"]
    again.hearing.close()


def test_a_compaction_ends_the_cycle_of_a_message(ear: Ear) -> None:
    ear.tool()
    ear.hook("PostToolBatch")
    ear.tool("d")
    assert ear.lease == "delivered"
    ear.transcript.row("system", subtype="compact_boundary")
    ear.transcript.prompt("so far", isCompactSummary=True)
    assert ear.tool("e") == ""
    assert ear.lease == "empty"
    state = ear.office.steps.of("s")
    assert state.measured
    assert (state.measured.u, state.measured.turn, list(state.parts)) == (0, 1, [f"{ear.transcript.last}#0"])


# --- whose tool it is -----------------------------------------------------------------------------------


@pytest.fixture
def proc(tmp_path: Path) -> Callable[..., None]:
    def add(pid: int, parent: int, started: int = 7, name: str = "a) (b") -> None:
        (tmp_path / str(pid)).mkdir(exist_ok=True)
        stat = f"{pid} ({name}) S {parent} " + "0 " * 17 + f"{started} 0 0"
        (tmp_path / str(pid) / "stat").write_text(stat)

    return add


def test_a_hook_is_of_the_agent_that_it_descends_from(tmp_path: Path, proc: Callable[..., None]) -> None:
    for pid, parent in ((100, 1), (110, 100), (120, 110), (200, 1), (210, 200)):
        proc(pid, parent)
    offers = Offers(tmp_path)
    assert offers.heard(120, "one") is False
    offers.offered(100)
    assert offers.heard(120, "one") is True
    assert offers.heard(210, "two") is False
    assert (offers.session_of(100), offers.session_of(200), offers.session_of(0)) == ("one", "", "")
    offers.heard(110, "cleared")
    assert offers.session_of(100) == "cleared"


def test_a_number_that_is_used_again_is_another_process(tmp_path: Path, proc: Callable[..., None]) -> None:
    proc(100, 1, started=7)
    offers = Offers(tmp_path)
    offers.offered(100)
    proc(100, 1, started=8)
    assert offers.heard(100, "one") is False
    offers.offered(4_000)  # gone already
    assert offers.heard(4_000, "one") is False
