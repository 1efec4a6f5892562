"""What each session's nudges have come to, from the log: read once per session, then only what came since."""

from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

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


class Kept(NamedTuple):
    """A session as of ``position``; ``last`` is the position of the last event that was its."""

    position: int = 0
    last: int = 0
    session: Session = Session()


class Memory:
    """Thread-safe. Sessions that were not asked for lately are read again from the log."""

    def __init__(self, events: Journal) -> None:
        self._events = events
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._lock = Lock()

    def of(self, session: str) -> tuple[int, Session]:
        """(the position read to, the session as of it)."""
        with self._lock:
            position, last, known = self._kept.get(session, Kept())
        goal = self._events.position
        for record in self._events.select([item_of(session)], position):
            if record.position > goal:
                break
            event = decode_payload(record)
            if isinstance(event, Event):
                known, last = apply(known, event), record.position
        self._keep(session, Kept(goal, last, known))
        return goal, known

    def sessions(self) -> list[str]:
        """Those that are kept, the one of which something was said last first."""
        with self._lock:
            return sorted(self._kept, key=lambda name: -self._kept[name].last)

    def _keep(self, session: str, read: Kept) -> None:
        """What was read further by somebody else stays."""
        with self._lock:
            if self._kept.get(session, read).position <= read.position:
                self._kept[session] = read
            self._kept.move_to_end(session)
            while len(self._kept) > SESSIONS:
                self._kept.popitem(last=False)
