"""Transcripts as hosts write them, row by row."""

import json
from itertools import count
from pathlib import Path
from typing import Any


class ClaudeTranscript:
    """A file of Claude Code's; every row goes on from the last one."""

    def __init__(self, path: Path, session: str = "s") -> None:
        self.path = path
        self.session = session
        self.last: str | None = None
        self._numbers = count(1)
        path.touch()

    def row(self, kind: str, content: Any = None, parent: str | None = None, **fields: Any) -> str:
        """Appends a row; its uuid."""
        uuid = f"{self.session}-{next(self._numbers)}"
        row = {
            "type": kind,
            "uuid": uuid,
            "parentUuid": parent or self.last,
            "sessionId": self.session,
            **fields,
        }
        if content is not None:
            row["message"] = {"role": kind, "content": content}
        self.write(json.dumps(row).encode() + b"\n")
        self.last = uuid
        return uuid

    def write(self, data: bytes) -> None:
        """Bytes at its end, whatever they are."""
        with self.path.open("ab") as file:
            file.write(data)

    def prompt(self, text: str = "Go on", parent: str | None = None, **fields: Any) -> str:
        """A person's words."""
        return self.row("user", text, parent, **fields)

    def arc(self, call: str, output: Any, tool: str = "Bash", given: Any = None, **fields: Any) -> None:
        """A tool's call and what came back."""
        use = {"type": "tool_use", "id": call, "name": tool, "input": given or {"command": f"run {call}"}}
        self.row("assistant", [use], **fields)
        self.row("user", [{"type": "tool_result", "tool_use_id": call, "content": output}], **fields)


class CodexRollout:
    """A file of Codex's."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.touch()

    def row(self, kind: str, **payload: Any) -> None:
        """Appends a row."""
        row = {"timestamp": "2026-11-30T12:00:00.000Z", "type": kind, "payload": payload}
        with self.path.open("ab") as file:
            file.write(json.dumps(row).encode() + b"\n")

    def said(self, role: str, text: str) -> None:
        """A message."""
        kind = "output_text" if role == "assistant" else "input_text"
        self.row("response_item", type="message", role=role, content=[{"type": kind, "text": text}])

    def arc(self, call: str, output: Any, tool: str = "shell", arguments: str = '{"command":["ls"]}') -> None:
        """A function's call and what came back."""
        self.row("response_item", type="function_call", name=tool, arguments=arguments, call_id=call)
        self.row("response_item", type="function_call_output", call_id=call, output=output)
