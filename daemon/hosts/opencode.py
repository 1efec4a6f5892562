"""OpenCode's plugin hooks, as our plugin passes them on: {"hook", "cwd", "input", "output"}.

``hook`` is the name in OpenCode's plugin API, ``input`` and ``output`` its two arguments; for the hook
``event``, ``input`` is the event. ``cwd`` is the plugin's ``directory``. The answer is {"block": TEXT}, for
the plugin to put in where it can.
"""

import msgspec

from navlog.daemon.hosts import saying
from navlog.daemon.hosts.heard import Ask, Heard, Place
from navlog.daemon.hosts.payload import Payload
from navlog.daemon.hosts.voice import Voice

HOST = "opencode"


def cwd(payload: Payload) -> str:
    """The folder the call is about."""
    return payload.text("cwd", "directory")


def translate(payload: Payload, place: Place) -> Heard:
    """What the call means."""
    hook, given, came = payload.text("hook"), payload.of("input"), payload.of("output")
    voice = Voice(place, HOST, given.text("sessionID"), hook)
    match hook:
        case "event":
            return _event(given, place)
        case "chat.message":
            return voice.prompt(_words(came))
        case "tool.execute.before":
            return voice.asked(given.text("tool"), came.any("args"), given.text("callID"))
        case "tool.execute.after":
            return _used(voice, given, came)
        case "experimental.session.compacting":
            heard = voice.compacted(done=False)
            return heard._replace(ask=Ask(voice.session, HOST, "compact", "", hook))
        case _:
            return voice.other()


def spoken(_hook: str, block: str) -> str:
    """The block for our plugin."""
    return msgspec.json.encode({"block": block}).decode()


def _event(event: Payload, place: Place) -> Heard:
    about = event.of("properties")
    session = about.text("sessionID") or about.of("info").text("id")
    voice = Voice(place, HOST, session, event.text("type"))
    match voice.hook:
        case "session.created":
            return voice.started("subagent" if about.of("info").text("parentID") else "startup")
        case "session.idle":
            return voice.turn_ended("")
        case "session.compacted":
            return voice.compacted(done=True)
        case "session.deleted":
            return voice.ended("deleted")
        case _:
            return voice.other()


def _words(message: Payload) -> str:
    """What a person typed: the parts that are not made by the host or by a plugin."""
    parts = message.any("parts")
    typed = [one for one in parts if isinstance(one, dict)] if isinstance(parts, list) else []
    return saying.plain([one for one in typed if one.get("type") == "text" and not one.get("synthetic")])


def _used(voice: Voice, given: Payload, came: Payload) -> Heard:
    code = came.of("metadata").any("exit")
    failed = isinstance(code, int) and code != 0
    call = given.text("callID")
    return voice.used(given.text("tool"), given.any("args"), call, came.any("output"), failed=failed)
