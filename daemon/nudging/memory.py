"""What each session's nudges have come to, from the log: read once per session, then only what came since."""

from collections import OrderedDict
from threading import Lock

from navlog.daemon.injecting.memory import session_tag
from navlog.daemon.journal import Journal
from navlog.daemon.journal.shapes import Item
from navlog.projections.nudging.session import Session, apply
from navlog.schemas.event import Event
from navlog.schemas.nudges import NUDGES
from navlog.schemas.payloads import decode_payload

SESSIONS = 128


def item_of(session: str) -> Item:
    """What in the log is this session's nudging."""
    return Item(types=tuple(event.TYPE for event in NUDGES), tags=(session_tag(session),))


class Memory:
    """Thread-safe. Sessions that were not asked for lately are read again from the log."""

    def __init__(self, events: Journal) -> None:
        self._events = events
        self._sessions: OrderedDict[str, tuple[int, Session]] = OrderedDict()
        self._lock = Lock()

    def of(self, session: str) -> tuple[int, Session]:
        """(the position read to, the session as of it)."""
        with self._lock:
            position, known = self._sessions.get(session, (0, Session()))
        goal = self._events.position
        for record in self._events.select([item_of(session)], position):
            if record.position > goal:
                break
            event = decode_payload(record)
            if isinstance(event, Event):
                known = apply(known, event)
        with self._lock:
            if self._sessions.get(session, (0, known))[0] <= goal:
                self._sessions[session] = (goal, known)
            self._sessions.move_to_end(session)
            while len(self._sessions) > SESSIONS:
                self._sessions.popitem(last=False)
        return goal, known

    def sessions(self) -> list[str]:
        """Those asked for lately, the latest first."""
        with self._lock:
            return list(reversed(self._sessions))
