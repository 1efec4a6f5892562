"""The queue: the newest records of each project, in memory, for many readers with their own positions.

One thread puts, others read; a record's heat and age are worked out when somebody asks. It keeps the newest
`KEPT` of a project: older ones are in the table ``msus``. It refuses to know the time, or what was given to
whom.
"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from datetime import datetime, tzinfo
from threading import Lock
from typing import NamedTuple

import numpy as np

from navlog.projections.embedding import Vectors
from navlog.projections.embedding.recall import nearest
from navlog.projections.msu.state import Entry
from navlog.projections.slicing.heat import hot_score

KEPT = 1000
HOURS = 24.0
RECENT_S = 300.0
TOP = 7


class Hot(NamedTuple):
    """A record and how hot it is."""

    entry: Entry
    score: float


class Queue:
    """By project, oldest first. Times are in seconds since the epoch."""

    def __init__(self) -> None:
        self._entries: dict[str, deque[Entry]] = {}
        self._lock = Lock()

    def put(self, project: str, entries: Iterable[Entry]) -> None:
        """In the order of the log; one that is there already is passed over."""
        with self._lock:
            kept = self._entries.setdefault(project, deque(maxlen=KEPT))
            kept.extend(one for one in entries if not kept or one.position > kept[-1].position)

    def drop(self, project: str) -> None:
        """Nothing of the project is in the queue any more."""
        with self._lock:
            self._entries.pop(project, None)

    def replace(self, other: "Queue") -> None:
        """Holds from now on what ``other`` holds."""
        held = other.held()
        with self._lock:
            self._entries = held

    def held(self) -> dict[str, deque[Entry]]:
        """Everything, by project."""
        with self._lock:
            return {project: deque(kept, maxlen=KEPT) for project, kept in self._entries.items()}

    def version(self, project: str) -> int:
        """The position of the newest record, 0 for none."""
        with self._lock:
            kept = self._entries.get(project)
            return kept[-1].position if kept else 0

    def since(self, project: str, at: float) -> list[Entry]:
        """The records formed at ``at`` or later, oldest first."""
        with self._lock:
            return [one for one in self._entries.get(project, ()) if one.at >= at]

    def after(self, project: str, position: int, now: float, limit: int = KEPT) -> list[Entry]:
        """The first records of the last day beyond a reader's position, oldest first."""
        return [one for one in self.since(project, now - HOURS * 3600) if one.position > position][:limit]

    def recent(self, project: str, now: float, seconds: float = RECENT_S) -> list[Entry]:
        """The records of the last minutes, the newest first, one for each path."""
        newest: dict[str, Entry] = {}
        for one in reversed(self.since(project, now - seconds)):
            newest.setdefault(one.msu.path, one)
        return list(newest.values())

    def hot(self, project: str, now: float, zone: tzinfo | None) -> list[Hot]:
        """The records of the last day, the hottest first."""
        entries = self.since(project, now - HOURS * 3600)
        edits = edits_today(entries, now, zone)
        found = [Hot(one, hot_score((now - one.at) / 60, edits.get(one.msu.path, 0))) for one in entries]
        return sorted(found, key=lambda one: (-one.score, -one.entry.position))

    def near(self, project: str, query: Vectors, now: float, limit: int = TOP) -> list[Hot]:
        """The records of the last day whose vectors are nearest to ``query``; ``score`` is the cosine."""
        entries = self.since(project, now - HOURS * 3600)
        rows = np.stack([one.vector for one in entries]) if entries else np.zeros((0, 1), np.float32)
        return [Hot(entries[row], cosine) for row, cosine in nearest(query, rows, limit)]


def edits_today(entries: Iterable[Entry], now: float, zone: tzinfo | None) -> Mapping[str, int]:
    """How many records each path has today."""
    today = datetime.fromtimestamp(now, zone).date()
    return Counter(one.msu.path for one in entries if datetime.fromtimestamp(one.at, zone).date() == today)
