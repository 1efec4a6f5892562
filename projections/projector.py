"""Log to tables: the one way a projection is brought up to date, live and in a replay.

A batch of durable records is folded into changes; the changes and both positions go into the projection's own
file in ONE transaction; then the memory views are told. A projector that dies changes nothing and goes on
from its position. It refuses to decide anything about a record: that is the projection's business.
"""

import hashlib
import math
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol, Self

import duckdb
import msgspec

from navlog.projections.positions import LOGS, Log, Positions, advance, moved, read_positions
from navlog.projections.store import Connection, Store
from navlog.schemas.envelope import Record
from navlog.schemas.errors import Internal

BATCH_BYTES = 8 * 1024 * 1024  # so that a batch of large lines does not fill the memory
GATHER_S = 1.0  # how long records may wait for company when nobody asks for them
QUIET_S = 120.0  # without any record, after which something may be done for the next start
LONGEST_S = 30.0  # the same, for a projection whose batches are dear
BURST = 20  # records within `GATHER_S`: a first index, a checkout; a save brings some ten
IDLE_S = 1.0  # how long a stop may wait for the thread
KEEP_EVERY = 2000  # records without any change, after which the position alone is written
BACK_OFF_S = (0.5, 1.0, 2.0, 5.0, 15.0, 30.0)


class Source(Protocol):
    """What a projector needs of a journal: durable records only."""

    @property
    def position(self) -> int: ...
    def read(self, after: int = 0, limit: int | None = None) -> Iterator[Record]: ...
    def wait(self, after: int, timeout: float | None) -> int: ...


Sources = Mapping[Log, Source]


# Times a replay lets the present generation and the new one reach one position: overlays may come between.
LEVELLING = 5


class Projection(Protocol):
    """What is computed from the logs; ``name`` is also its catalog in DuckDB and the stem of its file.

    ``fold`` knows no clock and no file: it sees the batch and the projection's own state. That state may run
    ahead of the tables until the transaction ends; when it fails, `load` takes it back.
    """

    name: str
    version: int

    @property
    def reads(self) -> Collection[str] | None:
        """The types that can change anything here, None for all; `fold` sees no others."""

    def create(self, db: Connection) -> None: ...
    def load(self, db: Connection) -> None: ...
    def fold(self, batch: Sequence[Record]) -> Any: ...
    def apply(self, db: Connection, changes: Any) -> None: ...
    def publish(self, changes: Any) -> None: ...
    def fresh(self) -> "Projection":
        """Another one that knows nothing yet and shows nothing to anybody: what a replay fills."""

    def succeed(self, previous: Self) -> None:
        """Takes over what ``previous`` showed to others: the memory views change hands."""

    def export(self, db: Connection) -> Iterator[tuple[Any, ...]]: ...


class Builder:
    """A projection and its file, moved along the logs; used by one thread at a time."""

    def __init__(self, projection: Projection, db: Connection, *, new: bool) -> None:
        self.projection = projection
        self.db = db
        if new:
            projection.create(db)
        projection.load(db)
        self.position = self._kept = read_positions(db)

    def catch_up(
        self,
        logs: Sources,
        until: int,
        size: int,
        progress: Callable[[Positions], None] = lambda _: None,
        halted: Callable[[], bool] = lambda: False,
    ) -> None:
        """Folds events up to ``until`` and all overlays in batches of at most ``size`` records.

        Ends before the next batch once it is ``halted``: a long log is no reason to let a stop wait.
        """
        for log, source in logs.items():
            goal = until if log == "events" else source.position
            while not halted() and (batch := take(source, getattr(self.position, log), goal, size)):
                self._step(log, batch)
                progress(self.position)

    def _step(self, log: Log, batch: Sequence[Record]) -> None:
        reads = self.projection.reads
        there = moved(self.position, log, batch[-1].position)
        read = batch if reads is None else [record for record in batch if record.type in reads]
        if read:
            self._take(read, there)
        elif getattr(there, log) - getattr(self._kept, log) >= KEEP_EVERY:
            self._write(None, there)
        # Last: whoever waits for a position reads the views.
        self.position = there

    def keep(self) -> None:
        """Writes the position where it is ahead of the file: what was read meanwhile changed nothing."""
        if self.position != self._kept:
            self._write(None, self.position)

    def _take(self, batch: Sequence[Record], there: Positions) -> None:
        try:
            changes = self.projection.fold(batch)
            self._write(changes, there)
            self.projection.publish(changes)
        except Exception:
            self.projection.load(self.db)
            self.position = self._kept = read_positions(self.db)
            raise

    def _write(self, changes: Any | None, there: Positions) -> None:
        """``changes`` and the positions in one transaction; without any, the positions alone."""
        self.db.begin()
        try:
            if changes is not None:
                self.projection.apply(self.db, changes)
            for log in LOGS:
                position = getattr(there, log)
                if position != getattr(self._kept, log) and not advance(self.db, log, position):
                    raise Internal(
                        f"{self.projection.name} is beyond {log} {position} already: two write to it."
                    )
            self.db.commit()
            self._kept = there
        except BaseException:
            with suppress(duckdb.Error):  # a failed commit has ended the transaction already
                self.db.rollback()
            raise


class ProjectorState(msgspec.Struct, frozen=True, kw_only=True):
    """For ``status``: ``lag`` in events, the last fault ("" once it has passed), why the file is new."""

    name: str
    position: int
    overlays: int
    lag: int
    error: str
    rebuilt: str


class Projector:
    """One projection, kept up to date. `catch_up` may be called by any thread; `start` makes one of its own.

    ``at_rest`` is called with the projection and its file, in its turn, when nothing has come for `QUIET_S`
    and when it is stopped.

    ``on_fault`` is told every fault of that thread, for the daemon's own log. ``rest``, for a projection
    whose batches are dear: it gathers so many times as long as the last batch took of a processor, where
    that is more than usual, and then to the end of a burst (`LONGEST_S` at most, each).
    A file that cannot be read, or that another version wrote, is dropped and filled again from the logs.
    """

    def __init__(
        self,
        projection: Projection,
        store: Store,
        logs: Sources,
        *,
        size: int = 2000,
        rest: float = 0.0,
        at_rest: Callable[[Any, Connection], None] = lambda *_: None,
        on_fault: Callable[[Exception], None] = lambda _: None,
    ) -> None:
        self.logs = logs
        self._store = store
        self._size = size
        self._rest = rest
        self._at_rest = at_rest
        self._on_fault = on_fault
        self._turn = threading.Lock()
        self._moved = threading.Condition()
        self._stopping = threading.Event()
        self._asked = threading.Event()
        self._thread: threading.Thread | None = None
        self._error = ""
        db, self._rebuilt = store.open(projection.name, projection.version)
        try:
            self._builder = Builder(projection, db, new=bool(self._rebuilt))
        except (duckdb.Error, msgspec.MsgspecError) as fault:
            self._renew(projection, fault)

    @property
    def name(self) -> str:
        """The projection's."""
        return self.projection.name

    @property
    def projection(self) -> Projection:
        """The projection as it stands; a replay puts another in its place."""
        return self._builder.projection

    @property
    def position(self) -> Positions:
        """What the tables and the views hold."""
        return self._builder.position

    @property
    def goal(self) -> int:
        """The last event there is to read."""
        return self.logs["events"].position

    @property
    def state(self) -> ProjectorState:
        """A moment's picture for people; waits for nothing."""
        position = self.position
        return ProjectorState(
            name=self.projection.name,
            position=position.events,
            overlays=position.overlays,
            lag=max(0, self.goal - position.events),
            error=self._error,
            rebuilt=self._rebuilt,
        )

    def catch_up(self, until: int) -> int:
        """Brings tables and views to event ``until``, or to the log's end, unless it is stopped before.

        Gives the event position reached.
        """
        with self._turn:
            try:
                self._builder.catch_up(self.logs, until, self._size, self._tell, self._stopping.is_set)
            except duckdb.FatalException as fault:
                self._renew(self.projection, fault)
                raise
            return self.position.events

    def wait_for(self, position: int, timeout: float) -> bool:
        """Whether ``position`` is in the views within ``timeout`` seconds; asking ends the gathering."""
        if self.position.events < position:
            self._asked.set()
        with self._moved:
            return self._moved.wait_for(lambda: self.position.events >= position, timeout)

    def begin(self, fresh: Projection) -> Builder:
        """A builder on a new generation beside the present one; `adopt` or `abandon` ends it."""
        return Builder(fresh, self._store.begin(fresh.name, fresh.version), new=True)

    def abandon(self, builder: Builder) -> None:
        """Forgets what was begun; the present generation stays."""
        builder.db.close()
        self._store.abandon(builder.projection.name)

    def adopt(self, builder: Builder) -> tuple[str, str]:
        """Goes on with ``builder`` in the present one's place; both digests, as of one and the same position.

        The log grows meanwhile: digests of two moments would differ though nothing is wrong.
        """
        with self._turn:
            goal = self.goal
            builder.catch_up(self.logs, goal, self._size)
            for _ in range(LEVELLING):
                if builder.position == self.position:
                    break
                self._builder.catch_up(self.logs, goal, self._size)
                builder.catch_up(self.logs, goal, self._size)
            builder.keep()
            before, after = digest(self.projection, self._builder.db), digest(builder.projection, builder.db)
            self._store.swap(builder.projection.name, builder.db)
            builder.projection.succeed(self.projection)
            self._builder.db.close()
            self._builder = builder
            self._rebuilt = "replayed"
        self._tell(builder.position)
        return before, after

    def digest(self) -> str:
        """The projection's digest, with nothing folded in meanwhile."""
        with self._turn:
            return digest(self.projection, self._builder.db)

    def start(self) -> None:
        """Follows the log in a thread of its own until `stop`."""
        name = f"project-{self.projection.name}"
        self._thread = threading.Thread(target=self._follow, name=name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread after the batch it is in; within about `IDLE_S` when it is idle."""
        self._stopping.set()
        self._asked.set()
        if self._thread is not None:
            self._thread.join()
        with self._turn, suppress(duckdb.Error):  # what is not kept is read again
            self._builder.keep()
            self._at_rest(self.projection, self._builder.db)

    def _follow(self) -> None:
        faults, pause, quiet_at = 0, GATHER_S, time.monotonic() + QUIET_S
        while not self._stopping.is_set():
            try:
                before = self.position
                self.logs["events"].wait(before.events, IDLE_S)
                self._gather(pause)
                began = time.thread_time()
                self.catch_up(self.goal)
                if self.position != before:
                    pause = max(GATHER_S, min(LONGEST_S, self._rest * (time.thread_time() - began)))
                    quiet_at = time.monotonic() + QUIET_S
                elif time.monotonic() > quiet_at:
                    quiet_at = math.inf  # until something comes
                    with self._turn:
                        self._at_rest(self.projection, self._builder.db)
                faults, self._error = 0, ""
                if self.position.events == before.events < self.goal:  # the rest of the log cannot be read
                    self._stopping.wait(IDLE_S)
            except Exception as fault:  # noqa: BLE001 - shown in `state`, tried again: a thread must not just end
                said = str(fault).partition("\n")[0]  # of three lines the first says what happened
                self._error = f"{type(fault).__name__}: {said}"
                self._on_fault(fault)
                self._stopping.wait(BACK_OFF_S[min(faults, len(BACK_OFF_S) - 1)])
                faults += 1

    def _gather(self, seconds: float) -> None:
        """A transaction costs as much for one record as for a hundred: unless somebody waits, take more."""
        rounds = LONGEST_S / GATHER_S if self._rest else 0
        before, asked = self.goal, self._asked.wait(seconds)
        while not asked and rounds > 0 and self.goal - before >= BURST:
            before, asked = self.goal, self._asked.wait(GATHER_S)
            rounds -= 1
        self._asked.clear()

    def _tell(self, _: Positions) -> None:
        with self._moved:
            self._moved.notify_all()

    def _renew(self, projection: Projection, fault: Exception) -> None:
        self._rebuilt = f"{type(fault).__name__}: {fault}"
        db = self._store.renew(projection.name, projection.version)
        self._builder = Builder(projection, db, new=True)


def take(source: Source, after: int, until: int, size: int) -> list[Record]:
    """The next records in (``after``, ``until``]: at most ``size``, and no more than `BATCH_BYTES`."""
    batch: list[Record] = []
    room = BATCH_BYTES
    for record in source.read(after, min(size, max(0, until - after))) if until > after else ():
        if record.position > until or (batch and room <= 0):
            break
        batch.append(record)
        room -= memoryview(record.data).nbytes
    return batch


def digest(projection: Projection, db: Connection) -> str:
    """SHA-256 over the ordered export: equal for equal logs, on any machine, after any history of batches."""
    total = hashlib.sha256()
    for row in projection.export(db):
        total.update(msgspec.json.encode(row))
    return total.hexdigest()
