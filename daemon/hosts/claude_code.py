"""Claude Code's hooks. Codex took over their names and shapes, so this is read for both.

One JSON object a call, ``hook_event_name`` says which. A hook nobody here knows is a `HookCalled`: a new
release adds some, and each call leaves an event.
"""

import msgspec

from navlog.daemon.hosts.heard import Heard, Place
from navlog.daemon.hosts.payload import Payload
from navlog.daemon.hosts.voice import Voice
from navlog.schemas.sessions import SubagentEnded, SubagentStarted

HOST = "claude-code"


def cwd(payload: Payload) -> str:
    """The folder the call is about."""
    return payload.text("cwd")


def translate(payload: Payload, place: Place, host: str = HOST) -> Heard:
    """What the call means."""
    session, hook = payload.text("session_id"), payload.text("hook_event_name")
    return _heard(payload, Voice(place, host, session, hook, payload.text("agent_id")))


def spoken(hook: str, block: str) -> str:
    """The block in the host's output schema, which forbids any other field in Codex."""
    said = {"hookSpecificOutput": {"hookEventName": hook, "additionalContext": block}}
    return msgspec.json.encode(said).decode()


def _heard(payload: Payload, voice: Voice) -> Heard:
    turn = payload.text("turn_id", "prompt_id")
    match voice.hook:
        case "SessionStart":
            return voice.started(
                payload.text("source"), payload.text("model"), payload.text("transcript_path")
            )
        case "UserPromptSubmit":
            return voice.prompt(payload.text("prompt"), turn)
        case "Stop":
            return voice.turn_ended(payload.text("last_assistant_message"), turn)
        case "SessionEnd":
            return voice.ended(payload.text("reason"))
        case "PreCompact" | "PostCompact":
            done, summary = voice.hook == "PostCompact", payload.text("compact_summary")
            return voice.compacted(done=done, trigger=payload.text("trigger"), summary=summary)
        case _:
            return _of_agents(payload, voice)


def _of_agents(payload: Payload, voice: Voice) -> Heard:
    match voice.hook:
        case "PreToolUse":
            return voice.asked(payload.text("tool_name"), payload.any("tool_input"), _call(payload))
        case "PostToolUse" | "PostToolUseFailure":
            return _used(payload, voice)
        case "SubagentStart":
            kind = payload.text("agent_type")
            return Heard(
                (SubagentStarted(session=voice.session, host=voice.host, agent=voice.agent, kind=kind),)
            )
        case "SubagentStop":
            return Heard((SubagentEnded(session=voice.session, host=voice.host, agent=voice.agent),))
        case _:
            return voice.other()


def _used(payload: Payload, voice: Voice) -> Heard:
    answer = payload.any("tool_response")
    return voice.used(
        payload.text("tool_name"), payload.any("tool_input"), _call(payload),
        answer or payload.text("error"),
        failed=voice.hook == "PostToolUseFailure" or _is_error(answer),
        duration_ms=payload.number("duration_ms"),
    )  # fmt: skip


def _call(payload: Payload) -> str:
    return payload.text("tool_use_id")


def _is_error(answer: object) -> bool:
    """MCP says so in its answer, and a command's own exit code where the host tells it."""
    if not isinstance(answer, dict):
        return False
    code = answer.get("exit_code", answer.get("exitCode", 0))
    return answer.get("isError") is True or (isinstance(code, int) and code != 0)
