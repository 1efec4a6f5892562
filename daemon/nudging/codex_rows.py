"""The rows of a Codex rollout as messages of the tail; pure.

Items have no ids of their own: a message is named by the offset of its row, which never moves. What is not an
item of the conversation (events for the display, settings of a turn) is left out.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from navlog.daemon.nudging.rows import ALL, Changed, blocks_of, text_of
from navlog.schemas.tails import Message, Part

# What Codex says in the user's name: its surroundings, instructions of files, what a shell said.
BY_HOST = re.compile(
    r"\s*(<(environment_context|user_instructions|turn_aborted|user_shell_command|skill|subagent_notification|permissions"
    r"|collaboration_mode|app-context|INSTRUCTIONS)|# AGENTS\.md instructions)"
)
_CALLS = ("function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call")
_RESULTS = ("function_call_output", "custom_tool_call_output", "tool_search_output")


class CodexRows:
    """One file, row by row."""

    def __init__(self) -> None:
        self._tools: dict[str, str] = {}

    def take(self, row: Mapping[str, Any], offset: int) -> Changed:
        """What the row changes."""
        payload = row.get("payload")
        if not isinstance(payload, Mapping):
            return Changed()
        if row.get("type") == "response_item":
            return Changed(ALL, tuple(self._messages(payload, f"{offset}")))
        if row.get("type") == "compacted":
            return Changed(0, tuple(self._compacted(payload, f"{offset}")))
        return Changed()

    def _compacted(self, payload: Mapping[str, Any], name: str) -> Iterator[Message]:
        """What the host goes on from: its own new history, else the summary."""
        history = payload.get("replacement_history")
        for number, item in enumerate(history if isinstance(history, list) else []):
            if isinstance(item, Mapping):
                yield from self._messages(item, f"{name}-{number}")
        text = str(payload.get("message") or "")
        yield Message(id=f"{name}-summary", role="user", parts=(Part(kind="text", text=text),), summary=True)

    def _messages(self, item: Mapping[str, Any], name: str) -> Iterator[Message]:
        kind = item.get("type")
        if kind == "message":
            yield _said(item, name)
        elif kind in _CALLS:
            yield Message(id=name, role="assistant", parts=(self._call(item),))
        elif kind in _RESULTS:
            call = str(item.get("call_id") or "")
            text = _output(item.get("output"))
            part = Part(kind="result", call=call, tool=self._tools.get(call, ""), text=text)
            yield Message(id=name, role="user", parts=(part,))

    def _call(self, item: Mapping[str, Any]) -> Part:
        call = str(item.get("call_id") or "")
        tool = str(item.get("name") or item.get("type"))
        given = item.get("arguments", item.get("input", item.get("action")))
        self._tools[call] = tool
        return Part(kind="call", call=call, tool=tool, input=_arguments(given))


def _said(item: Mapping[str, Any], name: str) -> Message:
    parts = tuple(map(_part, blocks_of(item.get("content"))))
    role = item.get("role")
    first = next((part.text for part in parts if part.kind == "text"), "")
    if role == "assistant":
        return Message(id=name, role="assistant", parts=parts)
    return Message(id=name, role="user", parts=parts, synthetic=role != "user" or bool(BY_HOST.match(first)))


def _part(block: Mapping[str, Any]) -> Part:
    if block.get("type") == "input_image":
        return Part(kind="file", mime="image/png", text=str(block.get("image_url") or ""))
    text = block.get("text")
    return Part(kind="text", text=text) if isinstance(text, str) else Part(kind="other")


def _arguments(given: Any) -> Any:
    """A function's arguments are JSON in a text; whatever else there is, as it is."""
    if not isinstance(given, str):
        return given
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        return given


def _output(output: Any) -> str:
    if isinstance(output, Mapping):
        return _output(output.get("content", output.get("output")))
    return text_of(output)
