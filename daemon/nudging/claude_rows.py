"""The rows of a Claude Code transcript as messages of the tail; pure.

Left out: side chains (a subagent's tail is its own), and what the host puts in beside the conversation. A
compaction begins the tail anew; a prompt that goes on from an earlier row takes back what came after it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from navlog.daemon.nudging.rows import ALL, Changed, blocks_of, data_url, text_of
from navlog.schemas.tails import Message, Part

BY_HOST = re.compile(r"\s*<(local-command|command-|bash-|user-memory|task-notification)")
_MEDIA = ("image", "document")
_THOUGHT = ("thinking", "redacted_thinking")


class ClaudeRows:
    """One file, row by row."""

    def __init__(self) -> None:
        self._length = 0  # of the tail
        self._places: dict[str, int] = {}  # a row -> the tail's length after it
        self._tools: dict[str, str] = {}  # a call -> its tool

    def take(self, row: Mapping[str, Any], _offset: int) -> Changed:
        """What the row changes; a row that came before changes nothing."""
        uuid = str(row.get("uuid") or "")
        if row.get("isSidechain") or not uuid or uuid in self._places:
            return Changed()
        keep, messages = self._changed(row, uuid)
        self._length = (self._length if keep == ALL else keep) + len(messages)
        self._places[uuid] = self._length
        return Changed(keep, messages)

    def _changed(self, row: Mapping[str, Any], uuid: str) -> tuple[int, tuple[Message, ...]]:
        if row.get("subtype") == "compact_boundary":
            self._places = dict.fromkeys(self._places, ALL)
            return 0, ()
        message = row.get("message")
        role = row.get("type")
        if not isinstance(message, Mapping) or (role != "user" and role != "assistant"):
            return ALL, ()
        said = self._message(row, uuid, role, message.get("content"))
        if not said.parts:
            return ALL, ()
        return self._resumed(row, said), (said,)

    def _resumed(self, row: Mapping[str, Any], said: Message) -> int:
        """A person's prompt can go on from an earlier place: the tail's length there."""
        if said.role != "user" or said.synthetic or all(part.kind != "text" for part in said.parts):
            return ALL
        place = self._places.get(str(row.get("parentUuid") or ""), ALL)
        return place if place < self._length else ALL

    def _message(
        self, row: Mapping[str, Any], uuid: str, role: Literal["user", "assistant"], content: Any
    ) -> Message:
        parts = tuple(part for block in blocks_of(content) for part in self._parts(block))
        text = next((part.text for part in parts if part.kind == "text"), "")
        by_host = role == "user" and bool(row.get("isMeta") or BY_HOST.match(text))
        return Message(
            id=uuid, role=role, parts=parts, synthetic=by_host, summary=bool(row.get("isCompactSummary"))
        )

    def _parts(self, block: Mapping[str, Any]) -> Iterator[Part]:
        kind = block.get("type")
        if kind == "text":
            yield Part(kind="text", text=str(block.get("text") or ""))
        elif kind == "tool_use":
            call, tool = str(block.get("id") or ""), str(block.get("name") or "")
            self._tools[call] = tool
            yield Part(kind="call", call=call, tool=tool, input=block.get("input"))
        elif kind == "tool_result":
            yield from self._result(block)
        elif kind in _MEDIA:
            yield _media(block)
        else:
            yield Part(kind="reasoning" if kind in _THOUGHT else "other")

    def _result(self, block: Mapping[str, Any]) -> Iterator[Part]:
        call = str(block.get("tool_use_id") or "")
        content = block.get("content")
        yield Part(kind="result", call=call, tool=self._tools.get(call, ""), text=text_of(content))
        yield from (_media(one) for one in blocks_of(content) if one.get("type") in _MEDIA)


def _media(block: Mapping[str, Any]) -> Part:
    source = block.get("source")
    fields = source if isinstance(source, Mapping) else {}
    mime, data = str(fields.get("media_type") or ""), str(fields.get("data") or "")
    if block.get("type") == "image":
        return Part(kind="file", mime=mime or "image/png", text=data_url(mime, data))
    return Part(kind="file", mime=mime, text=data)
