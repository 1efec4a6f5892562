"""The public golden cases of nudging, and how to measure them; and sessions made up, with a desk for them."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from navlog.daemon.journal import Journal
from navlog.daemon.nudging.desk import Desk
from navlog.daemon.nudging.memory import Memory
from navlog.daemon.nudging.steps import Steps
from navlog.daemon.nudging.tails import Tails
from navlog.daemon.projects import Project
from navlog.projections.nudging.measuring import Measurement, Standing, arrange, measure
from navlog.projections.nudging.tail import Count, read, stable_json, without_reminders
from navlog.schemas.nudges import TailTag
from navlog.schemas.settings import Nudge
from navlog.schemas.tails import (
    Message,
    Part,
    TailMeasureArgs,
    TailMeasureReply,
    TailReduceArgs,
    TailReduceReply,
    TailSentArgs,
    TailSentReply,
)

DATA = Path(__file__).parents[1] / "data" / "nudge"
NUDGE = Nudge()
OUTPUT = "x" * 6_000  # of a tool: about 2,100 tokens
# For a daemon: of so large a window 50,000 tokens are protected, so a tail grows through every level.
SETTINGS = "[nudge]\nwindow = 1_000_000\n"
WAIT_S = 20.0  # that an answer may take on any machine; nothing is about speed
KINDS: dict[str, Any] = {"tool_call": "call", "tool_result": "result"}


def golden(name: str) -> dict[str, Any]:
    """A file of the public golden data."""
    found: dict[str, Any] = json.loads((DATA / name).read_text())
    return found


def hygiene(case: dict[str, Any], tokens: dict[str, int]) -> Measurement:
    """A hygiene case measured with the token counts that come with it, by block."""
    parts = [
        counted for message, count in messages_of(case, tokens) for counted in read(message, count, NUDGE)
    ]
    tags = [
        TailTag(tag["tag_number"], tag["block_id"], tag["kind"], _tool(case, tag["block_id"]))
        for tag in case["tags"]
    ]
    masses = {tag["tag_number"]: tag["token_count"] for tag in case["tags"] if tag["kind"] == "tool"}
    queued = frozenset(case.get("pending_drop_tag_numbers", ()))
    floor = case["protected_tokens_effective"]
    standing = Standing(queued=queued, floor=floor, masses=masses)
    return measure(arrange(parts, tags), standing, NUDGE)


def messages_of(case: dict[str, Any], tokens: dict[str, int]) -> list[tuple[Message, Count]]:
    """A case's messages, each with a counter that knows its texts."""
    return [(_message(message), _counter(message, tokens)) for message in case["messages"]]


def _message(message: dict[str, Any]) -> Message:
    return Message(
        id=message["mid"],
        role=message["role"],
        parts=tuple(map(_part, message["blocks"])),
        synthetic=message.get("synthetic", False),
    )


def _part(block: dict[str, Any]) -> Part:
    return Part(
        kind=KINDS.get(block["type"], block["type"]),
        text=block.get("unit", "") * block.get("repeat", 0) or block.get("url", ""),
        call=block.get("id", ""),
        tool=block.get("name", ""),
        input=block.get("input"),
        mime=block.get("mime", ""),
    )


def _counter(message: dict[str, Any], tokens: dict[str, int]) -> Count:
    """Counts the very texts that the given counts were taken of, and no others."""
    counts = {}
    for index, block in enumerate(message["blocks"]):
        part = _part(block)
        text = stable_json(part.input) if part.kind == "call" else without_reminders(part.text)
        counts[text] = tokens[f"{message['mid']}#{index}"]
    return counts.__getitem__


def _tool(case: dict[str, Any], block: str) -> str:
    names: dict[str, str] = {
        f"{message['mid']}#{index}": part.get("name", "")
        for message in case["messages"]
        for index, part in enumerate(message["blocks"])
    }
    return names.get(block, "")


# --- sessions made up -----------------------------------------------------------------------------------


def prompt(number: int, words: str = "Go on") -> Message:
    """A real user turn."""
    return Message(id=f"u{number}", role="user", parts=(Part(kind="text", text=words),))


def arc(number: int, size: int, tool: str = "bash") -> list[Message]:
    """A tool's call and its result of ``size`` characters."""
    call = f"c{number}"
    asked = Part(kind="call", call=call, tool=tool, input={"command": f"run {number}"})
    came = Part(kind="result", call=call, tool=tool, text="x" * size)
    return [
        Message(id=f"a{number}", role="assistant", parts=(asked,)),
        Message(id=f"r{number}", role="user", parts=(came,)),
    ]


def session_of(arcs: int, size: int = 1_000, turns: int = 1) -> list[Message]:
    """``turns`` prompts, and as many arcs of ``size`` characters as asked after them."""
    said = [prompt(number) for number in range(turns)]
    return said + [message for number in range(arcs) for message in arc(number, size)]


def raw(messages: Iterable[Message]) -> list[msgspec.Raw]:
    """As they go over the wire."""
    return [msgspec.Raw(msgspec.json.encode(message)) for message in messages]


class OneProject:
    """A registry with a single project, whatever is asked for."""

    def find(self, _where: str | None) -> Project:
        """It."""
        return Project("p", Path("/p"), "p", "folder")


class Office:
    """A desk with a log; one token a character, and a clock that can be moved."""

    def __init__(self, journal: Journal, settings: Nudge = NUDGE) -> None:
        self.journal = journal
        self.memory = Memory(journal)
        self.steps = Steps(journal, self.memory)
        self.now = 1_000.0
        projects: Any = OneProject()
        tails = Tails(len, settings)
        self.desk = Desk(projects, self.steps, tails, settings, "characters", lambda: self.now)

    def measure(self, messages: Iterable[Message] | None = None, **values: Any) -> TailMeasureReply:
        """Of the session ``s`` of a host that has the tool."""
        sent = None if messages is None else raw(messages)
        values = {"session": "s", "host": "own", "reduce_tool": "ctx_reduce", **values}
        return self.desk.measure(TailMeasureArgs(messages=sent, **values), "", unheard)

    def reduce(self, drop: str, **values: Any) -> TailReduceReply:
        """Of the session ``s``."""
        return self.desk.reduce(TailReduceArgs(session="s", drop=drop, **values), "", unheard)

    def sent(self, token: str, *, failed: bool = False) -> TailSentReply:
        """Of the session ``s``."""
        return self.desk.sent(TailSentArgs(session="s", token=token, failed=failed), "", unheard)

    def types(self) -> list[str]:
        """What is in the log."""
        return [record.type for record in self.journal.read()]


def unheard(stage: str, done: int, total: int = 0) -> None:
    """Nobody waits for progress."""
