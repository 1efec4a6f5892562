"""Messages of the Agent Framework as they are measured, and as the model sees them."""

from typing import Any

import pytest

framework: Any = pytest.importorskip("agent_framework", reason="the extra `agent-framework` is not installed")
messages: Any = pytest.importorskip("navlog.daemon.hosts.agent_framework_messages")

IMAGE = "data:image/png;base64,iVBORw0KGgo="


def content() -> Any:
    return framework.Content


def arc() -> list[Any]:
    """A prompt, a call, and its result of two texts and an image."""
    given = content().from_function_call("c1", "look", arguments='{"at": "login"}')
    items = [
        content().from_text("one"),
        content().from_uri(IMAGE, media_type="image/png"),
        content().from_text("two"),
    ]
    return [
        framework.Message("user", ["Look at it"]),
        framework.Message("assistant", [content().from_text_reasoning(text="hm"), given]),
        framework.Message("tool", [content().from_function_result("c1", result=items)]),
    ]


def test_each_content_is_a_part_at_its_place_and_the_files_of_results_follow() -> None:
    prompt, call, result = messages.counted(arc(), ())
    assert (prompt["role"], prompt["parts"]) == ("user", [{"kind": "text", "text": "Look at it"}])
    assert call["parts"] == [
        {"kind": "reasoning"},
        {"kind": "call", "call": "c1", "tool": "look", "input": {"at": "login"}},
    ]
    assert result["role"] == "user"
    assert result["parts"] == [
        {"kind": "result", "call": "c1", "tool": "look", "text": "one\ntwo"},
        {"kind": "file", "mime": "image/png", "text": IMAGE},
    ]
    assert messages.last_result([prompt, call, result]) == ("c1", "look")
    assert messages.last_result([prompt, call]) == ("", "")
    assert messages.last_result([]) == ("", "")


def test_the_same_words_are_the_same_message_and_twice_the_same_are_two() -> None:
    again = messages.counted([*arc(), *arc()], ())
    ids = [one["id"] for one in again]
    assert ids[:3] == [one["id"] for one in messages.counted(arc(), ())]
    assert ids[3:] == [f"{one}:2" for one in ids[:3]]


def test_what_another_provider_put_in_is_nobodys_words_and_lasts_for_one_run() -> None:
    about = {"_attribution": {"source_id": "memory"}}
    own = framework.Message("user", ["You met before"], additional_properties=about)
    found = messages.counted([own, *arc()], {"memory"})
    assert [one.get("synthetic", False) for one in found] == [True, False, False, False]
    assert messages.lasting(found) == [one["id"] for one in found[1:]]
    assert "synthetic" not in messages.counted([own], {"other"})[0]


def test_marks_holes_and_reminders_are_put_into_copies() -> None:
    tail = messages.Tail("s", "/w")
    prompt, call, result = arc()
    names = [one["id"] for one in messages.counted([prompt, call, result], ())]
    tail.marks = {f"{names[0]}#0": "§1§ ", f"{names[2]}#0": "§2§ "}
    tail.holes = {f"{names[2]}#1": "[dropped §3§]"}
    told = messages.shown(tail, names[0], prompt, {})
    assert (told.text, prompt.text) == ("§1§ Look at it", "Look at it")
    assert messages.shown(tail, names[1], call, {}) is call
    (seen,) = messages.shown(tail, names[2], result, {"c1": " (spent)"}).contents
    assert seen.result == "§2§ one\ntwo (spent)"
    assert [one.text for one in seen.items] == ["§2§ one\ntwo (spent)", "[dropped §3§]"]
    tail.holes = {f"{names[2]}#0": "[dropped §2§]"}
    (seen,) = messages.shown(tail, names[2], result, {"c1": " (spent)"}).contents
    assert [one.text for one in seen.items] == ["[dropped §2§]"]  # with its image, and what stood beside it
    assert [one.type for one in result.contents[0].items] == ["text", "data", "text"]


def test_only_the_models_words_lose_the_marks_of_earlier_parts() -> None:
    assert messages.unechoed("§2§ §3§ Done\n §4§ stays\n§9§ stays", "§4§ ") == "Done\n §4§ stays\n§9§ stays"
    assert messages.unechoed("§2§ Done", "") == "§2§ Done"
    tail = messages.Tail("s", "/w")
    asked, said = (framework.Message(role, ["§1§ is meant"]) for role in ("user", "assistant"))
    tail.marks = {"a#0": "§2§ ", "b#0": "§3§ "}
    assert messages.shown(tail, "a", asked, {}).text == "§2§ §1§ is meant"
    assert messages.shown(tail, "b", said, {}).text == "§3§ is meant"


def test_the_prefix_is_sent_anew_after_another_beginning_and_after_a_pause() -> None:
    tail = messages.Tail("s", "/w")
    found = messages.counted(arc(), ())
    order = messages.lasting(found)
    assert tail.rewrites(order, 0.0)
    tail.learn(found, {}, 0.0)
    assert not tail.rewrites([*order, "more"], messages.CACHE_S)
    assert tail.rewrites([*order, "more"], messages.CACHE_S + 1)
    assert tail.rewrites([*order[1:], "more"], 0.0)
