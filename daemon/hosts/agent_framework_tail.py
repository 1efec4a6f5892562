"""The tail of an Agent Framework session: measured before each request of the model, changed on copies only.

A request goes out with marks before what can be set aside, placeholders where that was done, and what is to
be said. Whatever fails, it goes out as it was last shown, or as it is.
"""

import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from agent_framework import ChatMiddleware, FunctionMiddleware, FunctionTool, Message

from navlog.daemon.hosts.agent_framework_messages import (
    Json,
    Tail,
    counted,
    last_result,
    lasting,
    shown,
    told,
)

HOST = "agent-framework"
REDUCE = "ctx_reduce"
REDUCE_S = 2.0  # that the model waits for its own tool
ABOUT = (
    "Sets spent parts of this conversation aside for later: they leave the context at the next convenient "
    "point, and can be read again when needed. Parts are named by the numbers that stand before them "
    "(§12§ is 12)."
)
DROP = 'Which parts, e.g. "3-5,8"'
REASON = "Why they are no longer needed, in a few words"
UNSAID = "navlog did not answer; nothing was set aside. Go on with the work."

# A verb, its arguments and the seconds it may take; {} for every kind of trouble.
Ask = Callable[[str, Json, float], Awaitable[Mapping[str, Any]]]


class Requests(ChatMiddleware):
    """Measures what each request sends, and changes the copy that goes out.

    ``state`` is the provider's, kept with the session: what was said, "beside" a call's result and "after" a
    message, goes out again at its place, so that the prefix stays the same.
    """

    def __init__(self, tail: Tail, state: Json, ask: Ask, limit_s: float, others: Collection[str]) -> None:
        self._tail = tail
        self._state = state
        self._ask = ask
        self._limit_s = limit_s
        self._others = others

    async def process(self, context: Any, call_next: Callable[[], Awaitable[None]]) -> None:
        """Sends the request as the model is to see it, and says whether it went out."""
        token = ""
        try:
            elsewhere = (context.options or {}).get("conversation_id")  # what we do not see is kept there
            if not elsewhere:
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
                yield Message("user", [after[name]["text"]])

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
        found = _result(reply)
        if found.get("missing"):
            left_s = self._limit_s - (time.monotonic() - now_s)
            found = _result(await self._ask("tail.measure", {**args, "messages": messages}, left_s))
        if found:
            tail.learn(messages, found, now_s)
        return found

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
                    told(one, self._tail.unmarked(one.text or "")) if one.type == "text" else one
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


def _result(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    found = reply.get("result")
    return found if isinstance(found, Mapping) else {}


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
        return str(_result(reply).get("text") or UNSAID)

    fields = {
        "drop": {"type": "string", "description": DROP},
        "reason": {"type": "string", "description": REASON},
    }
    taken = {"type": "object", "properties": fields, "required": ["drop"]}
    return FunctionTool(
        name=REDUCE, description=ABOUT, approval_mode="never_require", func=reduce, input_model=taken
    )
