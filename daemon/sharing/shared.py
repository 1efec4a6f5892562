"""One queue of this machine's records and the others': a thread puts ours into Redis and fetches theirs.

The records of this machine are in memory and in the log; Redis is told again whatever it lost. Heat and
nearness never wait for the network. Positions and named readers are Redis's, and this machine's while it is
away.
"""

import threading
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from operator import attrgetter
from time import time

import structlog

from navlog.daemon.sharing.redis_queue import RedisQueue
from navlog.projections.msu.queue import HOURS, KEPT, Queue, Reading
from navlog.projections.msu.state import Entry
from navlog.schemas.control import DegradedReason
from navlog.schemas.errors import Degraded

LOOK_S = 0.5
PAUSE_S = 2.0  # after a failure
log = structlog.get_logger()


class SharedQueue(Reading):
    """See `navlog.projections.msu.queue.MsuQueue`. ``projects`` gives the ids of those that are registered.

    ``told`` hears how many records were put.
    """

    def __init__(
        self,
        local: Callable[[], Queue],
        remote: RedisQueue,
        projects: Callable[[], Iterable[str]],
        told: Callable[[int], None] = lambda _count: None,
    ) -> None:
        self.fault = ""
        self._local = local
        self._remote = remote
        self._projects = projects
        self._pushed: dict[str, tuple[int, object]] = {}
        self._told = told
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sharing", daemon=True)

    def start(self) -> None:
        """In a thread of its own, until `close`."""
        self._thread.start()

    def close(self) -> None:
        """Ends after the round it is in."""
        self._closing.set()
        self._thread.join()
        self._remote.close()

    def look(self) -> None:
        """One round: what Redis lacks of ours is put there, what others put is fetched. Raises `Degraded`."""
        for project in self._projects():
            if self._remote.shares(project):
                self._push(project)
                self._remote.fetch(project)

    def put(self, project: str, entries: Iterable[Entry]) -> None:
        """See `MsuQueue`: the next round tells Redis."""
        self._local().put(project, entries)

    def drop(self, project: str) -> None:
        """See `MsuQueue`."""
        self._local().drop(project)
        self._remote.drop(project)

    def version(self, project: str) -> int:
        """See `MsuQueue`."""
        if self._answers(project):
            with suppress(Degraded):
                return self._remote.version(project)
        return self._local().version(project)

    def state(self, project: str) -> Hashable:
        """See `MsuQueue`."""
        return self._local().state(project), self._remote.state(project)

    def since(self, project: str, at: float) -> list[Entry]:
        """Ours, and theirs as far as they have been fetched."""
        ours = self._local().since(project, at)
        known = {one.msu.msu for one in ours}
        theirs = [one for one in self._remote.fetched(project, at) if one.msu.msu not in known]
        return sorted([*ours, *theirs], key=attrgetter("at"))

    def after(self, project: str, position: int, now: float, limit: int = KEPT) -> list[Entry]:
        """See `MsuQueue`; a reader of Redis's positions waits until Redis is there again."""
        if self._answers(project):
            with suppress(Degraded):
                return self._remote.after(project, position, now, limit)
        return self._local().after(project, position, now, limit)

    def take(self, project: str, reader: str, now: float, limit: int = KEPT) -> list[Entry]:
        """See `MsuQueue`."""
        if self._answers(project):
            with suppress(Degraded):
                return self._remote.take(project, reader, now, limit)
        return self._local().take(project, reader, now, limit)

    def confirm(self, project: str, reader: str, positions: Iterable[int]) -> None:
        """See `MsuQueue`; a position is of the queue that gave it, and none of the other's."""
        given = list(positions)
        self._local().confirm(project, reader, given)
        if self._answers(project):
            with suppress(Degraded):
                self._remote.confirm(project, reader, given)

    def texts(self, project: str, hashes: Iterable[str]) -> dict[str, str]:
        """See `MsuQueue`."""
        return self._remote.texts(project, hashes)

    def degraded(self) -> Iterator[DegradedReason]:
        """What `status` says of it."""
        if self.fault:
            hint = "Look at [queue] url, and at Redis."
            yield DegradedReason(reason=f"only this machine's changes are told: {self.fault}", hint=hint)

    def _answers(self, project: str) -> bool:
        """Nobody waits for a Redis that did not answer a moment ago."""
        return not self.fault and self._remote.shares(project)

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self.look()
            except Exception as fault:  # noqa: BLE001 - told in `status`; the thread goes on
                self._failed(fault)
                self._closing.wait(PAUSE_S)
            else:
                if self.fault:
                    log.info("shared_queue_back")
                self.fault = ""
                self._closing.wait(LOOK_S)

    def _failed(self, fault: Exception) -> None:
        said = fault.message if isinstance(fault, Degraded) else repr(fault)
        if not self.fault:
            log.warning(
                "shared_queue_away", fault=said, exc_info=None if isinstance(fault, Degraded) else fault
            )
        self.fault = said

    def _push(self, project: str) -> None:
        """What Redis has not been told, or may have lost since."""
        until, generation = self._pushed.get(project, (0, None))
        now = self._remote.generation(project)
        local = self._local()
        if now != generation or local.version(project) < until:
            until = 0
            self._remote.fetch_anew(project)
        entries = local.since(project, time() - HOURS * 3600)
        fresh = [one for one in entries if one.position > until]
        if fresh:
            self._remote.put(project, fresh)
            self._told(len(fresh))
            until, now = fresh[-1].position, self._remote.generation(project)
        self._pushed[project] = until, now
