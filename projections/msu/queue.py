"""The queue: the newest records of each project, for many readers with their own positions.

`MsuQueue` is what is asked of it; `Queue` is the one in memory, loaded from the table ``msus``, where older
records are; `navlog.daemon.sharing` has the one that several machines share. One thread puts, others read.
Heat and age are worked out when somebody asks. It refuses to know the time, or what was injected.
"""

from collections import Counter, OrderedDict, deque
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta, tzinfo
from datetime import time as clock
from threading import Lock
from typing import NamedTuple, Protocol

import numpy as np

from navlog.projections.embedding import Vectors
from navlog.projections.embedding.recall import nearest
from navlog.projections.msu.state import Entry
from navlog.projections.slicing.heat import hot_score

KEPT = 1000
MIDNIGHT = clock()
HOURS = 24.0
RECENT_S = 300.0
TOP = 7
AGAIN_S = 60.0  # what a named reader was given and did not confirm comes again after so long
READERS = 256  # named readers whose places are kept; beyond it the one that was away longest starts anew


class Hot(NamedTuple):
    """A record and how hot it is."""

    entry: Entry
    score: float


class MsuQueue(Protocol):
    """The newest `KEPT` records of each project. Times are in seconds since the epoch.

    Positions grow within a queue; each gives them in its own way. A reader keeps its position itself
    (`after`), or has a name and the queue keeps its place (`take`, `confirm`): then it is given each record
    of the last day at least once, and a place that is lost begins with the last day again.
    """

    def put(self, project: str, entries: Sequence[Entry]) -> None:
        """Behind what is there; one that is there already is passed over."""

    def drop(self, project: str) -> None:
        """Nothing of the project is told any more, until something is put again."""

    def version(self, project: str) -> int:
        """The position of the newest record, 0 for none."""

    def state(self, project: str) -> Hashable:
        """Another one as soon as `since` could tell of another record; waits for nothing."""

    def since(self, project: str, at: float) -> list[Entry]:
        """The records formed at ``at`` or later, oldest first."""

    def after(self, project: str, position: int, now: float, limit: int = KEPT) -> list[Entry]:
        """The first records of the last day beyond a reader's position, oldest first."""

    def recent(self, project: str, now: float, seconds: float = RECENT_S) -> list[Entry]:
        """The records of the last minutes, the newest first, one for each path."""

    def hot(self, project: str, now: float, zone: tzinfo | None) -> list[Hot]:
        """The records of the last day, the hottest first."""

    def near(self, project: str, query: Vectors, now: float, limit: int = TOP) -> list[Hot]:
        """The records of the last day whose vectors are nearest to ``query``; ``score`` is the cosine."""

    def take(self, project: str, reader: str, now: float, limit: int = KEPT) -> list[Entry]:
        """What ``reader`` is to be given next: first what it did not confirm in time, then what is new."""

    def confirm(self, project: str, reader: str, positions: Iterable[int]) -> None:
        """``reader`` has these and is not given them again."""

    def texts(self, project: str, hashes: Iterable[str]) -> dict[str, str]:
        """The texts that came with records and stand in no table here."""


class Reading:
    """What follows from `since`."""

    def since(self, project: str, at: float) -> list[Entry]:
        """See `MsuQueue`."""
        raise NotImplementedError

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


class Queue(Reading):
    """In memory, by project, oldest first; positions are those of the log."""

    def __init__(self, again_s: float = AGAIN_S) -> None:
        self._entries: dict[str, deque[Entry]] = {}
        self._places = _Places(again_s)
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

    def state(self, project: str) -> Hashable:
        """See `MsuQueue`."""
        return self.version(project)

    def since(self, project: str, at: float) -> list[Entry]:
        """The records formed at ``at`` or later, oldest first."""
        with self._lock:
            return [one for one in self._entries.get(project, ()) if one.at >= at]

    def take(self, project: str, reader: str, now: float, limit: int = KEPT) -> list[Entry]:
        """See `MsuQueue`; places are kept as long as the process lives."""
        entries = self.since(project, now - HOURS * 3600)
        with self._lock:
            return self._places.take((project, reader), entries, now, limit)

    def confirm(self, project: str, reader: str, positions: Iterable[int]) -> None:
        """See `MsuQueue`."""
        with self._lock:
            self._places.confirm((project, reader), positions)

    def texts(self, _project: str, _hashes: Iterable[str]) -> dict[str, str]:
        """See `MsuQueue`: they all stand in the tables."""
        return {}


class _Places:
    """How far each named reader is: the newest position given, and when what is unconfirmed was given."""

    def __init__(self, again_s: float) -> None:
        self._again_s = again_s
        self._given: OrderedDict[tuple[str, str], tuple[int, dict[int, float]]] = OrderedDict()

    def take(self, who: tuple[str, str], entries: Sequence[Entry], now: float, limit: int) -> list[Entry]:
        newest, out = self._given.pop(who, (0, {}))
        again = [one for one in entries if one.position in out and now - out[one.position] >= self._again_s]
        new = [one for one in entries if one.position > newest]
        taken = [*again, *new][:limit]
        held = {one.position for one in entries}
        out = {position: at for position, at in out.items() if position in held}
        out.update((one.position, now) for one in taken)
        self._given[who] = (max([newest, *(one.position for one in taken)]), out)
        while len(self._given) > READERS:
            self._given.popitem(last=False)
        return taken

    def confirm(self, who: tuple[str, str], positions: Iterable[int]) -> None:
        _, out = self._given.get(who, (0, {}))
        for position in positions:
            out.pop(position, None)


def edits_today(entries: Iterable[Entry], now: float, zone: tzinfo | None) -> Mapping[str, int]:
    """How many records each path has today."""
    today = datetime.fromtimestamp(now, zone).date()
    begin, end = (
        datetime.combine(day, MIDNIGHT, zone).timestamp() for day in (today, today + timedelta(days=1))
    )
    return Counter(one.msu.path for one in entries if begin <= one.at < end)


def heat(entries: Sequence[Entry], msus: Container[str], now: float, zone: tzinfo | None) -> list[float]:
    """The hot scores of the records with these ids, among the ``entries`` of the last day."""
    named = [one for one in entries if one.msu.msu in msus]
    paths = {one.msu.path for one in named}
    edits = edits_today((one for one in entries if one.msu.path in paths), now, zone)
    return [hot_score((now - one.at) / 60, edits.get(one.msu.path, 0)) for one in named]
