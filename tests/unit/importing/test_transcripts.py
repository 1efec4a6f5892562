"""Claude Code's transcripts as the hook calls they would have been."""

from typing import Any

from navlog.daemon.importing.transcripts import Call, Transcript


def row(number: int, type_: str, content: Any = None, **fields: Any) -> dict[str, Any]:
    message = {} if content is None else {"message": {"role": type_, "content": content}}
    place = {
        "uuid": f"u{number}",
        "sessionId": "s1",
        "cwd": "/w",
        "timestamp": f"2026-01-01T00:00:{number:02d}Z",
    }
    return {"type": type_, **place, **message, **fields}


def calls(*rows: dict[str, Any], over: bool = False) -> list[Call]:
    transcript = Transcript("/t.jsonl")
    return [*(call for one in rows for call in transcript.calls(one)), *transcript.end(over=over)]


def hooks(found: list[Call]) -> list[str]:
    return [call.payload["hook_event_name"] for call in found]


USE = {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"file_path": "/w/a.py"}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "1 x"}


def test_a_turn_is_told_in_the_words_of_the_hooks() -> None:
    found = calls(
        row(1, "user", "Fix it"),
        row(2, "assistant", [{"type": "thinking", "thinking": "hm"}, USE]),
        row(3, "user", [RESULT]),
        row(4, "assistant", [{"type": "text", "text": "Done."}]),
        over=True,
    )
    assert hooks(found) == ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "SessionEnd"]
    used = found[2].payload
    assert (used["tool_name"], used["tool_input"], used["tool_use_id"]) == ("Read", USE["input"], "toolu_1")
    assert found[3].payload["last_assistant_message"] == "Done."
    assert "hm" not in str(found)


def test_a_failed_tool_is_a_failure() -> None:
    found = calls(row(1, "assistant", [USE]), row(2, "user", [{**RESULT, "is_error": True}]))
    assert hooks(found) == ["SessionStart", "PostToolUseFailure"]


def test_what_the_host_put_in_is_no_prompt() -> None:
    found = calls(
        row(1, "user", "<command-name>/clear</command-name>"),
        row(2, "user", "meta", isMeta=True),
        row(3, "user", "summary", isCompactSummary=True),
        row(4, "user", "aside", isSidechain=True),
    )
    assert hooks(found) == ["SessionStart"]


def test_rows_that_a_resume_repeats_count_once() -> None:
    assert hooks(calls(row(1, "user", "Fix it"), row(1, "user", "Fix it"))) == [
        "SessionStart",
        "UserPromptSubmit",
    ]


def test_ids_are_the_rows_own() -> None:
    assert [call.id for call in calls(row(1, "user", "Fix it"))] == [
        "transcript:u1:start",
        "transcript:u1:prompt",
    ]


def test_rows_of_any_shape_give_nothing() -> None:
    odd = [
        {},
        {"type": "user", "uuid": 3},
        row(1, "user", 7),
        row(2, "assistant", [None, {"type": "tool_use"}]),
    ]
    assert hooks(calls(*odd)) == ["SessionStart"]
