"""Codex's hooks: Claude Code's names and shapes, and a ``notify`` program that is told when a turn ended."""

from navlog.daemon.hosts import claude_code
from navlog.daemon.hosts.heard import Heard, Place
from navlog.daemon.hosts.payload import Payload
from navlog.daemon.hosts.voice import Voice

HOST = "codex"
cwd = claude_code.cwd
spoken = claude_code.spoken


def translate(payload: Payload, place: Place) -> Heard:
    """What the call means."""
    notified = payload.text("type")
    if notified == "agent-turn-complete":
        voice = Voice(place, HOST, payload.text("thread-id"), notified)
        return voice.turn_ended(payload.text("last-assistant-message"), payload.text("turn-id"))
    return claude_code.translate(payload, place, HOST)
