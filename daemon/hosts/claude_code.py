"""Claude Code's hooks. Codex took over their names and shapes, so this is read for both.

Its samples: one JSON object a call, ``hook_event_name`` says which. A hook nobody here knows is a
`HookCalled`: a new release adds some, and each call leaves an event.
"""

import msgspec

from navlog.daemon.hosts import saying
from navlog.daemon.hosts.heard import Ask, Heard, Place
from navlog.daemon.hosts.payload import Payload
from navlog.daemon.hosts.tools import uses
from navlog.projections.sessions.prompting import own_words
from navlog.schemas.events import Event
from navlog.schemas.sessions import (
    HookCalled,
    Moment,
    PromptGiven,
    SessionCompacted,
    SessionEnded,
    SessionStarted,
    SubagentEnded,
    SubagentStarted,
    ToolAsked,
    ToolUsed,
    TurnEnded,
)

HOST = "claude-code"


def cwd(payload: Payload) -> str:
    """The folder the call is about."""
    return payload.text("cwd")


def translate(payload: Payload, place: Place, host: str = HOST) -> Heard:
    """What the call means."""
    return _Call(payload, place, host).heard()


def spoken(hook: str, block: str) -> str:
    """The block in the host's output schema, which forbids any other field in Codex."""
    said = {"hookSpecificOutput": {"hookEventName": hook, "additionalContext": block}}
    return msgspec.json.encode(said).decode()


class _Call:
    """One call; a method a hook, found by its name."""

    def __init__(self, payload: Payload, place: Place, host: str) -> None:
        self.payload = payload
        self.place = place
        self.host = host
        self.session = payload.text("session_id")
        self.hook = payload.text("hook_event_name")
        self.agent = payload.text("agent_id")
        self.turn = payload.text("turn_id", "prompt_id")

    def heard(self) -> Heard:
        hooks = {
            "SessionStart": self._session_start,
            "UserPromptSubmit": self._prompt,
            "PreToolUse": self._before_tool,
            "PostToolUse": self._after_tool,
            "PostToolUseFailure": self._after_tool,
            "Stop": self._stop,
            "SubagentStart": self._subagent_start,
            "SubagentStop": self._subagent_stop,
            "PreCompact": self._compact,
            "PostCompact": self._compact,
            "SessionEnd": self._session_end,
        }
        return hooks.get(self.hook, self._other)()

    def _session_start(self) -> Heard:
        how = self.payload.text("source")
        model, transcript = self.payload.text("model"), self.payload.text("transcript_path")
        event = SessionStarted(
            session=self.session, host=self.host, how=how, model=model, transcript=transcript
        )
        return Heard((event,), self._ask("compact" if how == "compact" else "start"))

    def _prompt(self) -> Heard:
        words = own_words(self.payload.text("prompt"))
        if not words:
            return self._other()
        text = self._beginning(words, saying.PROMPT_CHARS)
        event = PromptGiven(session=self.session, host=self.host, text=text, size=len(words), turn=self.turn)
        return Heard((event,), self._ask("prompt", text))

    def _before_tool(self) -> Heard:
        tool = self.payload.text("tool_name")
        kind = uses(tool, self.payload.any("tool_input"), self.place)[-1].kind
        call = self.payload.text("tool_use_id")
        event = ToolAsked(
            session=self.session, host=self.host, call=call, tool=tool, kind=kind, agent=self.agent
        )
        return Heard((event,), call=call)

    def _after_tool(self) -> Heard:
        tool, call = self.payload.text("tool_name"), self.payload.text("tool_use_id")
        found = uses(tool, self.payload.any("tool_input"), self.place)
        answer = self.payload.any("tool_response")
        failed = self.hook == "PostToolUseFailure" or _is_error(answer)
        came = saying.output(answer or self.payload.text("error"), self.place.redact)
        events: list[Event] = []
        for use in found:
            last = use is found[-1]  # what came back is told once, with what mattered most
            size, hashed, head = came if last else saying.NOTHING
            said = self._beginning(use.said, saying.SAID_CHARS)
            events.append(
                ToolUsed(
                    session=self.session, host=self.host, call=call, tool=tool, kind=use.kind,
                    paths=use.paths, said=said, failed=failed and last, size=size, output=hashed, head=head,
                    duration_ms=self.payload.number("duration_ms") if last else 0, agent=self.agent,
                )
            )  # fmt: skip
        return Heard(tuple(events), self._ask("tool"), call=call)

    def _stop(self) -> Heard:
        words = self.payload.text("last_assistant_message")
        text = self._beginning(words, saying.SAID_CHARS)
        event = TurnEnded(session=self.session, host=self.host, text=text, size=len(words), turn=self.turn)
        return Heard((event,))

    def _subagent_start(self) -> Heard:
        kind = self.payload.text("agent_type")
        return Heard((SubagentStarted(session=self.session, host=self.host, agent=self.agent, kind=kind),))

    def _subagent_stop(self) -> Heard:
        return Heard((SubagentEnded(session=self.session, host=self.host, agent=self.agent),))

    def _compact(self) -> Heard:
        summary = self._beginning(self.payload.text("compact_summary"), saying.SUMMARY_CHARS)
        done, trigger = self.hook == "PostCompact", self.payload.text("trigger")
        event = SessionCompacted(
            session=self.session, host=self.host, done=done, trigger=trigger, summary=summary
        )
        return Heard((event,))

    def _session_end(self) -> Heard:
        return Heard((SessionEnded(session=self.session, host=self.host, why=self.payload.text("reason")),))

    def _other(self) -> Heard:
        return Heard((HookCalled(session=self.session, host=self.host, hook=self.hook),))

    def _ask(self, moment: Moment, task: str = "") -> Ask | None:
        return Ask(self.session, self.host, moment, task, self.hook) if self.session else None

    def _beginning(self, text: str, limit: int) -> str:
        return saying.beginning(text, self.place.redact, limit)


def _is_error(answer: object) -> bool:
    """MCP says so in its answer, and a command's own exit code where the host tells it."""
    if not isinstance(answer, dict):
        return False
    code = answer.get("exit_code", answer.get("exitCode", 0))
    return answer.get("isError") is True or (isinstance(code, int) and code != 0)
