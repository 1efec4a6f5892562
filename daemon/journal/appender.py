"""The writing end: one write and one fsync for all who wait, and what happens when they fail.

Single-threaded and without a clock of its own, so that a test can crash it at any call. A descriptor that
failed once is cut, closed and never fsynced again: on a second try the kernel says "fine" over lost pages.
"""

import errno
import os
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import cast

from navlog.daemon.journal.anchor import write_anchor
from navlog.daemon.journal.catalog import Catalog, Segment
from navlog.daemon.journal.group import Group, Request
from navlog.daemon.journal.index import index_sealed
from navlog.daemon.journal.layout import segment_name
from navlog.daemon.journal.storage import AppendFile, Storage, append_all
from navlog.daemon.journal.table import Table
from navlog.schemas.envelope import FORMAT, Header, seal, seal_of
from navlog.schemas.errors import WriterPoisoned
from navlog.schemas.settings import Log

# After these a new segment may work as soon as somebody mends it; after any other the process has to go.
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
CLOSED = {errno.EROFS, errno.EACCES, errno.EPERM}
RETRY_S = 1.0
Notify = Callable[[str, dict[str, object]], None]  # a short stable name, and its fields


def unmeasured(_seconds: float) -> None:
    """Where nobody counts."""


class Appender:
    """Appends to the newest segment of ``catalog``, or opens the next.

    ``resume``: the newest segment may be continued; else the first append begins a new one. ``run`` is given
    the indexing of a full segment, which nobody has to wait for; ``fsynced`` the seconds of every fsync.
    """

    def __init__(
        self,
        storage: Storage,
        folder: Path,
        catalog: Catalog,
        settings: Log,
        *,
        now: Callable[[], str],
        monotonic: Callable[[], float],
        notify: Notify,
        resume: bool,
        mark: int,
        fsynced: Callable[[float], None] = unmeasured,
        run: Callable[[Callable[[], None]], object] = lambda work: work(),
    ) -> None:
        self.mark = mark
        self.poisoned = ""
        self.remedy = ""
        self.fatal = False
        self.fsyncs = self.slow_fsyncs = 0
        self.last_fsync_s = 0.0
        self._storage = storage
        self._folder = folder
        self._catalog = catalog
        self._settings = settings
        self._now = now
        self._monotonic = monotonic
        self._notify = notify
        self._resume = resume
        self._run = run
        self._fsynced = fsynced
        self._file: AppendFile | None = None
        self._begun = False  # the anchor says that the log is being written
        self._anchored_at = monotonic()

    def commit(self, requests: Iterable[Request]) -> None:
        """Appends every request and ends every wait, durably or with the reason."""
        waiting = deque(requests)
        group = self._group()
        try:
            while waiting and not self.fatal:
                self._open()
                group = self._group()
                while waiting and self._fits(group, waiting[0]):
                    group.stage(waiting.popleft())
                self._write(group)
                group.settle()
                if waiting:
                    self._end_segment()
        except OSError as fault:
            self._poison(fault)
            waiting.extendleft(reversed(group.requests))
        for request in waiting:
            request.refuse(self.refusal())

    def refusal(self) -> WriterPoisoned:
        """What a waiter hears after a failed write."""
        return WriterPoisoned(
            f"The log could not be written: {self.poisoned}",
            hint=f"{self.remedy}: a retry goes through then. Look:  navlog doctor",
        )

    def tick(self) -> None:
        """What is due without a request: the anchor, rest, and after a failure the next try."""
        if self.poisoned and not self.fatal:
            try:
                self._open()
            except OSError as fault:
                self._poison(fault)
        elif self._is_due() and self._is_anchored:
            self._catalog.recent.let_go(self.mark)
        elif self._is_due():
            self._anchor(closed=False)

    def due(self) -> float | None:
        """Seconds until `tick` has something to do; None: not before the next append."""
        if self.poisoned:
            return None if self.fatal else RETRY_S
        if not self._begun or (self._is_anchored and not self._catalog.recent):
            return None
        return max(0.0, self._anchored_at + self._settings.anchor_every_s - self._monotonic())

    def abandon(self, fault: Exception) -> None:
        """A fault of our own in the middle of a commit: nobody knows what was written, so nothing more is."""
        self._poison(OSError(errno.EIO, f"internal fault {fault!r}"))

    def close(self) -> None:
        """A clean stop, unless the last write failed."""
        if self._begun and not self.poisoned:
            self._anchor(closed=True)
        self._drop_file()

    # --- segments ---------------------------------------------------------------------------------------

    def _open(self) -> None:
        """A file to append to; raises OSError."""
        if self._file is not None:
            return
        if not self._begun:
            self._write_anchor(closed=False)
            self._begun = True
        self._file = self._continued() if self._resume else self._created()
        self._resume = False
        if self.poisoned:
            self.poisoned = ""
            self._notify("log_writable_again", {"log": self._catalog.log})

    def _continued(self) -> AppendFile:
        return self._storage.extend(self._catalog.path(self._catalog.segments[-1].number))

    def _created(self) -> AppendFile:
        """The next segment: durable with its header and its name before it is used."""
        header = self._header()
        path = self._catalog.path(header.segment)
        if path.name in self._storage.listdir(self._folder):
            self._storage.remove(path)  # an earlier try: no record was ever acknowledged in it
        line = seal(header)
        file = self._storage.create(path)
        try:
            append_all(file, line)
            file.fsync()
            self._storage.fsync_dir(self._folder)
        except OSError:
            _quietly(file.close)
            _quietly(lambda: self._storage.remove(path))
            raise
        self._catalog.segments.append(_empty(header, line))
        self._run(lambda: index_sealed(self._storage, self._folder, self._catalog))
        return file

    def _header(self) -> Header:
        newest = self._catalog.segments[-1] if self._catalog.segments else None
        return Header(
            segment=newest.number + 1 if newest else 1,
            log=self._catalog.log,
            format=FORMAT,
            first=self._catalog.position + 1,
            at=self._now(),
            previous_bytes=newest.size if newest else 0,
            prev=self._catalog.tail,
        )

    def _end_segment(self) -> None:
        """The segment is full: what is durable is anchored, and the next append opens another."""
        self._drop_file()
        self._anchor(closed=False)

    def _drop_file(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            _quietly(file.close)

    # --- groups -----------------------------------------------------------------------------------------

    def _group(self) -> Group:
        return Group(self._catalog, self._now(), self._settings.line_bytes)

    def _fits(self, group: Group, request: Request) -> bool:
        segment = self._catalog.segments[-1]
        if segment.size == segment.start and not group.lines:
            return True
        return segment.size + group.size + request.size <= self._settings.segment_bytes

    def _write(self, group: Group) -> None:
        """One write, one fsync; only then is the group readable. Raises OSError."""
        if not group.lines or self._file is None:
            return
        append_all(self._file, b"".join(group.lines))
        self._fsync(self._file)
        segment = self._catalog.segments[-1]
        offset, table = segment.size, cast("Table", segment.table)  # sealed ones are never written
        for record, line in zip(group.records, group.lines, strict=True):
            table.add(record, offset)
            offset += len(line)
        segment.size, segment.tail = offset, seal_of(group.lines[-1])
        self._catalog.recent.add(group.records)
        segment.last = group.records[-1].position

    def _fsync(self, file: AppendFile) -> None:
        started = self._monotonic()
        file.fsync()
        self.last_fsync_s = self._monotonic() - started
        self.fsyncs += 1
        self._fsynced(self.last_fsync_s)
        if self.last_fsync_s > self._settings.slow_fsync_s:
            self.slow_fsyncs += 1
            self._notify("slow_fsync", {"log": self._catalog.log, "seconds": self.last_fsync_s})

    def _poison(self, fault: OSError) -> None:
        """Cuts what may be half written, for good order only: the next header says how much is valid."""
        number = fault.errno or errno.EIO
        self.poisoned = f"{errno.errorcode.get(number, number)}: {fault.strerror or os.strerror(number)}"
        self.fatal = number not in FULL | CLOSED
        self.remedy = _remedy(number)
        if self._file is not None:
            file, segment = self._file, self._catalog.segments[-1]
            _quietly(lambda: file.truncate(segment.size))
            self._notify(
                "log_poisoned",
                {
                    "segment": segment_name(self._catalog.log, segment.number),
                    "why": self.poisoned,
                    "fatal": self.fatal,
                },
            )
        self._drop_file()

    # --- the anchor -------------------------------------------------------------------------------------

    @property
    def _is_anchored(self) -> bool:
        return self._catalog.position == self.mark

    def _is_due(self) -> bool:
        due = self.due()
        return due is not None and due <= 0

    def _anchor(self, *, closed: bool) -> None:
        """Best effort: without it the mark is only older."""
        try:
            self._write_anchor(closed=closed)
        except OSError as fault:
            self._notify("anchor_failed", {"log": self._catalog.log, "why": str(fault)})
            self._anchored_at = self._monotonic()

    def _write_anchor(self, *, closed: bool) -> None:
        write_anchor(self._storage, self._folder, self._catalog, at=self._now(), closed=closed)
        self._catalog.recent.let_go(self.mark)  # whoever follows closely has had it since the anchor before
        self.mark = max(self.mark, self._catalog.position)
        self._anchored_at = self._monotonic()


def _remedy(number: int) -> str:
    """What a person does about an errno of a failed write."""
    if number in FULL:
        return "Make room on the disk"
    return "Make it writable again" if number in CLOSED else "Look at the disk"


def _empty(header: Header, line: bytes) -> Segment:
    return Segment(
        number=header.segment,
        first=header.first,
        start=len(line),
        size=len(line),
        last=header.first - 1,
        tail=seal_of(line),
        table=Table(header.first),
    )


def _quietly(call: Callable[[], None]) -> None:
    """For cleaning up after a failure: a second one changes nothing."""
    with suppress(OSError):
        call()
