"""A step of a session's nudging: decided on what the log says, appended if nothing was said of it since.

The log decides between two who try the same step, threads or processes: the second is refused, reads what
the first one did, and decides anew.
"""

import secrets
from collections.abc import Callable, Sequence

from navlog.daemon.injecting.memory import session_tag
from navlog.daemon.journal import Journal
from navlog.daemon.journal.shapes import Condition
from navlog.daemon.nudging.memory import Memory, item_of
from navlog.projections.nudging.session import Session
from navlog.schemas.envelope import draft
from navlog.schemas.errors import ConditionFailed, Degraded
from navlog.schemas.event import Event

SOURCE = "navlog"
WAIT_S = 5.0  # an append that takes longer has failed for whoever waits
TRIES = 20
Decide = Callable[[Session], Sequence[Event]]


class Steps:
    """Thread-safe."""

    def __init__(
        self, events: Journal, memory: Memory, new_id: Callable[[], str] = lambda: secrets.token_hex(16)
    ) -> None:
        self._events = events
        self._memory = memory
        self._new_id = new_id

    def of(self, session: str) -> Session:
        """The session as the log has it now."""
        return self._memory.of(session)[1]

    def take(self, session: str, project: str, decide: Decide, trace: str = "") -> Session:
        """The session after the events that ``decide`` gives, which are durable then.

        ``decide`` is called again where somebody was faster. Raises `Degraded` after `TRIES` of that, and
        what the journal raises.
        """
        for _ in range(TRIES):
            after, state = self._memory.of(session)
            events = decide(state)
            if not events:
                return state
            drafts = [
                draft(
                    event, project=project, source=SOURCE, id=self._new_id(), trace=trace or None,
                    tags=(session_tag(session),),
                )
                for event in events
            ]  # fmt: skip
            condition = Condition(items=(item_of(session),), after=after)
            try:
                self._events.append(drafts, condition).result(WAIT_S)
            except ConditionFailed:
                continue
            return self.of(session)  # as the log has it: what was redacted is so here, too
        raise Degraded(f"The session {session} is being written to by many at once.", hint="Try again.")
