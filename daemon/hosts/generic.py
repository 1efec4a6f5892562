"""Any program's own hooks, in a format of ours: one JSON object a call.

    {"hook": "prompt", "session": "42", "cwd": "/home/me/project", "text": "Fix the login"}

``hook``: start, prompt, tool_before, tool, turn_end, compact_before, compact, end, or a name of one's own.
``text``: a prompt, an agent's last words, a summary; ``reason``: how a session began or why it ended. For
tools: ``tool``, ``call`` (its id), ``input``, ``output``, ``failed``. The answer is {"block": TEXT}.
"""

from navlog.daemon.hosts import opencode
from navlog.daemon.hosts.heard import Heard, Place
from navlog.daemon.hosts.payload import Payload
from navlog.daemon.hosts.voice import Voice

HOST = "generic"
spoken = opencode.spoken


def cwd(payload: Payload) -> str:
    """The folder the call is about."""
    return payload.text("cwd")


def translate(payload: Payload, place: Place, host: str = HOST) -> Heard:
    """What the call means."""
    voice = Voice(place, host, payload.text("session"), payload.text("hook"), payload.text("agent"))
    text, reason, tool = payload.text("text"), payload.text("reason"), payload.text("tool")
    match voice.hook:
        case "start":
            return voice.started(reason or "startup", payload.text("model"))
        case "prompt":
            return voice.prompt(text)
        case "tool_before":
            return voice.asked(tool, payload.any("input"), payload.text("call"))
        case "tool":
            failed, answer = payload.any("failed") is True, payload.any("output")
            return voice.used(tool, payload.any("input"), payload.text("call"), answer, failed=failed)
        case "turn_end":
            return voice.turn_ended(text)
        case "compact_before" | "compact":
            return voice.compacted(done=voice.hook == "compact", summary=text)
        case "end":
            return voice.ended(reason)
        case _:
            return voice.other()
