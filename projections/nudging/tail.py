"""The tail as the model will see it, and what each of its parts is worth, before anybody asks what is spent.

`read` looks at one message and needs nothing else, so its result can be kept for as long as the message
stays the same: measuring again after one new message reads one message.
"""

import json
import re
from collections.abc import Callable
from typing import Any, Literal

import msgspec

from navlog.projections.nudging.images import image_tokens
from navlog.schemas.settings import Nudge
from navlog.schemas.tails import Message, Part

Count = Callable[[str], int]

_PREFIX = re.compile(r"§\d+§ ?")
_REMINDER = re.compile(r"\s*<system-reminder>(?:(?!<system-reminder>).)*?</system-reminder>\s*\Z", re.DOTALL)
_END = "</system-reminder>"
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode
_PLACEHOLDERS = ("[dropped", "[truncated")


class Counted(msgspec.Struct, frozen=True):
    """What a part is worth: local ``tokens`` of its ``unit``, or the ``code`` for which it counts nothing."""

    block: str
    kind: str
    unit: Literal["tool", "prose", "image", ""]
    tokens: int
    code: str = ""
    call: str = ""
    tool: str = ""


def read(message: Message, count: Count, settings: Nudge) -> list[Counted]:
    """Every part of one message. A placeholder's code is "placeholder"; its pair is found when measuring."""
    whole = is_synthetic(message)
    return [
        _counted(f"{message.id}#{index}", part, count, settings, synthetic=whole)
        for index, part in enumerate(message.parts)
    ]


def is_synthetic(message: Message) -> bool:
    """A summary, or a user message of which nothing comes from the user."""
    if message.synthetic or message.summary:
        return True
    return message.role == "user" and bool(message.parts) and all(part.synthetic for part in message.parts)


def is_user_turn(message: Message) -> bool:
    """A real user turn: a text or a file of the user's own, not only our reminders read back.

    What came back from a tool is not the user's, nor is a file beside it.
    """
    if message.role != "user" or is_synthetic(message):
        return False
    kinds = ("text",) if any(part.kind == "result" for part in message.parts) else ("text", "file")
    return any(
        part.kind in kinds and not part.synthetic and not part.ignored and _stripped(part)
        for part in message.parts
    )


def without_reminders(text: str) -> str:
    """``text`` without the reminder spans at its end, ours or the host's."""
    while text.rstrip().endswith(_END) and (found := _REMINDER.search(text)) is not None:
        text = text[: found.start()]
    return text


def is_placeholder(text: str) -> bool:
    """Whether a part only says that something was here."""
    return _PREFIX.sub("", text.strip(), count=1).lower().startswith(_PLACEHOLDERS)


def stable_json(value: Any) -> str:
    """A tool's input as it is counted: compact, keys sorted."""
    return _encode(value)


def _stripped(part: Part) -> str:
    return without_reminders(part.text).strip()


def _counted(block: str, part: Part, count: Count, settings: Nudge, *, synthetic: bool) -> Counted:
    if part.kind == "call":
        text = stable_json(part.input)
    else:
        text = part.text if part.kind == "file" else without_reminders(part.text)
    code = _why_nothing(part, text, synthetic=synthetic)
    if code:
        return Counted(block, part.kind, "", 0, code, part.call, part.tool)
    if part.kind == "file" and part.mime.startswith("image/"):
        return Counted(block, part.kind, "image", image_tokens(text, settings))
    unit: Literal["tool", "prose"] = "tool" if part.kind in ("call", "result") else "prose"
    return Counted(block, part.kind, unit, count(text), "", part.call, part.tool)


def _why_nothing(part: Part, text: str, *, synthetic: bool) -> str:
    """The reason code for which a part is no part of T, "" where it is."""
    if synthetic or part.synthetic:
        return "synthetic"
    if part.ignored:
        return "ignored"
    if part.kind in ("reasoning", "other"):
        return part.kind
    if not text.strip():
        return "empty"
    return "placeholder" if part.kind != "call" and is_placeholder(text) else ""
