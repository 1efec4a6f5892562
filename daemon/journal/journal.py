"""The log as the other rooms know it: append, read, wait.

Thread-safe. One thread writes (`navlog.daemon.journal.appender`); readers never wait for it. What is not
yet fsynced cannot be seen here by any means.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from navlog.daemon.journal.appender import Appender, Notify, unmeasured
from navlog.daemon.journal.group import Request
from navlog.daemon.journal.quarantine import announcement, repairs
from navlog.daemon.journal.recovery import Recovered, recover
from navlog.daemon.journal.shapes import Condition, Fence, Item, JournalState, Receipt
from navlog.daemon.journal.storage import Held, RealStorage, Storage
from navlog.schemas.envelope import LINE_BYTES, Draft, Record
from navlog.schemas.errors import Degraded, Internal, ReadOnlyLog, UsageError
from navlog.schemas.payloads import check_payload, is_known
from navlog.schemas.settings import Log

# Writers that waited together come back one after another: what share of an fsync the next group waits for
# as many as the last one had. A lone writer never waits.
COMPANY = 0.25
# How many that nobody waits for make a group, and how long the first of them waits for the others: each group
# costs an fsync and wakes everybody who follows the log.
UNHURRIED, UNHURRIED_S = 32, 0.1


def utc_now() -> str:
    """RFC 3339 in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def unnoticed(_name: str, _fields: dict[str, object]) -> None:
    """Where nobody listens."""


class Journal:
    """One log, ``"events"`` or ``"overlays"``. Made by `open`."""

    @classmethod
    def open(
        cls,
        folder: Path,
        log: str,
        *,
        settings: Log,
        redact: Callable[[Draft], Draft],
        storage: Storage | None = None,
        now: Callable[[], str] = utc_now,
        monotonic: Callable[[], float] = time.monotonic,
        notify: Notify = unnoticed,
        fsynced: Callable[[float], None] = unmeasured,
        mark: int = 0,
        lock: Held | None = None,
    ) -> Self:
        """Opens the log in ``folder``, made if it is missing, and repairs a torn tail.

        ``redact`` sees every draft before anything else does. ``mark`` is the highest position a projector
        has kept. ``lock`` is the folder's, where both logs are opened; without it the journal takes and
        gives it back. Raises `AlreadyRunning`, `LogBehindMark`, `StartRefused` (the log was not touched
        then), and `Degraded` where the disk refuses.
        """
        if settings.line_bytes > LINE_BYTES:
            raise UsageError(f"log.line_bytes is at most {LINE_BYTES}: readers hold no longer line.")
        storage = storage or RealStorage()
        with _typed(folder):
            storage.make_folder(folder)
            own = None if lock else storage.lock(folder)
        try:
            with _typed(folder):
                recovered = recover(storage, folder, log, mark)
        except BaseException:
            if own:
                own.close()
            raise
        helper = ThreadPoolExecutor(1, f"index-{log}")
        appender = Appender(
            storage,
            folder,
            recovered.catalog,
            settings,
            now=now,
            monotonic=monotonic,
            notify=notify,
            resume=recovered.resume,
            mark=recovered.mark,
            run=helper.submit,
            fsynced=fsynced,
        )
        journal = cls(storage, folder, recovered, appender, redact, own, helper)
        journal._announce_repairs()
        return journal

    def __init__(
        self,
        storage: Storage,
        folder: Path,
        recovered: Recovered,
        appender: Appender,
        redact: Callable[[Draft], Draft],
        lock: Held | None,
        helper: Executor,
    ) -> None:
        self._helper = helper
        self._catalog = recovered.catalog
        self._read_only = recovered.read_only
        self._appender = appender
        self._redact = redact
        self._lock = lock
        self._repairs = repairs(storage, folder, self._catalog.log)
        self._queue: list[Request] = []
        self._company = 1  # how many requests the last group had that somebody waited for
        self._gathering = False  # the writer waits for more that nobody waits for
        self._closing = False
        self._wake = threading.Condition()  # the writer waits here
        self._grown = threading.Condition()  # readers wait here
        self._writer = threading.Thread(target=self._write, name=f"journal-{self._catalog.log}", daemon=True)
        self._writer.start()

    # --- writing ----------------------------------------------------------------------------------------

    def append(
        self, drafts: Sequence[Draft], condition: Condition | None = None, *, unhurried: bool = False
    ) -> Future[Receipt]:
        """One atomic append; the future ends once it is durable, or with the reason why it is not.

        ``unhurried``: it may wait a moment (`UNHURRIED_S`) for others to be fsynced with.
        Raises `UsageError` for what can never be appended. The future raises `ConditionFailed`, `IdReused`,
        `WriterPoisoned`, `ReadOnlyLog`, or `UsageError` for a line that is too long.
        """
        if not drafts:
            raise UsageError("Nothing to append.")
        checked = tuple(self._checked(draft) for draft in drafts)
        request = Request(checked, condition, Future(), unhurried)
        if why := self.read_only:
            request.refuse(
                ReadOnlyLog(f"The log is read-only: {why}", hint="navlog verify lists the damage.")
            )
            return request.future
        with self._wake:
            if self._closing:
                raise Degraded("The log is closed.", hint="Retry with the same id.")
            self._queue.append(request)
            enough = (1, self._company) if not self._gathering else (UNHURRIED,)
            if len(self._queue) in enough or (self._gathering and not unhurried):
                self._wake.notify()
        return request.future

    def close(self) -> None:
        """Writes what is queued, says in the anchor that this was a clean stop, and lets the folder go."""
        with self._wake:
            if self._closing:
                return
            self._closing = True
            self._wake.notify()
        self._writer.join()
        self._helper.shutdown()
        if self._lock:
            self._lock.close()
        with self._grown:
            self._grown.notify_all()

    # --- reading ----------------------------------------------------------------------------------------

    @property
    def position(self) -> int:
        """The last durable position; 0 when there is none."""
        return self._catalog.position

    def read(self, after: int = 0, limit: int | None = None) -> Iterator[Record]:
        """The records after a position that are durable now; damaged ones are left out, see `state`."""
        return self._catalog.read(after, limit)

    def select(self, items: Sequence[Item], after: int = 0) -> Iterator[Record]:
        """The records after a position that match one of ``items`` (all, without any), found by index."""
        return self._catalog.select(items, after)

    def find(self, id_: str) -> Record | None:
        """The record with this id."""
        return self._catalog.find(id_)

    def wait(self, after: int, timeout: float | None = None) -> int:
        """Blocks until `position` > ``after``, the log is closed, or the timeout; returns `position`."""
        with self._grown:
            self._grown.wait_for(lambda: self.position > after or self._closing, timeout)
        return self.position

    @property
    def read_only(self) -> str:
        """Why writes are refused for good, or ""."""
        if self._read_only or not self._catalog.damage:
            return self._read_only
        first = self._catalog.damage[0]
        return f"damage in {first.segment} at byte {first.offset}: {first.why}"

    @property
    def fence(self) -> Fence:
        """What is durable now: a prefix that can be copied while the log grows."""
        return self._catalog.fence

    @property
    def state(self) -> JournalState:
        """How the log is."""
        appender = self._appender
        return JournalState(
            log=self._catalog.log,
            position=self.position,
            segments=len(self._catalog.segments),
            bytes=sum(segment.size for segment in self._catalog.segments),
            mark=appender.mark,
            fsyncs=appender.fsyncs,
            slow_fsyncs=appender.slow_fsyncs,
            last_fsync_s=appender.last_fsync_s,
            poisoned=appender.poisoned,
            remedy=appender.remedy if appender.poisoned else "",
            read_only=self.read_only,
            fatal=appender.fatal,
            damage=self._catalog.damage,
            repairs=self._repairs,
        )

    # --- inside -----------------------------------------------------------------------------------------

    def _checked(self, draft: Draft) -> Draft:
        """``draft`` redacted, if it can be read back; raises `UsageError`."""
        draft = self._redact(draft)
        check_payload(draft.data)
        try:
            _text(draft).encode()
        except UnicodeEncodeError as fault:
            raise UsageError(f"The event {draft.id!r} has text that is not Unicode: {fault}") from fault
        if draft.critical and not is_known(draft.type, draft.version):
            raise UsageError(f"{draft.type} {draft.version} is not known here, and must not be critical.")
        return draft

    def _announce_repairs(self) -> None:
        """Best effort: an event that cannot be written now is written at the next start."""
        drafts = [announcement(repair) for repair in self._repairs]
        new = [draft for draft in drafts if self.find(draft.id) is None]
        if new and not self.read_only:
            self.append(new).exception()

    def _write(self) -> None:
        """The writer's life."""
        while True:
            requests, last = self._next()
            try:
                self._appender.commit(requests)
                self._appender.tick()
            except Exception as fault:  # noqa: BLE001 - whatever it was, those who wait must hear of it
                self._appender.abandon(fault)
                _refuse(requests, Internal(f"The log's writer failed: {fault!r}"))
            with self._grown:
                self._grown.notify_all()
            if self._appender.poisoned:
                _refuse(self._taken(), self._appender.refusal())
            if last:
                break
        self._appender.close()

    def _next(self) -> tuple[list[Request], bool]:
        """What is queued, once something is, or something is due; and whether it is the last."""
        with self._wake:
            if not self._queue and not self._closing:
                self._wake.wait(self._appender.due())
            self._gathering = True
            self._wake.wait_for(lambda: not self._may_gather(), UNHURRIED_S)
            self._gathering = False
            if 0 < len(self._queue) < self._company and not self._closing:
                self._wake.wait(self._appender.last_fsync_s * COMPANY)
            requests, self._queue = self._queue, []
            self._company = max(1, sum([not request.unhurried for request in requests]))
            return requests, self._closing

    def _may_gather(self) -> bool:
        """Whether all that is queued has time, and is not enough yet."""
        few = 0 < len(self._queue) < UNHURRIED and not self._closing
        return few and all(request.unhurried for request in self._queue)

    def _taken(self) -> list[Request]:
        with self._wake:
            requests, self._queue = self._queue, []
            return requests


@contextmanager
def _typed(folder: Path) -> Iterator[None]:
    """A disk's refusal at the start, as an error that says what to do."""
    try:
        yield
    except OSError as fault:
        raise Degraded(
            f"The log in {folder} cannot be opened: {fault}", hint="navlog doctor looks at the data home."
        ) from fault


def _refuse(requests: Sequence[Request], fault: Exception) -> None:
    for request in requests:
        request.refuse(fault)


def _text(draft: Draft) -> str:
    """All of a draft's strings in one."""
    given = f"{draft.id}{draft.project}{draft.source}{draft.type}"
    return f"{given}{draft.occurred_at}{draft.cause}{draft.trace}{''.join(draft.tags)}"
