"""Hints and wording: what is named, in which order, and how it sounds."""

import re

import pytest

from navlog.projections.nudging.hints import Candidate, chosen, is_left_out, tier
from navlog.projections.nudging.wording import Facts, full, line, message
from navlog.schemas.nudges import Level
from navlog.schemas.settings import Nudge

NUDGE = Nudge()


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("Bash", 3), ("shell", 3), ("exec_command", 3), ("WebSearch", 3), ("WebFetch", 3), ("web_search", 3),
        ("mcp__github__list_issues", 3), ("whatever", 3), ("", 3),
        ("Edit", 2), ("MultiEdit", 2), ("Write", 2), ("apply_patch", 2), ("Grep", 2), ("Glob", 2),
        ("search", 2), ("mcp__fs__search_files", 2),
        ("Read", 1), ("read_file", 1), ("Task", 1), ("Agent", 1), ("outline", 1), ("zoom", 1),
    ],
)  # fmt: skip
def test_a_tool_is_named_the_sooner_the_further_it_is_from_the_work(tool: str, expected: int) -> None:
    assert tier(tool) == expected


@pytest.mark.parametrize(
    "tool",
    [
        "ctx_reduce", "mcp__navlog__ctx_reduce", "navlog_context", "AskUserQuestion", "ask", "TodoWrite",
        "todo_read", "TaskCreate", "TaskUpdate", "task_list", "board", "BashOutput", "shell_status",
    ],
)  # fmt: skip
def test_our_own_tools_and_those_that_steer_the_session_are_left_out(tool: str) -> None:
    assert is_left_out(tool)


@pytest.mark.parametrize("tool", ["Bash", "Read", "Task", "Dashboard", "mask", "execute", ""])
def test_others_are_not(tool: str) -> None:
    assert not is_left_out(tool)


def test_at_most_four_the_furthest_first_the_oldest_first() -> None:
    candidates = [
        Candidate(9, "Read", 900), Candidate(8, "Grep", 900), Candidate(7, "Bash", 900),
        Candidate(2, "Read", 900), Candidate(3, "Bash", None), Candidate(1, "Bash", 249),
        Candidate(4, "Bash", 250), Candidate(5, "todo", 900),
    ]  # fmt: skip
    assert [one.tag for one in chosen(candidates, NUDGE)] == [3, 4, 7, 8]


LEVELS: list[Level] = ["gentle", "firm", "urgent"]
HINTS = (Candidate(3, "Bash", 900, "make test"), Candidate(5, "Read", 900))


@pytest.mark.parametrize("level", LEVELS)
def test_each_level_says_the_facts_first_and_names_the_oldest(level: Level) -> None:
    text = full(level, Facts(30_500, 12, HINTS))
    assert re.search(r"<system-reminder>\n12 spent tool outputs, about 31k tokens", text)
    assert "Oldest: 3 (Bash); 5 (Read)." in text


@pytest.mark.parametrize(("u", "shown"), [(30_499, "30k"), (30_500, "31k"), (31_500, "32k"), (32_500, "33k")])
def test_tokens_are_told_in_thousands_a_half_rounded_up(u: int, shown: str) -> None:
    assert f"about {shown} tokens" in full("firm", Facts(u, 1))


def test_the_three_levels_and_the_line_and_the_message_differ() -> None:
    facts = Facts(30_000, 2, HINTS)
    texts = {full(level, facts) for level in LEVELS} | {line("urgent", facts), message(facts)}
    assert len(texts) == 5
    assert len(line("urgent", facts)) < min(len(full(level, facts)) for level in LEVELS)


def test_where_the_model_sees_no_tags_a_hint_names_the_beginning_of_the_input() -> None:
    text = full("firm", Facts(30_000, 1, HINTS, shown=False))
    assert "3 (Bash: make test); 5 (Read)." in text
    assert "1 spent tool output, " in text


def test_where_the_host_cannot_remove_the_text_says_so() -> None:
    assert "keeps what it has shown" in full("firm", Facts(30_000, 1, removes=False))
    assert "keeps what it has shown" not in full("firm", Facts(30_000, 1))


def test_no_text_sounds_like_deletion() -> None:
    facts = Facts(30_000, 2, HINTS)
    for text in [*(full(level, facts) for level in LEVELS), line("firm", facts), message(facts)]:
        assert not re.search(r"(?i)delet|remov|drop|eras|destroy|discard", text)


def test_without_hints_nothing_is_named() -> None:
    assert "Oldest" not in full("firm", Facts(30_000, 2))
    assert line("firm", Facts(30_000, 2)).count(" \n") == 0
