"""pi's extension events, as our extension passes them on: the event itself, with "cwd" and "session"."""

from typing import Any

from navlog.daemon.hosts import opencode, saying
from navlog.daemon.hosts.heard import Heard, Place
from navlog.daemon.hosts.payload import Payload
from navlog.daemon.hosts.voice import Voice

HOST = "pi"
spoken = opencode.spoken


def cwd(payload: Payload) -> str:
    """The folder the call is about."""
    return payload.text("cwd", "_cwd")


def translate(payload: Payload, place: Place) -> Heard:
    """What the event means."""
    voice = Voice(place, HOST, payload.text("session", "sessionId"), payload.text("type"))
    tool, call = payload.text("toolName"), payload.text("toolCallId")
    match voice.hook:
        case "session_start":
            return voice.started(payload.text("reason") or "startup", payload.text("model"))
        case "before_agent_start":
            return voice.prompt(payload.text("prompt"))
        case "tool_call":
            return voice.asked(tool, payload.any("input"), call)
        case "tool_result":
            failed = payload.any("isError") is True
            return voice.used(tool, payload.any("input"), call, payload.any("content"), failed=failed)
        case "agent_end":
            return voice.turn_ended(_last_words(payload.any("messages")))
        case _:
            return _of_session(payload, voice)


def _of_session(payload: Payload, voice: Voice) -> Heard:
    match voice.hook:
        case "session_before_compact":
            return voice.compacted(done=False)
        case "session_compact":
            return voice.compacted(done=True, summary=payload.of("compactionEntry").text("summary"))
        case "session_shutdown":
            return voice.ended(payload.text("reason"))
        case _:
            return voice.other()


def _last_words(messages: Any) -> str:
    said = [one for one in messages if isinstance(one, dict)] if isinstance(messages, list) else []
    last = next((one for one in reversed(said) if one.get("role") == "assistant"), {})
    return saying.plain(last.get("content"))
