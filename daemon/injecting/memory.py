"""What each session has been given, from the log: read once per session, then only what came since."""

from collections import OrderedDict
from threading import Lock

from navlog.daemon.journal import Journal
from navlog.daemon.journal.shapes import Item
from navlog.projections.injecting.knowing import Known, apply
from navlog.schemas.event import Event
from navlog.schemas.payloads import decode_payload
from navlog.schemas.sessions import InjectionGiven, SessionCompacted, SessionStarted

TYPES = (InjectionGiven.TYPE, SessionCompacted.TYPE, SessionStarted.TYPE)
SESSIONS = 128


def session_tag(session: str) -> str:
    """The tag by which the log finds a session's events."""
    return f"session:{session}"


class Memory:
    """Thread-safe."""

    def __init__(self, events: Journal) -> None:
        self._events = events
        self._known: OrderedDict[str, tuple[int, Known]] = OrderedDict()
        self._lock = Lock()

    def of(self, session: str) -> Known:
        """What the session has before it now; a caller without a session knows nothing."""
        if not session:
            return Known()
        with self._lock:
            position, known = self._known.pop(session, (0, Known()))
        until, known = read(self._events, session, known, position)
        with self._lock:
            self._known[session] = (until, known)
            while len(self._known) > SESSIONS:
                self._known.popitem(last=False)
        return known


def read(
    events: Journal, session: str, known: Known, after: int, until: int | None = None
) -> tuple[int, Known]:
    """(the position read to, the state as of it)."""
    goal = events.position if until is None else min(until, events.position)
    item = Item(types=TYPES, tags=(session_tag(session),))
    for record in events.select([item], after):
        if record.position > goal:
            break
        event = decode_payload(record)
        if isinstance(event, Event):
            known = apply(known, event, record.position)
    return goal, known
