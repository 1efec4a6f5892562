"""What any host can say, as events: the one place where a hook's texts are redacted, cut and hashed."""

from typing import Any, NamedTuple

from navlog.daemon.hosts import saying
from navlog.daemon.hosts.heard import Ask, Heard, Place
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
    ToolAsked,
    ToolUsed,
    TurnEnded,
)


class Voice(NamedTuple):
    """One call of ``hook`` by ``host``, about ``session``; ``agent``: the subagent that speaks, or ""."""

    place: Place
    host: str
    session: str
    hook: str
    agent: str = ""

    def started(self, how: str, model: str = "", transcript: str = "") -> Heard:
        """The session began, or went on."""
        event = SessionStarted(
            session=self.session, host=self.host, how=how, model=model, transcript=transcript
        )
        return Heard((event,), self._ask("compact" if how == "compact" else "start"))

    def prompt(self, said: str, turn: str = "") -> Heard:
        """A person's words; without any of their own it is a hook like others."""
        words = own_words(said)
        if not words:
            return self.other()
        text = self._beginning(words, saying.PROMPT_CHARS)
        event = PromptGiven(session=self.session, host=self.host, text=text, size=len(words), turn=turn)
        return Heard((event,), self._ask("prompt", text))

    def asked(self, tool: str, given: Any, call: str) -> Heard:
        """A tool is about to be used."""
        kind = uses(tool, given, self.place)[-1].kind
        event = ToolAsked(
            session=self.session, host=self.host, call=call, tool=tool, kind=kind, agent=self.agent
        )
        return Heard((event,), call=call)

    def used(
        self, tool: str, given: Any, call: str, answer: Any, *, failed: bool, duration_ms: int = 0
    ) -> Heard:
        """A tool was used: an event a kind, the last with what came back."""
        *before, last = uses(tool, given, self.place)
        events: list[Event] = [
            ToolUsed(
                session=self.session, host=self.host, call=call, tool=tool, kind=use.kind, paths=use.paths,
                agent=self.agent,
            )
            for use in before
        ]  # fmt: skip
        came = saying.output(answer, self.place.redact, tested=last.kind == "tested")
        events.append(
            ToolUsed(
                session=self.session, host=self.host, call=call, tool=tool, kind=last.kind, paths=last.paths,
                said=self._beginning(last.said, saying.SAID_CHARS), failed=failed or came.failed,
                size=came.size, output=came.hash, head=came.head, duration_ms=duration_ms, agent=self.agent,
            )
        )  # fmt: skip
        return Heard(tuple(events), self._ask("tool"), call)

    def turn_ended(self, said: str, turn: str = "") -> Heard:
        """The agent came to rest."""
        text = self._beginning(said, saying.SAID_CHARS)
        event = TurnEnded(session=self.session, host=self.host, text=text, size=len(said), turn=turn)
        return Heard((event,))

    def compacted(self, *, done: bool, trigger: str = "", summary: str = "") -> Heard:
        """The host shortens the conversation, or did."""
        text = self._beginning(summary, saying.SUMMARY_CHARS)
        event = SessionCompacted(
            session=self.session, host=self.host, done=done, trigger=trigger, summary=text
        )
        return Heard((event,))

    def ended(self, why: str) -> Heard:
        """The session is over."""
        return Heard((SessionEnded(session=self.session, host=self.host, why=why),))

    def other(self) -> Heard:
        """A hook that means no more than that it was called."""
        return Heard((HookCalled(session=self.session, host=self.host, hook=self.hook),))

    def _ask(self, moment: Moment, task: str = "") -> Ask | None:
        return Ask(self.session, self.host, moment, task, self.hook) if self.session else None

    def _beginning(self, text: str, limit: int) -> str:
        return saying.beginning(text, self.place.redact, limit)
