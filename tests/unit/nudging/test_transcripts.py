"""Transcripts as tails: each byte read once, whatever else lies in the file."""

import json
import os
from pathlib import Path

import pytest

from navlog.daemon.importing.lines import LINE_BYTES
from navlog.daemon.nudging.claude_rows import ClaudeRows
from navlog.daemon.nudging.codex_rows import CodexRows
from navlog.daemon.nudging.following import Following
from navlog.daemon.nudging.tails import Tail
from support.tails import NUDGE
from support.transcripts import ClaudeTranscript, CodexRollout


class Followed:
    """A transcript and the tail that is read of it; one token a character."""

    def __init__(self, path: Path, rows: type[ClaudeRows] | type[CodexRows]) -> None:
        self.counted: list[str] = []
        self.tail = Tail(self._count, NUDGE)
        self.following = Following(str(path), self.tail, rows)

    def _count(self, text: str) -> int:
        self.counted.append(text)
        return len(text)

    def texts(self) -> list[str]:
        """What was counted since the last time."""
        self.following.catch_up()
        found, self.counted = self.counted, []
        return found

    def kinds(self) -> list[tuple[str, str, str]]:
        """(kind, tool, code) of every part of the tail."""
        self.following.catch_up()
        return [(part.kind, part.tool, part.code) for part in self.tail.seen().parts]


@pytest.fixture
def claude(tmp_path: Path) -> ClaudeTranscript:
    return ClaudeTranscript(tmp_path / "t.jsonl")


@pytest.fixture
def followed(claude: ClaudeTranscript) -> Followed:
    return Followed(claude.path, ClaudeRows)


@pytest.fixture
def codex(tmp_path: Path) -> CodexRollout:
    return CodexRollout(tmp_path / "r.jsonl")


def test_each_row_is_counted_once_however_often_it_is_looked_at(
    claude: ClaudeTranscript, followed: Followed
) -> None:
    claude.prompt("first")
    assert followed.texts() == ["first"]
    claude.arc("c1", "output")
    assert followed.texts() == ['{"command":"run c1"}', "output"]
    assert followed.texts() == []
    assert len(followed.tail) == 3


def test_a_row_whose_end_is_not_written_yet_waits_for_it(
    claude: ClaudeTranscript, followed: Followed
) -> None:
    row = json.dumps({"type": "user", "uuid": "x", "message": {"content": "späť"}}, ensure_ascii=False)
    data = row.encode()
    for cut in range(0, len(data), 7):
        claude.write(data[cut : cut + 7])
        assert followed.texts() == []
    claude.write(b"\n")
    assert followed.texts() == ["späť"]


@pytest.mark.parametrize(
    ("damage", "counted"),
    [
        (b'{"type": "user", "uu', True),
        (b"\x00" * 40, True),
        (b"\xff\xfe", True),
        (b"[1, 2]", False),
        (b"", False),
    ],
)
def test_damaged_lines_are_passed_over(
    claude: ClaudeTranscript, followed: Followed, damage: bytes, counted: bool
) -> None:
    claude.prompt("before")
    claude.write(damage + b"\n")
    claude.prompt("after")
    assert followed.texts() == ["before", "after"]
    if counted and damage.startswith(b"{"):
        assert followed.following.damaged == 1


def test_a_row_glued_to_a_torn_one_is_found(claude: ClaudeTranscript, followed: Followed) -> None:
    claude.write(b'{"type": "user", "uuid": "torn", "mess')
    claude.prompt("whole")
    assert followed.texts() == ["whole"]


def test_a_line_that_is_too_long_is_passed_over_and_not_held(
    claude: ClaudeTranscript, followed: Followed
) -> None:
    claude.write(b'{"type": "user", "x": "' + b"x" * LINE_BYTES)
    assert followed.texts() == []
    claude.write(b'"}\n')
    claude.prompt("after")
    assert followed.texts() == ["after"]
    assert followed.following.damaged == 1


def test_a_file_that_was_written_anew_is_read_anew(
    claude: ClaudeTranscript, followed: Followed, tmp_path: Path
) -> None:
    claude.prompt("one")
    claude.prompt("two")
    followed.following.catch_up()
    os.truncate(claude.path, 0)
    claude.prompt("three")
    assert followed.texts()[2:] == ["three"]
    other = ClaudeTranscript(tmp_path / "other.jsonl")
    other.prompt("four, and longer than what was there before")
    other.path.rename(claude.path)
    assert followed.texts() == ["four, and longer than what was there before"]
    assert len(followed.tail) == 1


def test_what_is_no_file_of_this_user_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path / "fifo", tmp_path, tmp_path / "gone", Path("/dev/zero")):
        with pytest.raises(OSError, match=r"fifo|directory|no file of this user|No such file"):
            Followed(path, ClaudeRows).following.catch_up()


def test_claude_code_s_parts(claude: ClaudeTranscript, followed: Followed) -> None:
    claude.prompt("words")
    claude.row("assistant", [{"type": "thinking", "thinking": "hm"}])
    claude.row("assistant", [{"type": "redacted_thinking", "data": "x"}])
    claude.row("assistant", [{"type": "text", "text": "answer"}])
    claude.row("assistant", [{"type": "server_tool_use", "id": "w", "name": "web"}])
    claude.arc(
        "c",
        [{"type": "text", "text": "a"}, {"type": "image", "source": {"data": "", "media_type": "image/png"}}],
    )
    claude.row("attachment", attachment={"type": "hook_additional_context", "content": ["ours"]})
    claude.row("system", subtype="turn_duration")
    claude.prompt("<command-name>/cost</command-name>")
    claude.prompt("a caveat", isMeta=True)
    claude.arc("side", "of a subagent", isSidechain=True)
    assert followed.kinds() == [
        ("text", "", ""), ("reasoning", "", "reasoning"), ("reasoning", "", "reasoning"), ("text", "", ""),
        ("other", "", "other"), ("call", "Bash", ""), ("result", "Bash", ""), ("file", "", ""),
        ("text", "", "synthetic"), ("text", "", "synthetic"),
    ]  # fmt: skip
    assert len(followed.tail.seen().turns) == 1


def test_our_own_words_read_back_are_not_counted(claude: ClaudeTranscript, followed: Followed) -> None:
    claude.arc("c", "output\n\n<system-reminder>\n12 spent tool outputs\n</system-reminder>")
    claude.prompt("<system-reminder>\nMost of this session's tail is spent.\n</system-reminder>")
    assert followed.texts() == ['{"command":"run c"}', "output"]
    assert followed.tail.seen().turns == []


def test_after_a_compaction_the_tail_begins_with_the_summary(
    claude: ClaudeTranscript, followed: Followed
) -> None:
    claude.prompt("before")
    claude.arc("c", "spent")
    followed.following.catch_up()
    claude.row("system", subtype="compact_boundary")
    claude.prompt("so far", isCompactSummary=True)
    claude.prompt("after")
    assert followed.kinds() == [("text", "", "synthetic"), ("text", "", "")]
    assert len(followed.tail.seen().summaries) == 1
    claude.prompt("from before the compaction", parent="s-1")
    assert len(followed.kinds()) == 3


def test_a_prompt_that_goes_on_from_an_earlier_place_takes_back_what_came_after(
    claude: ClaudeTranscript, followed: Followed
) -> None:
    claude.prompt("first")
    place = claude.row("assistant", [{"type": "text", "text": "answer"}])
    claude.prompt("second")
    claude.arc("c", "output")
    followed.texts()
    claude.prompt("second, otherwise", parent=place)
    assert followed.texts() == ["second, otherwise"]
    assert len(followed.tail) == 3


def test_results_of_calls_at_once_take_nothing_back(claude: ClaudeTranscript, followed: Followed) -> None:
    claude.prompt("first")
    uses = [{"type": "tool_use", "id": f"c{n}", "name": "Read", "input": {}} for n in (1, 2)]
    parents = [claude.row("assistant", [use]) for use in uses]
    for number, parent in enumerate(parents, 1):
        claude.row("user", [{"type": "tool_result", "tool_use_id": f"c{number}", "content": "x"}], parent)
    assert [kind for kind, _, _ in followed.kinds()] == ["text", "call", "call", "result", "result"]


def test_codex_s_parts(codex: CodexRollout) -> None:
    followed = Followed(codex.path, CodexRows)
    codex.row("session_meta", id="s", cwd="/p")
    codex.said("developer", "rules")
    codex.said("user", "<environment_context>\n  <cwd>/p</cwd>\n</environment_context>")
    codex.said("user", "# AGENTS.md instructions for /p\n\nBe brief")
    codex.said("user", "words")
    codex.row("event_msg", type="user_message", message="words")
    codex.row("response_item", type="reasoning", summary=[], encrypted_content="x")
    codex.arc("c1", "plain")
    codex.arc(
        "c2", {"content": [{"type": "text", "text": "of mcp"}]}, "mcp__navlog__search", '{"words": "x"}'
    )
    codex.row("response_item", type="custom_tool_call", name="apply_patch", input="*** Begin", call_id="c3")
    codex.row("response_item", type="custom_tool_call_output", call_id="c3", output="done")
    codex.said("assistant", "answer")
    assert followed.texts() == [
        "words", '{"command":["ls"]}', "plain", '{"words":"x"}', "of mcp", '"*** Begin"', "done", "answer",
    ]  # fmt: skip
    seen = followed.tail.seen()
    assert [part.tool for part in seen.parts if part.kind == "result"] == [
        "shell", "mcp__navlog__search", "apply_patch",
    ]  # fmt: skip
    assert len(seen.turns) == 1


def test_codex_goes_on_from_its_own_history_after_a_compaction(codex: CodexRollout) -> None:
    followed = Followed(codex.path, CodexRows)
    codex.said("user", "before")
    codex.arc("c1", "spent")
    followed.following.catch_up()
    kept = [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "kept"}]}]
    codex.row("compacted", message="so far", replacement_history=kept)
    codex.said("user", "after")
    assert followed.texts()[3:] == ["kept", "after"]
    assert len(followed.tail.seen().summaries) == 1
    assert [kind for kind, _, _ in followed.kinds()] == ["text", "text", "text"]


@pytest.mark.parametrize("rows", [ClaudeRows, CodexRows])
@pytest.mark.parametrize(
    "row",
    [
        {}, {"type": "user"}, {"type": "user", "uuid": "u"}, {"type": "user", "uuid": "u", "message": 7},
        {"type": "user", "uuid": "u", "message": {"content": [7, None, {"type": "tool_result"}]}},
        {"type": "assistant", "uuid": "u", "message": {"content": [{"type": "tool_use", "input": 7}]}},
        {"type": "response_item"}, {"type": "response_item", "payload": {"type": "message"}},
        {"type": "response_item", "payload": {"type": "function_call", "arguments": "{"}},
        {"type": "response_item", "payload": {"type": "function_call_output", "output": 7}},
        {"type": "compacted", "payload": {"replacement_history": [7]}},
    ],
)  # fmt: skip
def test_no_row_of_any_shape_stops_the_reading(
    tmp_path: Path, rows: type[ClaudeRows] | type[CodexRows], row: dict[str, object]
) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps(row) + "\n")
    followed = Followed(path, rows)
    followed.following.catch_up()
    seen = followed.tail.seen()
    assert len(seen.turns) == 0
