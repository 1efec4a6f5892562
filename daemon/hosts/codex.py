"""Codex's hooks: Claude Code's names and shapes, and a ``notify`` program that is told when a turn ended."""

from navlog.daemon.hosts import claude_code, saying
from navlog.daemon.hosts.heard import Heard, Place
from navlog.daemon.hosts.payload import Payload
from navlog.schemas.sessions import TurnEnded

HOST = "codex"
cwd = claude_code.cwd
spoken = claude_code.spoken


def translate(payload: Payload, place: Place) -> Heard:
    """What the call means."""
    if payload.text("type") == "agent-turn-complete":
        return _notified(payload, place)
    return claude_code.translate(payload, place, HOST)


def _notified(payload: Payload, place: Place) -> Heard:
    words = payload.text("last-assistant-message")
    event = TurnEnded(
        session=payload.text("thread-id"),
        host=HOST,
        text=saying.beginning(words, place.redact, saying.SAID_CHARS),
        size=len(words),
        turn=payload.text("turn-id"),
    )
    return Heard((event,))
