"""What a host calls its plugin with around a session's tail: one prompt, a tool's use, an answer."""

import time
from typing import Any

from support.plugins import Body

NOW = int(time.time() * 1000)
CALL = {"path": "a.py", "note": "as it is"}


def opencode(*more: Body, ago: int = 1_000, model: str = "m", output: str = "print(1)") -> Body:
    """The request after a prompt, a tool's use and an answer."""
    asked = {"id": "u1", "role": "user", "sessionID": "s", "agent": "build", "time": {"created": NOW - ago}}
    said = {"id": "a1", "role": "assistant", "sessionID": "s", "providerID": "p", "modelID": "m"}
    state = {
        "status": "completed",
        "input": CALL,
        "output": output,
        "time": {},
        "attachments": [{"url": "x"}],
    }
    parts = [
        {"type": "step-start"},
        {"type": "reasoning", "text": "hm"},
        {"type": "text", "text": "I look."},
        {"type": "tool", "callID": "c1", "tool": "read", "state": state},
    ]
    return {
        "hook": "experimental.chat.messages.transform",
        "input": {},
        "output": {
            "messages": [
                {
                    "info": {**asked, "model": {"providerID": "p", "modelID": model}},
                    "parts": [
                        {"type": "text", "text": "Look at a.py"},
                        {"type": "text", "text": "by the host", "synthetic": True},
                    ],
                },
                {"info": {**said, "time": {"created": NOW - ago, "completed": NOW - ago}}, "parts": parts},
                *more,
            ]
        },
    }


def pi(*more: Body, ago: int = 1_000, output: str = "print(1)") -> Body:
    """The same request in pi."""
    call = {"type": "toolCall", "id": "c1", "name": "read", "arguments": CALL}
    return {
        "event": {
            "type": "context",
            "messages": [
                {"role": "user", "content": "Look at a.py", "timestamp": NOW - ago - 9},
                {"role": "custom", "content": "by us", "timestamp": NOW - ago - 8},
                {
                    "role": "assistant",
                    "timestamp": NOW - ago,
                    "provider": "p",
                    "model": "m",
                    "content": [
                        {"type": "thinking", "thinking": "hm"},
                        {"type": "text", "text": "I look."},
                        call,
                    ],
                },
                {
                    "role": "toolResult",
                    "toolCallId": "c1",
                    "toolName": "read",
                    "timestamp": NOW - ago + 1,
                    "content": [
                        {"type": "text", "text": output},
                        {"type": "image", "data": "x", "mimeType": "image/png"},
                    ],
                },
                *more,
            ],
        }
    }


def request(host: str, **how: Any) -> Body:
    """The request of either host."""
    return pi(**how) if host == "pi" else opencode(**how)


def seen(host: str, came: dict[str, Any]) -> list[Any]:
    """Prompt, the model's text, the tool's input, its output, as the model sees them."""
    if host == "pi":
        asked, _, said, result = came["result"]["messages"][:4]
        texts = [part.get("text") for part in said["content"]]
        return [
            asked["content"][0]["text"],
            texts[1],
            said["content"][2]["arguments"],
            result["content"][0]["text"],
        ]
    asked, said = came["output"]["messages"][:2]
    tool = said["parts"][3]["state"]
    return [asked["parts"][0]["text"], said["parts"][2]["text"], tool["input"], tool["output"]]


BARE = ["Look at a.py", "I look.", CALL, "print(1)"]
MARKED = ["§1§ Look at a.py", "§2§ I look.", CALL, "§3§ print(1)"]
DROPPED = ["§1§ Look at a.py", "§2§ I look.", CALL, "[dropped §3§]"]


def after(host: str, tool: str = "read", rest: int = 0) -> Body:
    """A tool has run."""
    if host == "pi":
        content = [{"type": "text", "text": "out"}]
        event = {"type": "tool_result", "toolName": tool, "toolCallId": "c9", "input": {}, "content": content}
        return {"event": event, "rest": rest}
    given = {"tool": tool, "sessionID": "s", "callID": "c9", "args": {}}
    return {
        "hook": "tool.execute.after",
        "input": given,
        "output": {"output": "out", "metadata": {}},
        "rest": rest,
    }


def result_of(host: str, came: dict[str, Any]) -> str:
    """What the model sees of that tool."""
    if host == "opencode":
        return str(came["output"]["output"])
    content = (came.get("result") or came["event"])["content"]
    return "".join(part["text"] for part in content)


def before(host: str, given: Any) -> Body:
    """A tool is about to run."""
    if host == "pi":
        return {"event": {"type": "tool_call", "toolName": "write", "toolCallId": "c8", "input": given}}
    about = {"tool": "write", "sessionID": "s", "callID": "c8"}
    return {"hook": "tool.execute.before", "input": about, "output": {"args": given}}


def stopped(came: dict[str, Any]) -> str:
    """Why the tool does not run, "" where it does."""
    return str(came.get("thrown") or ((came.get("result") or {}).get("reason") or ""))


def input_of(host: str, came: dict[str, Any]) -> Any:
    """The tool's input as it is then."""
    return came["event"]["input"] if host == "pi" else came["output"]["args"]
