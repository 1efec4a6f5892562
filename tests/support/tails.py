"""The public golden cases of nudging, and how to measure them."""

import json
from pathlib import Path
from typing import Any

from navlog.projections.nudging.measuring import Measurement, Standing, arrange, measure
from navlog.projections.nudging.tail import read, stable_json, without_reminders
from navlog.schemas.nudges import TailTag
from navlog.schemas.settings import Nudge
from navlog.schemas.tails import Message, Part

DATA = Path(__file__).parents[1] / "data" / "nudge"
NUDGE = Nudge()
KINDS: dict[str, Any] = {"tool_call": "call", "tool_result": "result"}


def golden(name: str) -> dict[str, Any]:
    """A file of the public golden data."""
    found: dict[str, Any] = json.loads((DATA / name).read_text())
    return found


def hygiene(case: dict[str, Any], tokens: dict[str, int]) -> Measurement:
    """A hygiene case measured with the token counts that come with it, by block."""
    parts = [
        counted
        for message in case["messages"]
        for counted in read(_message(message), _counter(message, tokens), NUDGE)
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


def _counter(message: dict[str, Any], tokens: dict[str, int]) -> Any:
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
