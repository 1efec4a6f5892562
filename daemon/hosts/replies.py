"""What an agent said last, whole, before the log keeps its beginning: for whoever judges replies.

Claude Code and Codex hand it to their Stop hook, and take the turn on for a reason they are told.
"""

import json
from collections.abc import Callable, Sequence
from typing import NamedTuple

from navlog.daemon.hosts.payload import Payload
from navlog.daemon.projects import Project
from navlog.schemas.event import Event
from navlog.schemas.sessions import TurnEnded

STOP = "Stop"


class Reply(NamedTuple):
    """``active``: the host has taken this turn on for a hook already."""

    session: str
    text: str
    turn: str
    active: bool


Replied = Callable[[Project, Reply, str], str]  # (…, trace) -> why the turn should be taken on, "" for not


Heeded = Callable[[Project, Reply, str, str], None]  # (…, host, trace); returns at once


def unheeded(_project: Project, _reply: Reply, _host: str, _trace: str) -> None:
    """Hears nothing."""


def nobody(_project: Project, _reply: Reply, _trace: str) -> str:
    """Judges nothing."""
    return ""


def reply_of(payload: Payload) -> Reply | None:
    """The reply of a Stop hook; None for every other call, and where the host does not say the words."""
    text = payload.text("last_assistant_message")
    if payload.text("hook_event_name") != STOP or not text:
        return None
    active = payload.any("stop_hook_active") is True
    turn = payload.text("turn_id", "prompt_id")
    return Reply(payload.text("session_id"), text, turn, active)


def last_words(reply: Reply | None, events: Sequence[Event]) -> Reply | None:
    """The reply, or as much of it as the log keeps where the host hands no more over."""
    if reply:
        return reply
    ended = next((one for one in events if isinstance(one, TurnEnded) and one.text), None)
    return Reply(ended.session, ended.text, ended.turn, active=False) if ended else None


def taken_on(reason: str) -> str:
    """What the Stop hook prints so that the host goes on; "" for no reason."""
    return json.dumps({"decision": "block", "reason": reason}) if reason else ""
