"""What each host says, read from what real clients sent."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.daemon.hosts.heard import Place
from navlog.daemon.hosts.payload import Payload
from navlog.daemon.hosts.translating import cwd_of, spoken
from navlog.projections.nudging.wording import reminder
from navlog.projections.quoting import fence
from navlog.schemas.sessions import (
    HookCalled,
    PromptGiven,
    SessionCompacted,
    SessionEnded,
    SessionStarted,
    SubagentEnded,
    SubagentStarted,
    ToolAsked,
    ToolUsed,
    TurnEnded,
)
from support.hosts import PLACE, ROOT, claude, hear, samples, used

SAMPLES = samples()
ASKED = "Please look at app.py and say what it prints"
MEANINGS = {
    "claude-code/SessionStart": SessionStarted,
    "claude-code/UserPromptSubmit": PromptGiven,
    "claude-code/PreToolUse": ToolAsked,
    "claude-code/PostToolUse": ToolUsed,
    "claude-code/PostToolUse-mcp": ToolUsed,
    "claude-code/PostToolBatch": HookCalled,
    "claude-code/Stop": TurnEnded,
    "claude-code/SessionEnd": SessionEnded,
    "claude-code/InstructionsLoaded": HookCalled,
    "codex/SessionStart": SessionStarted,
    "codex/UserPromptSubmit": PromptGiven,
    "codex/PreToolUse": ToolAsked,
    "codex/PostToolUse": ToolUsed,
    "codex/Stop": TurnEnded,
    "codex/notify": TurnEnded,
    "opencode/event:session.created": SessionStarted,
    "opencode/chat.message": PromptGiven,
    "opencode/tool.execute.before": ToolAsked,
    "opencode/tool.execute.after": ToolUsed,
    "opencode/event:session.idle": TurnEnded,
    "opencode/experimental.session.compacting": SessionCompacted,
    "opencode/event:session.compacted": SessionCompacted,
    "pi/session_start": SessionStarted,
    "pi/before_agent_start": PromptGiven,
    "pi/tool_call": ToolAsked,
    "pi/tool_result": ToolUsed,
    "pi/agent_end": TurnEnded,
    "pi/session_shutdown": SessionEnded,
}


@pytest.mark.parametrize("name", SAMPLES)
def test_every_call_of_a_real_client_leaves_an_event_of_its_host(name: str) -> None:
    host, payload = SAMPLES[name]
    events = hear(host, payload).events
    assert events
    assert {getattr(event, "host", None) for event in events} == {host}
    assert cwd_of(host, Payload(payload)) == ROOT


@pytest.mark.parametrize("name", MEANINGS)
def test_a_call_of_a_real_client_means(name: str) -> None:
    host, payload = SAMPLES[name]
    assert [type(event) for event in hear(host, payload).events] == [MEANINGS[name]]


@pytest.mark.parametrize("name", [name for name, kind in MEANINGS.items() if kind is PromptGiven])
def test_a_prompt_is_a_persons_words_and_can_be_answered(name: str) -> None:
    host, payload = SAMPLES[name]
    heard = hear(host, payload)
    event = heard.events[0]
    assert isinstance(event, PromptGiven)
    assert event.text.strip('"') == ASKED
    assert heard.ask
    assert (heard.ask.moment, heard.ask.task) == ("prompt", event.text)


@pytest.mark.parametrize("host", ["claude-code", "codex", "opencode", "pi"])
def test_every_host_reads_the_file_that_cat_names(host: str) -> None:
    tools = [event for name in MEANINGS if name.startswith(host) and MEANINGS[name] is ToolUsed
             for event in hear(*SAMPLES[name]).events]  # fmt: skip
    read = next(event for event in tools if isinstance(event, ToolUsed) and event.kind == "read")
    assert (read.paths, read.said, read.head, read.failed) == (
        ["app.py"],
        "cat app.py",
        'print("hello")',
        False,
    )


def test_a_tool_names_its_files_in_the_project_alone() -> None:
    (event,) = used("Edit", {"file_path": f"{ROOT}/src/a.py", "old_string": "x"})
    assert (event.kind, event.paths) == ("modified", ["src/a.py"])
    (event,) = used("Read", {"file_path": "/etc/passwd"})
    assert (event.kind, event.paths) == ("read", [])
    (event,) = used("Grep", {"pattern": "def x", "path": "src"})
    assert (event.kind, event.paths, event.said) == ("searched", ["src"], "def x")


def test_a_patch_names_what_it_changes() -> None:
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** Add File: sub/b.py\n+z\n*** End Patch"
    for tool, given_ in (("apply_patch", {"command": patch}), ("apply_patch", patch),
                         ("shell", {"command": ["apply_patch", patch]}),
                         ("Bash", {"command": f"apply_patch <<'EOF'\n{patch}\nEOF"})):  # fmt: skip
        (event,) = used(tool, given_)
        assert (event.kind, event.paths) == ("modified", ["a.py", "sub/b.py"])


def test_a_command_that_does_several_things_is_an_event_each_with_the_answer_in_the_last() -> None:
    read, tested = used("Bash", {"command": "cat a.py && pytest b.py"}, {"stdout": "3 passed", "stderr": ""})
    assert (read.kind, read.paths, read.size, read.said) == ("read", ["a.py"], 0, "")
    assert (tested.kind, tested.paths, tested.head) == ("tested", ["b.py"], "3 passed")


@pytest.mark.parametrize(
    "answer",
    [
        "..F\n1 failed, 3 passed in 0.1s",
        "--- FAIL: TestX",
        "test result: FAILED. 1 passed",
        "Tests: 1 failed, 2 total",
    ],
)
def test_tests_that_say_that_one_failed_have_failed(answer: str) -> None:
    (event,) = used("Bash", {"command": "make test"}, answer)
    assert event.failed


@pytest.mark.parametrize(
    "answer", ["12 passed in 0.4s", "ok  	pkg	0.1s", "0 failed, 3 passed", "test result: ok. 0 failed"]
)
def test_tests_that_say_that_none_failed_have_not(answer: str) -> None:
    (event,) = used("Bash", {"command": "make test"}, answer)
    assert not event.failed


def test_a_failure_is_one() -> None:
    call = claude(
        "PostToolUseFailure",
        tool_name="Bash",
        tool_input={"command": "ls x"},
        error="Exit code 2\nno such file",
    )
    (event,) = hear("claude-code", call).events
    assert isinstance(event, ToolUsed)
    assert event.failed
    assert event.head == "Exit code 2\nno such file"


def test_large_outputs_are_size_hash_and_first_lines() -> None:
    (event,) = used("Bash", {"command": "cat big.txt"}, {"stdout": "line\n" * 200_000, "stderr": ""})
    assert event.size == 1_000_000
    assert len(event.output) == 64
    assert event.head == "\n".join(["line"] * 12)


def test_texts_are_redacted_before_they_are_cut_and_hashed() -> None:
    (one,) = used("Bash", {"command": "echo hunter2"}, "hunter2")
    (same,) = used("Bash", {"command": "echo [redacted:test]"}, "[redacted:test]")
    assert (one.said, one.head, one.output) == (same.said, same.head, same.output)
    heard = hear("claude-code", claude("UserPromptSubmit", prompt="use hunter2"))
    assert "hunter2" not in repr(heard)


def test_subagents_come_and_go() -> None:
    about = {"agent_id": "a", "agent_type": "explore"}
    (start,) = hear("claude-code", claude("SubagentStart", **about)).events
    (stop,) = hear("claude-code", claude("SubagentStop", **about)).events
    assert start == SubagentStarted(session="s", host="claude-code", agent="a", kind="explore")
    assert stop == SubagentEnded(session="s", host="claude-code", agent="a")


def test_after_a_compaction_the_start_can_be_answered_again() -> None:
    ask = hear("claude-code", claude("SessionStart", source="compact")).ask
    assert ask
    assert ask.moment == "compact"


def test_our_own_block_is_no_prompt() -> None:
    block = fence("proj as of 7", "Fix everything", "0123456789abcdef")
    for text in (block, block[:-30], reminder("3 spent outputs"), f"{block}\n{reminder('x')}"):
        assert isinstance(hear("claude-code", claude("UserPromptSubmit", prompt=text)).events[0], HookCalled)
    (event,) = hear("claude-code", claude("UserPromptSubmit", prompt=f"{block}\nAnd mine")).events
    assert isinstance(event, PromptGiven)
    assert event.text == "And mine"


def test_a_link_to_the_project_is_seen_through() -> None:
    place = Place(ROOT, f"{ROOT}/sub", "/link/sub", str)
    call = claude(
        "PostToolUse", tool_name="Read", tool_input={"file_path": "/link/sub/a.py"}, tool_use_id="c"
    )
    (event,) = hear("claude-code", call, place).events
    assert isinstance(event, ToolUsed)
    assert event.paths == ["sub/a.py"]


def test_any_program_speaks_our_own_format_under_its_own_name() -> None:
    heard = hear("my-agent", {"hook": "prompt", "session": "42", "cwd": ROOT, "text": "Fix the login"})
    assert heard.events == (PromptGiven(session="42", host="my-agent", text="Fix the login", size=13),)
    assert spoken("my-agent", "prompt", "facts") == '{"block":"facts"}'


def test_a_block_is_spoken_as_the_host_wants_it() -> None:
    assert spoken("codex", "UserPromptSubmit", "facts") == (
        '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"facts"}}'
    )
    assert spoken("claude-code", "Stop", "") == ""


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(sorted(SAMPLES)), st.data())
def test_a_payload_whose_fields_are_something_else_still_leaves_an_event(
    name: str, data: st.DataObject
) -> None:
    host, payload = SAMPLES[name]
    changed = {key: data.draw(JSON) if data.draw(st.booleans()) else value for key, value in payload.items()}
    assert hear(host, changed, PLACE).events
