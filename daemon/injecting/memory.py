"""What the log says of each session: read once per session, then only what came since."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from navlog.daemon.journal import Journal
from navlog.daemon.journal.shapes import Item
from navlog.projections.injecting.knowing import Known, apply
from navlog.schemas.event import Event
from navlog.schemas.payloads import decode_payload
from navlog.schemas.sessions import InjectionGiven, SessionCompacted, SessionStarted

TYPES = (InjectionGiven.TYPE, SessionCompacted.TYPE, SessionStarted.TYPE)
SESSIONS = 128
State = TypeVar("State")


def session_tag(session: str) -> str:
    """The tag by which the log finds a session's events."""
    return f"session:{session}"


class Folded(Generic[State]):
    """Thread-safe. ``apply`` folds an event of one of ``types`` and its position into a session's state."""

    def __init__(
        self,
        events: Journal,
        types: tuple[str, ...],
        start: State,
        apply: Callable[[State, Event, int], State],
    ) -> None:
        self._events = events
        self._types = types
        self._start = start
        self._apply = apply
        self._states: OrderedDict[str, tuple[int, State]] = OrderedDict()
        self._lock = Lock()

    def of(self, session: str) -> State:
        """The session's state now; a caller without a session has none."""
        if not session:
            return self._start
        with self._lock:
            position, state = self._states.pop(session, (0, self._start))
        until, state = self.read(session, state, position)
        with self._lock:
            self._states[session] = (until, state)
            while len(self._states) > SESSIONS:
                self._states.popitem(last=False)
        return state

    def read(self, session: str, state: State, after: int, until: int | None = None) -> tuple[int, State]:
        """(the position read to, the state as of it)."""
        goal = self._events.position if until is None else min(until, self._events.position)
        item = Item(types=self._types, tags=(session_tag(session),))
        for record in self._events.select([item], after):
            if record.position > goal:
                break
            event = decode_payload(record)
            if isinstance(event, Event):
                state = self._apply(state, event, record.position)
        return goal, state


class Memory(Folded[Known]):
    """What each session has been given and has before it."""

    def __init__(self, events: Journal) -> None:
        super().__init__(events, TYPES, Known(), apply)
