"""What the tests of hosts share: their samples, a place in a project, calls."""

from pathlib import Path
from typing import Any

import msgspec

from navlog.daemon.hosts.heard import Heard, Place
from navlog.daemon.hosts.payload import Payload
from navlog.daemon.hosts.translating import translate
from navlog.schemas.sessions import ToolUsed

SAMPLES = Path(__file__).parents[1] / "data" / "hosts"
ROOT = "/home/user/proj"
PLACE = Place(ROOT, ROOT, ROOT, lambda text: text.replace("hunter2", "[redacted:test]"))


def samples() -> dict[str, tuple[str, dict[str, Any]]]:
    """Every call that was seen of a real client: name -> (host, payload)."""
    found = {}
    for host in ("claude-code", "codex"):
        for file in sorted((SAMPLES / host).glob("*.json")):
            found[f"{host}/{file.stem}"] = host, msgspec.json.decode(file.read_bytes())
    for host, name in (("opencode", "hooks"), ("pi", "events")):
        calls = msgspec.json.decode((SAMPLES / host / f"{name}.json").read_bytes())
        for key, call in calls.items():
            found[f"{host}/{key}"] = host, {"cwd": ROOT, "type": key, "session": "s", **call}
    return found


def hear(host: str, payload: dict[str, Any], place: Place = PLACE) -> Heard:
    return translate(host, Payload(payload), place)


def claude(hook: str, **fields: Any) -> dict[str, Any]:
    """A payload of Claude Code's."""
    return {"session_id": "s", "cwd": ROOT, "hook_event_name": hook, **fields}


def used(tool: str, given: Any, answer: Any = "", **fields: Any) -> list[ToolUsed]:
    """What the use of a tool is heard as."""
    call = claude(
        "PostToolUse", tool_name=tool, tool_input=given, tool_response=answer, tool_use_id="c", **fields
    )
    return [event for event in hear("claude-code", call).events if isinstance(event, ToolUsed)]
