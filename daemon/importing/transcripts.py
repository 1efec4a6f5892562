"""Claude Code's transcripts as the hook calls they would have been; pure.

So they mean here what the hooks mean, and what a hook has said already is said once. Left out: what the host
or we put in, thinking, side chains, the summary after a compaction.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

SYNTHETIC = re.compile(r"\s*<(local-command|command-|bash-|user-memory|task-notification)")
_ID = re.compile(r"[^\w.:-]")


class Call(NamedTuple):
    """A hook call: ``id`` is stable, ``payload`` as the host would have sent it."""

    id: str
    at: str
    cwd: str
    payload: dict[str, Any]


class Transcript:
    """One file, row by row."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._started: set[str] = set()
        self._seen: set[str] = set()
        self._asked: dict[str, tuple[str, Any]] = {}  # a tool's use -> its name and input
        self._said = ""  # the agent's last words, and the row they stand in
        self._last: tuple[str, str, str, str] | None = None  # session, uuid, at, cwd of the last row

    def calls(self, row: Mapping[str, Any]) -> Iterator[Call]:
        """What the row says; a row that came before gives nothing."""
        uuid, session, cwd = (str(row.get(name) or "") for name in ("uuid", "sessionId", "cwd"))
        if row.get("isSidechain") or not session or not cwd or not uuid or uuid in self._seen:
            return
        self._seen.add(uuid)
        place = (session, uuid, str(row.get("timestamp") or ""), cwd)
        if session not in self._started:
            self._started.add(session)
            yield _call(place, "start", "SessionStart", source="import", transcript_path=self._path)
        message = row.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        if row.get("type") == "assistant":
            self._hear(content)
        elif row.get("type") == "user":
            yield from self._user(row, content, place)
        elif row.get("subtype") == "compact_boundary":
            yield _call(place, "compact", "PostCompact", trigger="import")
        self._last = place

    def end(self, *, over: bool) -> Iterator[Call]:
        """The rest; ``over``: nobody works in this session any more."""
        if self._last is None:
            return
        yield from self._stop(self._last)
        if over:
            yield _call(self._last, "end", "SessionEnd", reason="import")

    def _hear(self, content: Any) -> None:
        for block in _blocks(content):
            if block.get("type") == "tool_use" and isinstance(block.get("id"), str):
                self._asked[block["id"]] = (str(block.get("name") or ""), block.get("input"))
            elif block.get("type") == "text" and block.get("text"):
                self._said = str(block["text"])

    def _user(self, row: Mapping[str, Any], content: Any, place: tuple[str, str, str, str]) -> Iterator[Call]:
        blocks = list(_blocks(content))
        for number, block in enumerate(blocks):
            if block.get("type") == "tool_result":
                yield self._used(row, block, place, number)
        text = "\n".join(str(one["text"]) for one in blocks if one.get("type") == "text" and one.get("text"))
        by_host = row.get("isMeta") or row.get("isCompactSummary") or SYNTHETIC.match(text)
        if text.strip() and not by_host:
            if self._last:
                yield from self._stop(self._last)
            yield _call(place, "prompt", "UserPromptSubmit", prompt=text)

    def _used(
        self, row: Mapping[str, Any], block: Mapping[str, Any], place: tuple[str, str, str, str], number: int
    ) -> Call:
        use = str(block.get("tool_use_id") or "")
        name, given = self._asked.pop(use, ("", {}))
        answer = row.get("toolUseResult") or block.get("content")
        fields = {"tool_name": name, "tool_input": given, "tool_use_id": use}
        if block.get("is_error"):
            return _call(place, f"tool{number}", "PostToolUseFailure", error=_plain(answer), **fields)
        return _call(place, f"tool{number}", "PostToolUse", tool_response=answer, **fields)

    def _stop(self, place: tuple[str, str, str, str]) -> Iterator[Call]:
        if self._said:
            yield _call(place, "stop", "Stop", last_assistant_message=self._said)
        self._said = ""


def _call(place: tuple[str, str, str, str], part: str, hook: str, **fields: Any) -> Call:
    session, uuid, at, cwd = place
    payload = {"session_id": session, "cwd": cwd, "hook_event_name": hook, **fields}
    return Call(_ID.sub("-", f"transcript:{uuid}:{part}")[:128], at, cwd, payload)


def _blocks(content: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(content, str):
        yield {"type": "text", "text": content}
    elif isinstance(content, list):
        yield from (one for one in content if isinstance(one, dict))


def _plain(answer: Any) -> str:
    return (
        answer if isinstance(answer, str) else "\n".join(str(one.get("text", "")) for one in _blocks(answer))
    )
