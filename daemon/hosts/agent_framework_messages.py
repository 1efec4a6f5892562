"""The messages of an Agent Framework session: as `tail.measure` takes them, and as the model sees them.

What the model sees are copies: the history keeps its own messages.
"""

import copy
import hashlib
import itertools
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from agent_framework import Content, Message

CACHE_S = 5 * 60.0  # after which a provider is taken to have forgotten what it was sent
HEAD = 65_600  # characters of an image: its size stands in its head
ROLES = {"user": "user", "assistant": "assistant", "tool": "user"}
MARKS = re.compile(r"^[ \t]*(?:§\d+§[ \t]?)+", re.MULTILINE)
MARK = re.compile(r"§\d+§")

Json = dict[str, Any]


class Tail:
    """What is known of a session's tail: the ids sent last, and marks and holes by block.

    ``order``: those ids that stay from run to run, in their order.
    """

    def __init__(self, session: str, project: str) -> None:
        self.session = session
        self.project = project
        self.sent: set[str] = set()
        self.order: list[str] = []
        self.marks: dict[str, str] = {}
        self.holes: dict[str, str] = {}
        self.at_s = 0.0

    def rewrites(self, order: Sequence[str], now_s: float) -> bool:
        """Whether the provider keeps nothing of this request: it begins with others, or it was idle."""
        same = bool(self.order) and list(order[: len(self.order)]) == self.order
        return not same or now_s - self.at_s > CACHE_S

    def learn(self, messages: Sequence[Json], found: Mapping[str, Any], now_s: float) -> None:
        """Keeps what a measurement of the tail said."""
        here = {one["id"] for one in messages}
        self.sent, self.order, self.at_s = here, lasting(messages), now_s
        self.marks |= {one["block"]: one["mark"] for one in found.get("parts") or () if one.get("mark")}
        self.marks = {block: mark for block, mark in self.marks.items() if block.rpartition("#")[0] in here}
        self.holes = {one["block"]: one["placeholder"] for one in found.get("dropped") or ()}

    def seen(self, block: str, text: str) -> str:
        """The text of a block as the model sees it."""
        return self.holes.get(block) or self.marks.get(block, "") + text

    def unmarked(self, text: str) -> str:
        """What came from the model, without the marks it repeated at the beginning of lines."""
        known = {mark.strip() for mark in self.marks.values()}
        return MARKS.sub(lambda found: "" if known.issuperset(MARK.findall(found[0])) else found[0], text)

    def cleaned(self, value: Any) -> tuple[Any, str]:
        """A tool's input without marks, and the placeholder that the model copied into it, "" for none."""
        if isinstance(value, str):
            hole = next((one for one in self.holes.values() if one in value), "")
            return self.unmarked(value), hole
        if isinstance(value, Mapping):
            pairs = [(key, *self.cleaned(one)) for key, one in value.items()]
            return {key: one for key, one, _ in pairs}, next((hole for *_, hole in pairs if hole), "")
        if isinstance(value, list):
            found = [self.cleaned(one) for one in value]
            return [one for one, _ in found], next((hole for _, hole in found if hole), "")
        return value, ""


# --- messages as `tail.measure` takes them --------------------------------------------------------------


def counted(messages: Iterable[Message], others: Collection[str]) -> list[Json]:
    """{id, role, parts} of each message; those of the sources in ``others`` are nobody's words.

    The framework's messages have no ids that are sure to be there: role and content are the id, and a number
    where two are the same. A content is one part, at its own place; the files in results follow behind.
    """
    times: dict[str, int] = {}
    found = []
    tools = _Tools()
    for message in messages:
        parts = [_part(content, tools) for content in message.contents]
        parts += [_file(one) for content in message.contents for one in _files(content)]
        one: Json = {"role": ROLES.get(message.role, "system"), "parts": parts}
        if _source(message) in others:
            one["synthetic"] = True
        name = hashlib.sha1(
            json.dumps(one, sort_keys=True, default=str).encode(), usedforsecurity=False
        ).hexdigest()
        times[name] = times.get(name, 0) + 1
        found.append({"id": name if times[name] == 1 else f"{name}:{times[name]}", **one})
    return found


class _Tools(dict[str, str]):
    """The name of each call's tool: results do not say it."""


def _part(content: Content, tools: _Tools) -> Json:
    call = content.call_id or ""
    match content.type:
        case "text":
            return {"kind": "text", "text": content.text or ""}
        case "function_call":
            tools[call] = content.name or ""
            given = json.loads(json.dumps(content.parse_arguments(), default=str))
            return {"kind": "call", "call": call, "tool": tools[call], "input": given}
        case "function_result":
            return {"kind": "result", "call": call, "tool": tools.get(call, ""), "text": _words(content)}
        case "data" | "uri":
            return _file(content)
        case "text_reasoning":
            return {"kind": "reasoning"}
        case _:
            return {"kind": "other"}


def _file(content: Content) -> Json:
    return {"kind": "file", "mime": content.media_type or "", "text": (content.uri or "")[:HEAD]}


def _files(content: Content) -> list[Content]:
    if content.type != "function_result":
        return []
    return [one for one in content.items or () if one.type in ("data", "uri")]


def _words(content: Content) -> str:
    return content.result if isinstance(content.result, str) else json.dumps(content.result, default=str)


def _source(message: Message) -> str:
    about = message.additional_properties.get("_attribution")
    return str(about.get("source_id", "")) if isinstance(about, Mapping) else ""


def lasting(messages: Sequence[Json]) -> list[str]:
    """The ids without what providers put in for one run only."""
    return [one["id"] for one in messages if not one.get("synthetic")]


def last_result(messages: Sequence[Json]) -> tuple[str, str]:
    """The call and the tool of the result that the request ends with, "" where it ends with another thing."""
    results = [one for one in (messages[-1]["parts"] if messages else ()) if one["kind"] == "result"]
    return (results[-1]["call"], results[-1]["tool"]) if results else ("", "")


# --- messages as the model sees them --------------------------------------------------------------------


def shown(tail: Tail, name: str, message: Message, beside: Mapping[str, str]) -> Message:
    """A copy with marks and holes, and what stands beside its results; the message itself without any."""
    files = (f"{name}#{place}" for place in itertools.count(len(message.contents)))
    contents = [
        _shown(tail, f"{name}#{place}", message.role, content, files, beside)
        for place, content in enumerate(message.contents)
    ]
    if all(new is old for new, old in zip(contents, message.contents, strict=True)):
        return message
    one = copy.copy(message)  # its properties stay the same ones: a compaction below writes into them
    one.contents, one.message_id = contents, None  # the same id twice would confuse a compaction
    return one


def unechoed(text: str, mark: str) -> str:
    """What the model said, without the marks of earlier parts that it repeated: a stream keeps them."""
    own = int(mark.strip(" §") or 0)
    return MARKS.sub(lambda found: "" if max(map(_number, MARK.findall(found[0]))) < own else found[0], text)


def _number(mark: str) -> int:
    return int(mark[1:-1])


def _shown(
    tail: Tail, block: str, role: str, content: Content, files: Iterator[str], beside: Mapping[str, str]
) -> Content:
    if content.type == "text":
        mark = tail.marks.get(block, "") if role == "assistant" else ""
        return told(content, tail.seen(block, unechoed(content.text or "", mark)))
    if content.type == "function_result":
        return _result(tail, block, content, [next(files) for _ in _files(content)], beside)
    hole = tail.holes.get(block) if content.type in ("data", "uri") else None
    return Content.from_text(hole) if hole else content


def told(content: Content, text: str) -> Content:
    if text == (content.text or ""):
        return content
    one = copy.copy(content)
    one.text, one.raw_representation = text, None
    return one


def _result(
    tail: Tail, block: str, content: Content, blocks: list[str], beside: Mapping[str, str]
) -> Content:
    text = _words(content)
    said = tail.holes.get(block) or tail.seen(block, text) + beside.get(content.call_id or "", "")
    if said == text and not any(one in tail.holes for one in blocks):
        return content
    kept = [] if block in tail.holes else list(zip(blocks, _files(content), strict=True))
    files = [Content.from_text(tail.holes[one]) if one in tail.holes else file for one, file in kept]
    one = copy.copy(content)
    one.result, one.items, one.raw_representation = said, [Content.from_text(said), *files], None
    return one
