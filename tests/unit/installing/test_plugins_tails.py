"""The plugins of OpenCode and pi around a session's tail: what the model sees, never sees, and what fails."""

from collections.abc import Sequence

import pytest

from support.plugin_steps import (
    BARE,
    DROPPED,
    MARKED,
    after,
    before,
    input_of,
    opencode,
    pi,
    request,
    result_of,
    seen,
    stopped,
)
from support.plugins import SILENT, Body, Desk, Run, needs_node, run

pytestmark = needs_node
HOSTS = pytest.mark.parametrize("host", ["opencode", "pi"])
REMINDER = "\n\n<system-reminder>\n3 spent\n</system-reminder>"


# --- marks and holes ------------------------------------------------------------------------------------


@HOSTS
def test_marks_stand_before_texts_and_outputs_and_in_no_input(host: str) -> None:
    found = run(host, [request(host)])
    assert seen(host, found.came[0]) == MARKED


@HOSTS
def test_what_is_dropped_is_not_sent_to_the_model_again(host: str) -> None:
    found = run(host, [request(host)], Desk(drop={3}))
    assert seen(host, found.came[0]) == DROPPED
    assert "print(1)" not in str(found.came[0].get("result") or found.came[0]["output"])
    if host == "opencode":
        assert found.came[0]["output"]["messages"][1]["parts"][3]["state"]["attachments"] == []
    else:
        assert len(found.came[0]["result"]["messages"][3]["content"]) == 1


@HOSTS
def test_only_what_is_new_is_sent_and_the_marks_stay(host: str) -> None:
    found = run(host, [request(host), request(host), request(host, output="print(2)")])
    first, second, third = found.desk.of("tail.measure")
    assert first["messages"]
    assert second["messages"] == []
    assert second["order"] == first["order"]
    assert len(third["messages"]) == 1
    assert seen(host, found.came[1]) == MARKED
    assert seen(host, found.came[2]) == [*MARKED[:3], "§3§ print(2)"]


@HOSTS
def test_what_the_daemon_has_lost_is_sent_again(host: str) -> None:
    class Forgetful(Desk):
        def answer(self, request: Body) -> object:
            if len(self.of("tail.measure")) == 1:
                self.messages.clear()
            return super().answer(request)

    found = run(host, [request(host), request(host)], Forgetful())
    _, second, third = found.desk.of("tail.measure")
    assert second["messages"] == []
    assert len(third["messages"]) == len(second["order"])
    assert "order" not in third
    assert seen(host, found.came[1]) == MARKED


@HOSTS
def test_the_parts_have_the_places_that_navlog_counts_them_at(host: str) -> None:
    sent = run(host, [request(host)]).desk.of("tail.measure")[0]["messages"]
    kinds = [[part["kind"] for part in message["parts"]] for message in sent]
    assert kinds == (
        [["text", "text"], ["other", "reasoning", "text", "call", "result"]]
        if host == "opencode"
        else [["text"], ["text"], ["reasoning", "text", "call"], ["result", "file"]]
    )
    assert [message["role"] for message in sent][:1] == ["user"]


# --- what fails -----------------------------------------------------------------------------------------


@HOSTS
def test_without_a_daemon_everything_is_as_it_was(host: str) -> None:
    found = run(host, [request(host), after(host), before(host, {"text": "§1§ x"})], gone=True)
    assert seen(host, found.came[0]) == BARE
    assert result_of(host, found.came[1]) == "out"
    assert (stopped(found.came[2]), input_of(host, found.came[2])) == ("", {"text": "§1§ x"})


@HOSTS
@pytest.mark.parametrize(
    "answer", [SILENT, None, {"error": {"message": "no"}}, {"result": {}}, [], "nonsense"]
)
def test_whatever_the_daemon_does_the_messages_go_out(host: str, answer: object) -> None:
    found = run(host, [request(host)], Desk(answers={"tail.measure": answer}), limit=300)
    assert seen(host, found.came[0]) == BARE


@HOSTS
def test_a_daemon_that_falls_silent_takes_no_mark_away(host: str) -> None:
    class Tired(Desk):
        def answer(self, request: Body) -> object:
            return super().answer(request) if not self.of("tail.measure") else None

    found = run(host, [request(host), request(host)], Tired(drop={3}))
    assert seen(host, found.came[1]) == DROPPED


def test_messages_that_nobody_understands_go_out_as_they_are() -> None:
    step = opencode({"info": None, "parts": None})
    assert run("opencode", [step]).came[0]["output"] == step["output"]
    strange = {"event": {"type": "context", "messages": [None]}}
    assert run("pi", [strange]).came[0] == strange


# --- what comes back ------------------------------------------------------------------------------------


ECHO = "§2§ Done.\n§99§ is a paragraph of a law\n  §1§ §3§ So it is."
STRIPPED = "Done.\n§99§ is a paragraph of a law\nSo it is."


@HOSTS
def test_marks_that_the_model_repeats_are_taken_out_of_what_it_says(host: str) -> None:
    if host == "opencode":
        about = {"sessionID": "s", "messageID": "a2", "partID": "x"}
        step = {"hook": "experimental.text.complete", "input": about, "output": {"text": ECHO}}
        assert run(host, [request(host), step]).came[1]["output"]["text"] == STRIPPED
    else:
        message = {"role": "assistant", "content": [{"type": "text", "text": ECHO}]}
        came = run(host, [request(host), {"event": {"type": "message_end", "message": message}}]).came[1]
        assert came["result"]["message"]["content"][0]["text"] == STRIPPED


@HOSTS
def test_marks_are_taken_out_of_a_tools_input(host: str) -> None:
    given = {"content": ECHO, "list": ["§1§ a", {"deep": "§3§ b"}], "n": 3}
    came = run(host, [request(host), before(host, given)]).came[1]
    assert input_of(host, came) == {"content": STRIPPED, "list": ["a", {"deep": "b"}], "n": 3}
    assert stopped(came) == ""


@HOSTS
def test_a_placeholder_is_never_an_input(host: str) -> None:
    given = {"edits": [{"old": "x = [dropped §3§]"}]}
    found = run(
        host, [request(host), before(host, given), before(host, {"old": "[dropped §7§]"})], Desk(drop={3})
    )
    assert "[dropped §3§]" in stopped(found.came[1])
    assert stopped(found.came[2]) == ""  # no placeholder of this session


# --- both channels --------------------------------------------------------------------------------------


@HOSTS
def test_a_reminder_stands_at_the_end_of_the_result(host: str) -> None:
    found = run(host, [request(host), after(host)], Desk(beside={"reminder": REMINDER}))
    assert result_of(host, found.came[1]) == "out" + REMINDER
    asked = found.desk.of("tail.measure")[1]
    assert (asked["result"], asked["tool"], asked["message"]) == ("c9", "read", True)


@HOSTS
@pytest.mark.parametrize("steps", [["after"], ["request", "reduce"]])
def test_there_is_no_reminder_before_a_tail_was_measured_nor_at_our_own_tool(
    host: str, steps: Sequence[str]
) -> None:
    made = {"after": after(host), "request": request(host), "reduce": after(host, "ctx_reduce")}
    found = run(host, [made[step] for step in steps], Desk(beside={"reminder": REMINDER}))
    assert result_of(host, found.came[-1]) == "out"


def sending(host: str, client: Body) -> Run:
    beside = {"message": {"token": "t1", "text": "Most of it is spent."}}
    return run(host, [request(host), after(host, rest=300)], Desk(beside=beside), client)


@HOSTS
def test_a_message_of_its_own_is_sent_once_and_said_to_be_sent(host: str) -> None:
    found = sending(host, {})
    assert len(found.sent) == 1
    assert found.desk.of("tail.sent") == [
        {"session": "s", "token": "t1", "project": "/proj", "failed": False}
    ]
    if host == "opencode":
        asked = {"agent": "build", "model": {"providerID": "p", "modelID": "m"}}
        parts = [{"type": "text", "text": "Most of it is spent.", "synthetic": True}]
        assert found.sent[0] == {"path": {"id": "s"}, "body": {**asked, "parts": parts}}
    else:
        message = {"customType": "navlog", "content": "Most of it is spent.", "display": False}
        assert found.sent[0] == {"message": message, "how": {"deliverAs": "steer"}}


@pytest.mark.parametrize(("host", "how"), [("opencode", "throws"), ("opencode", "refuses"), ("pi", "throws")])
def test_a_send_that_failed_is_said_to_have_failed(host: str, how: str) -> None:
    assert [one["failed"] for one in sending(host, {"fails": how}).desk.of("tail.sent")] == [True]


# --- the tool -------------------------------------------------------------------------------------------


@HOSTS
@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ({"result": {"text": "Set aside: 3."}}, "Set aside: 3."),
        ({"error": {"message": "“x” is no tag.", "hint": "Name tags."}}, "“x” is no tag. Name tags."),
        (None, "navlog did not answer; nothing was set aside. Go on with the work."),
    ],
)
def test_the_tool_says_what_the_daemon_says(host: str, answer: object, text: str) -> None:
    step = {"tool": "ctx_reduce", "input": {"drop": "3-5,8", "reason": "read"}}
    found = run(host, [step], Desk(answers={"tail.reduce": answer}))
    said = found.came[0]["result"]
    assert (said if host == "opencode" else said["content"][0]["text"]) == text
    asked = found.desk.of("tail.reduce")[0]
    assert (asked["session"], asked["drop"], asked["reason"]) == ("s", "3-5,8", "read")


@HOSTS
def test_the_tool_is_said_to_be_offered_only_where_it_is(host: str) -> None:
    deny = [{"permission": "*", "pattern": "*", "action": "deny"}]
    allow = [*deny, {"permission": "ctx_reduce", "pattern": "*", "action": "allow"}]
    cases: list[tuple[Body, str]] = (
        [({"active": ["read"]}, ""), ({}, "ctx_reduce")]
        if host == "pi"
        else [
            ({"agents": [{"name": "build", "permission": deny}]}, ""),
            ({"agents": [{"name": "build", "permission": allow}]}, "ctx_reduce"),
            ({}, "ctx_reduce"),
        ]
    )
    for client, name in cases:
        asked = run(host, [request(host)], client=client).desk.of("tail.measure")[0]
        assert (asked["reduce_tool"], asked["shows"], asked["removes"]) == (name, True, True)


# --- where holes cost nothing ---------------------------------------------------------------------------


@HOSTS
@pytest.mark.parametrize(("ago", "new"), [(1_000, False), (301_000, True)])
def test_a_request_after_a_long_rest_is_new_to_the_provider(host: str, ago: int, new: bool) -> None:
    found = run(host, [request(host, ago=ago)], client={"model": {"id": "m", "provider": "p"}})
    assert found.desk.of("tail.measure")[0]["rewrites"] == new


def test_a_request_to_another_model_is_new_to_its_provider() -> None:
    assert run("opencode", [opencode(model="other")]).desk.of("tail.measure")[0]["rewrites"]
    asked = run("pi", [pi()], client={"model": {"id": "other", "provider": "p", "contextWindow": 9}})
    assert asked.desk.of("tail.measure")[0]["rewrites"]
    assert asked.desk.of("tail.measure")[0]["window"] == 9


def test_after_a_compaction_the_request_is_new() -> None:
    done = {
        "hook": "event",
        "input": {"event": {"type": "session.compacted", "properties": {"sessionID": "s"}}},
    }
    found = run("opencode", [opencode(), done, opencode(), opencode()])
    assert [one["rewrites"] for one in found.desk.of("tail.measure")] == [False, True, False]
    client = {"model": {"id": "m", "provider": "p"}}
    found = run("pi", [pi(), {"event": {"type": "session_compact"}}, pi(), pi()], client=client)
    assert [one["rewrites"] for one in found.desk.of("tail.measure")] == [False, True, False]


def test_a_subagents_session_is_left_alone() -> None:
    about = {"sessionID": "s", "info": {"id": "s", "parentID": "above"}}
    made = {"hook": "event", "input": {"event": {"type": "session.created", "properties": about}}}
    found = run("opencode", [made, opencode(), after("opencode")], Desk(beside={"reminder": REMINDER}))
    assert seen("opencode", found.came[1]) == BARE
    assert result_of("opencode", found.came[2]) == "out"
    assert found.desk.of("tail.measure") == []


def test_the_request_that_compacts_gets_no_marks_and_is_not_measured() -> None:
    begin = {
        "hook": "experimental.session.compacting",
        "input": {"sessionID": "s"},
        "output": {"context": []},
    }
    found = run("opencode", [opencode(), begin, opencode(), opencode()], Desk(drop={3}))
    assert seen("opencode", found.came[2]) == [*BARE[:3], "[dropped §3§]"]
    assert len(found.desk.of("tail.measure")) == 2
    assert seen("opencode", found.came[3]) == DROPPED


def test_a_window_is_the_models_own() -> None:
    about = {"sessionID": "s", "model": {"limit": {"context": 200_000}}}
    found = run("opencode", [{"hook": "chat.params", "input": about, "output": {}}, opencode()])
    assert found.desk.of("tail.measure")[0]["window"] == 200_000


def test_files_and_failed_tools_are_counted_where_the_model_sees_them() -> None:
    info = {"id": "u2", "role": "user", "sessionID": "s", "agent": "build", "time": {}}
    failed = {
        "type": "tool",
        "callID": "c2",
        "tool": "bash",
        "state": {"status": "error", "input": {}, "error": "boom"},
    }
    running = {"type": "tool", "callID": "c3", "tool": "bash", "state": {"status": "running", "input": {}}}
    parts = [
        {"type": "file", "mime": "image/png", "url": "data:image/png;base64,AAAA"},
        {"type": "file", "mime": "text/plain", "url": "file:///a"},
        failed,
        running,
    ]
    found = run("opencode", [opencode({"info": info, "parts": parts})], Desk(drop={4, 5}))
    sent = found.desk.of("tail.measure")[0]["messages"][2]["parts"]
    assert [part["kind"] for part in sent] == ["file", "other", "call", "result", "call", "other"]
    last = found.came[0]["output"]["messages"][2]["parts"]
    assert [last[0]["text"], last[2]["state"]["error"]] == ["[dropped §4§]", "[dropped §5§]"]
    assert (last[1], last[3]) == (parts[1], running)
