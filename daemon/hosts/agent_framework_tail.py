"""The tail of an Agent Framework session: measured before each request of the model, changed on copies only.

The messages of a request become what `tail.measure` takes; the request goes out with marks before what can be
set aside, placeholders where that was done, and what is to be said. The history keeps its own messages.
Whatever fails, a request goes out as it was last shown, or as it is.
"""

import copy
import hashlib
import json
import re
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from agent_framework import (
    ChatMiddleware,
    Content,
    FunctionMiddleware,
    FunctionTool,
    Message,
)

HOST = "agent-framework"
REDUCE = "ctx_reduce"
CACHE_S = 5 * 60.0  # after which a provider is taken to have forgotten what it was sent
HEAD = 65_600  # characters of an image: its size stands in its head
REDUCE_S = 2.0  # that the model waits for its own tool
ROLES = {"user": "user", "assistant": "assistant", "tool": "user"}
ABOUT = (
    "Sets spent parts of this conversation aside for later: they leave the context at the next convenient "
    "point, and can be read again when needed. Parts are named by the numbers that stand before them "
    "(§12§ is 12)."
)
DROP = 'Which parts, e.g. "3-5,8"'
REASON = "Why they are no longer needed, in a few words"
UNSAID = "navlog did not answer; nothing was set aside. Go on with the work."
MARKS = re.compile(r"^[ \t]*(?:§\d+§[ \t]?)+", re.MULTILINE)
MARK = re.compile(r"§\d+§")

Json = dict[str, Any]
# A verb, its arguments and the seconds it may take; {} for every kind of trouble.
Ask = Callable[[str, Json, float], Awaitable[Mapping[str, Any]]]


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
    files = iter(range(len(message.contents), 1 << 31))
    contents = [
        _shown(tail, name, place, content, files, beside) for place, content in enumerate(message.contents)
    ]
    if all(new is old for new, old in zip(contents, message.contents, strict=True)):
        return message
    one = copy.copy(message)  # its properties stay the same ones: a compaction below writes into them
    one.contents = contents
    return one


def _shown(
    tail: Tail, name: str, place: int, content: Content, files: Iterator[int], beside: Mapping[str, str]
) -> Content:
    block = f"{name}#{place}"
    if content.type == "text":
        return _told(content, tail.seen(block, content.text or ""))
    if content.type == "function_result":
        return _result(tail, block, content, [f"{name}#{next(files)}" for _ in _files(content)], beside)
    hole = tail.holes.get(block) if content.type in ("data", "uri") else None
    return Content.from_text(hole) if hole else content


def _told(content: Content, text: str) -> Content:
    if text == (content.text or ""):
        return content
    one = copy.copy(content)
    one.text, one.raw_representation = text, None
    return one


def _result(
    tail: Tail, block: str, content: Content, blocks: list[str], beside: Mapping[str, str]
) -> Content:
    text = _words(content)
    said = tail.seen(block, text) + beside.get(content.call_id or "", "")
    if said == text and not any(one in tail.holes for one in blocks):
        return content
    kept = [] if block in tail.holes else list(zip(blocks, _files(content), strict=True))
    files = [Content.from_text(tail.holes[one]) if one in tail.holes else file for one, file in kept]
    one = copy.copy(content)
    one.result, one.items, one.raw_representation = said, [Content.from_text(said), *files], None
    return one


# --- what the framework calls ---------------------------------------------------------------------------


class Requests(ChatMiddleware):
    """Measures what each request sends, and changes the copy that goes out.

    ``state`` is the provider's, kept with the session: what was said, "beside" a call's result and "after" a
    message, goes out again at its place, so that the prefix stays the same.
    """

    def __init__(
        self, tail: Tail, state: Json, ask: Ask, limit_s: float, others: Collection[str], own: str
    ) -> None:
        self._tail = tail
        self._state = state
        self._ask = ask
        self._limit_s = limit_s
        self._others = others
        self._own = own

    async def process(self, context: Any, call_next: Callable[[], Awaitable[None]]) -> None:
        """Sends the request as the model is to see it, and says whether it went out."""
        token = ""
        try:
            if not (context.options or {}).get(
                "conversation_id"
            ):  # else the service keeps what we do not see
                token = await self._prepare(context)
        except Exception:  # noqa: BLE001 - then it goes out as it is
            token = ""
        if context.stream:
            context.stream_result_hooks.append(lambda response: self._came(response, token))
        try:
            await call_next()
        except Exception:
            await self._sent(token, failed=True)
            raise
        if not context.stream:
            await self._came(context.result, token)

    async def _prepare(self, context: Any) -> str:
        """Gives the token of a message of its own that is in the request now, "" for none."""
        live = [one for one in context.messages if not one.additional_properties.get("_excluded")]
        messages = counted(live, self._others)
        tools = (context.options or {}).get("tools") or ()
        offered = any(getattr(one, "name", "") == REDUCE for one in tools)
        found = await self._measured(messages, offered=offered)
        beside: dict[str, str] = self._state.setdefault("beside", {})
        after: dict[str, Json] = self._state.setdefault("after", {})
        if found.get("reminder"):
            beside[last_result(messages)[0]] = found["reminder"]
        own = found.get("message") or {}
        if own:
            after[messages[-1]["id"]] = {"text": own["text"], "token": own["token"]}
        self._forget(messages)
        names = {id(one): message["id"] for one, message in zip(live, messages, strict=True)}
        context.messages = list(self._changed(context, names, beside, after))
        return str(own.get("token") or "")

    def _changed(
        self, context: Any, names: Mapping[int, str], beside: Mapping[str, str], after: Mapping[str, Json]
    ) -> Iterator[Message]:
        for message in context.messages:
            name = names.get(id(message), "")
            one = shown(self._tail, name, message, beside) if name else message
            if one is not message:
                context.record_message_replacement(one, message)
            yield one
            if name in after:
                about = {"_attribution": {"source_id": self._own}}
                yield Message("user", [after[name]["text"]], additional_properties=about)

    async def _measured(self, messages: list[Json], *, offered: bool) -> Mapping[str, Any]:
        tail, now_s = self._tail, time.monotonic()
        result, tool = last_result(messages)
        args = {
            "session": tail.session, "host": HOST, "project": tail.project, "shows": True, "removes": True,
            "reduce_tool": REDUCE if offered else "", "rewrites": tail.rewrites(lasting(messages), now_s),
            "result": result, "tool": tool, "message": True,
        }  # fmt: skip
        order = [one["id"] for one in messages]
        new = [one for one in messages if one["id"] not in tail.sent]
        reply = await self._ask("tail.measure", {**args, "order": order, "messages": new}, self._limit_s)
        found = reply.get("result") or {}
        if found.get("missing"):
            left_s = self._limit_s - (time.monotonic() - now_s)
            found = (await self._ask("tail.measure", {**args, "messages": messages}, left_s)).get(
                "result"
            ) or {}
        if found:
            tail.learn(messages, found, now_s)
        return found if isinstance(found, Mapping) else {}

    def _forget(self, messages: Sequence[Json]) -> None:
        """What was said at places that are gone."""
        names = {one["id"] for one in messages}
        calls = {part["call"] for one in messages for part in one["parts"] if part["kind"] == "result"}
        for kept, here in ((self._state["beside"], calls), (self._state["after"], names)):
            for gone in [place for place in kept if place not in here]:
                del kept[gone]

    async def _came(self, response: Any, token: str) -> Any:
        """What the model said, without the marks it repeated."""
        await self._sent(token)
        try:
            for message in response.messages:
                message.contents = [
                    _told(one, self._tail.unmarked(one.text or "")) if one.type == "text" else one
                    for one in message.contents
                ]
        except Exception:  # noqa: BLE001 - then it stays as it is
            return response
        return response

    async def _sent(self, token: str, *, failed: bool = False) -> None:
        """A claim of which nobody says whether it went out is free again after a while."""
        if not token:
            return
        if failed:
            after = self._state["after"]
            self._state["after"] = {name: one for name, one in after.items() if one["token"] != token}
        about = {
            "session": self._tail.session,
            "token": token,
            "project": self._tail.project,
            "failed": failed,
        }
        await self._ask("tail.sent", about, self._limit_s)


class Calls(FunctionMiddleware):
    """No mark and no placeholder gets into a tool's input."""

    def __init__(self, tail: Tail) -> None:
        self._tail = tail

    async def process(self, context: Any, call_next: Callable[[], Awaitable[None]]) -> None:
        """Refuses a call that holds a placeholder: it would be written where it only marks a place."""
        hole = ""
        if isinstance(context.arguments, Mapping):
            plain, hole = self._tail.cleaned(context.arguments)
            if plain != context.arguments:
                context.arguments = plain
        if not hole:
            await call_next()
            return
        what = f"The input holds {hole}, which only marks the place of what was set aside."
        context.result = f"{what} Read it again, then write out what it says."


def reduce_tool(tail: Tail, ask: Ask) -> FunctionTool:
    """The model's own tool: asks `tail.reduce`."""

    async def reduce(drop: str, reason: str = "") -> str:
        args = {
            "session": tail.session,
            "project": tail.project,
            "host": HOST,
            "drop": drop,
            "reason": reason,
        }
        reply = await ask("tail.reduce", args, REDUCE_S)
        if error := reply.get("error"):
            return " ".join(filter(None, (error.get("message"), error.get("hint"))))
        return str((reply.get("result") or {}).get("text") or UNSAID)

    fields = {
        "drop": {"type": "string", "description": DROP},
        "reason": {"type": "string", "description": REASON},
    }
    taken = {"type": "object", "properties": fields, "required": ["drop"]}
    return FunctionTool(
        name=REDUCE, description=ABOUT, approval_mode="never_require", func=reduce, input_model=taken
    )
