"""A model that says what a script says: the three protocols that the clients speak, on loopback.

To words of a person it answers with one tool call, to a tool's result with a sentence. It never calls more
tools than its script has, whatever it is asked: a client that compacts asks again. Every request is kept.
"""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = Mapping[str, Any]
Event = tuple[str, Body]  # the name of a server-sent event, "" where the protocol has none, and its data
TOKENS = 100  # claimed for every answer


@dataclass
class Script:
    """``calls``: for a tool's name the input it is called with; ``reply``: the sentence that ends a turn.

    ``plan``: such calls that are made one after the other, before anything else, by whom they are offered to.
    """

    calls: Mapping[str, Body]
    plan: list[Mapping[str, Body]] = field(default_factory=list)
    reply: str = "Done."
    most: int = 20
    answers: int = 0
    requests: list[tuple[str, Body]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next_call(self, offered: Sequence[str], *, after_tool: bool) -> tuple[str, str, Body] | None:
        """(call id, tool, input) or None for the closing sentence; the first of ours that is offered."""
        with self.lock:
            calls = self.plan[0] if self.plan else self.calls
            known = [name for name in calls if name in offered]
            if (after_tool and not self.plan) or not known or self.most <= 0:
                return None
            if self.plan:
                self.plan.pop(0)
            self.most -= 1
            return f"call_{self.most}", known[0], calls[known[0]]

    @staticmethod
    def offers(body: Body, tool: str) -> bool:
        """Whether a request offers that tool."""
        return tool in _names(body)

    def named(self, kind: str) -> str:
        """An id no other answer has: clients join answers of one id."""
        with self.lock:
            self.answers += 1
            return f"{kind}_{self.answers}"

    def keep(self, path: str, body: Body) -> None:
        """A request, for those who ask afterwards what arrived."""
        with self.lock:
            self.requests.append((path, body))


def serve(script: Script) -> ThreadingHTTPServer:
    """The model behind a port of its own on loopback, in a thread; ``shutdown()`` ends it."""
    handler = type("Model", (_Model,), {"script": script})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class _Model(BaseHTTPRequestHandler):
    script: Script
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        try:
            body = json.loads(self.rfile.read(length) or b"{}")
        except ValueError:
            body = {}
        path = self.path.partition("?")[0]
        self.script.keep(path, body)
        answer = next((answer for end, answer in ANSWERS.items() if path.endswith(end)), None)
        if answer is None:
            self._send("application/json", b'{"input_tokens": 100}')
        elif body.get("stream"):
            self._send("text/event-stream", b"".join(map(_line, answer(self.script, body))))
        else:
            self._send("application/json", json.dumps(_whole(path, self.script)).encode())

    def do_GET(self) -> None:
        self._send("application/json", b'{"data": [], "models": []}')

    do_HEAD = do_GET  # noqa: N815 - http.server's names

    def log_message(self, *_: object) -> None:
        """Says nothing."""

    def _send(self, kind: str, data: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def _line(event: Event) -> bytes:
    name, data = event
    text = data["raw"] if "raw" in data else json.dumps(data)
    return (f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode()


def messages(script: Script, body: Body) -> Iterator[Event]:
    """Anthropic's ``/v1/messages``."""
    last = _last_of_its_own(body.get("messages") or [])
    call = script.next_call(_names(body), after_tool=_holds(last.get("content"), "tool_use"))
    usage = {"input_tokens": TOKENS, "output_tokens": 1}
    start = {
        "id": script.named("msg"),
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "m"),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    yield "message_start", {"type": "message_start", "message": start}
    if call:
        block: Body = {"type": "tool_use", "id": f"toolu_{call[0]}", "name": call[1], "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(call[2])}
    else:
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": script.reply}
    yield "content_block_start", {"type": "content_block_start", "index": 0, "content_block": block}
    yield "content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}
    yield "content_block_stop", {"type": "content_block_stop", "index": 0}
    stop = {"stop_reason": "tool_use" if call else "end_turn", "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": stop, "usage": {"output_tokens": TOKENS}}
    yield "message_stop", {"type": "message_stop"}


def responses(script: Script, body: Body) -> Iterator[Event]:
    """OpenAI's ``/v1/responses``."""
    given = body.get("input") or []
    own = [item for item in given if item.get("type") == "function_call" or item.get("role") == "assistant"]
    after_tool = bool(own) and own[-1].get("type") == "function_call"
    call = script.next_call(_names(body), after_tool=after_tool)
    item: Body
    if call:
        spaces = {f"{space}__{name}": (space, name) for space, name in _namespaced(body)}
        space, name = spaces.get(call[1], ("", call[1]))
        item = {
            "type": "function_call",
            "id": f"fc_{call[0]}",
            "call_id": call[0],
            "name": name,
            **({"namespace": space} if space else {}),
            "arguments": json.dumps(call[2]),
            "status": "completed",
        }
    else:
        text = {"type": "output_text", "text": script.reply, "annotations": []}
        item = {
            "type": "message",
            "id": script.named("msg"),
            "role": "assistant",
            "status": "completed",
            "content": [text],
        }
    usage = {
        "input_tokens": TOKENS,
        "output_tokens": 1,
        "total_tokens": TOKENS + 1,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    name = script.named("resp")
    yield "response.created", {"type": "response.created", "response": {"id": name}}
    yield (
        "response.output_item.added",
        {"type": "response.output_item.added", "output_index": 0, "item": item},
    )
    yield "response.output_item.done", {"type": "response.output_item.done", "output_index": 0, "item": item}
    done = {"id": name, "object": "response", "status": "completed", "output": [item], "usage": usage}
    yield "response.completed", {"type": "response.completed", "response": done}


def completions(script: Script, body: Body) -> Iterator[Event]:
    """OpenAI's ``/v1/chat/completions``."""
    last = _last_of_its_own(body.get("messages") or [])
    call = script.next_call(_names(body), after_tool=bool(last.get("tool_calls")))
    if call:
        function = {"name": call[1], "arguments": json.dumps(call[2])}
        delta: Body = {
            "role": "assistant",
            "tool_calls": [{"index": 0, "id": call[0], "type": "function", "function": function}],
        }
    else:
        delta = {"role": "assistant", "content": script.reply}
    usage = {"prompt_tokens": TOKENS, "completion_tokens": 1, "total_tokens": TOKENS + 1}
    yield "", _chunk(delta, None)
    yield "", {**_chunk({}, "tool_calls" if call else "stop"), "usage": usage}
    yield "", {"raw": "[DONE]"}


ANSWERS: Mapping[str, Callable[[Script, Body], Iterator[Event]]] = {
    "/messages": messages,
    "/responses": responses,
    "/chat/completions": completions,
}


def _chunk(delta: Body, finish: str | None) -> Body:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "m",
        "choices": [choice],
    }


def _whole(path: str, script: Script) -> Body:
    usage = {"input_tokens": TOKENS, "output_tokens": 1}
    if path.endswith("/messages"):
        return {
            "id": script.named("msg"),
            "type": "message",
            "role": "assistant",
            "model": "m",
            "stop_reason": "end_turn",
            "content": [{"type": "text", "text": script.reply}],
            "usage": usage,
        }
    message = {"role": "assistant", "content": script.reply}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "m",
        "created": 0,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
    }


def _names(body: Body) -> list[str]:
    """The names of the tools that a request offers, in any of the three protocols."""
    tools = body.get("tools") or []
    plain = [
        str(tool.get("name") or (tool.get("function") or {}).get("name") or tool.get("type"))
        for tool in tools
    ]
    return [*plain, *(f"{space}__{name}" for space, name in _namespaced(body))]


def _namespaced(body: Body) -> list[tuple[str, str]]:
    """Codex offers a server's tools in a namespace: (its name, the tool's)."""
    spaces = [tool for tool in body.get("tools") or [] if tool.get("type") == "namespace"]
    return [
        (str(one.get("name")), str(tool.get("name"))) for one in spaces for tool in one.get("tools") or ()
    ]


def _last_of_its_own(said: Sequence[Body]) -> Body:
    """What the model said last; what stands behind it are results, and words that hooks put beside them."""
    return next((one for one in reversed(said) if one.get("role") == "assistant"), {})


def _holds(content: object, kind: str) -> bool:
    return isinstance(content, list) and any(
        isinstance(part, dict) and part.get("type") == kind for part in content
    )
