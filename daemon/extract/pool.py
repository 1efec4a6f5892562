"""The workers: one thread each in the daemon, one process each beside it, one bounded queue before them.

A process that ends over a file costs that file its symbols, nothing else; one that has read files and has had
nothing to do for ``idle_s`` ends, and its memory goes back. A fresh one stands by while somebody is at work
and for ``ready_s`` afterwards; else the next file starts one. Never says "cut short" of a file only because
the daemon was stopped: such futures are cancelled, and the file is read again at the next start.
"""

import threading
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from time import monotonic
from typing import NamedTuple

import msgspec

from navlog.daemon.extract.outlining import by_name
from navlog.daemon.extract.process import WorkerLost, WorkerProcess
from navlog.schemas.errors import Degraded
from navlog.schemas.events import OutlineRecorded
from navlog.schemas.settings import Extract, Security

QUEUE_BYTES = 16 << 20  # of files that wait; one larger than this still gets in when it is alone


class Job(NamedTuple):
    """A file to outline and who waits for it."""

    path: str
    data: bytes
    future: Future[bytes]


class Backlog:
    """Jobs in their order; `put` waits while QUEUE_BYTES wait. ``signs``: how often some were expected."""

    def __init__(self, limit: int = QUEUE_BYTES) -> None:
        self.limit = limit
        self.jobs: deque[Job] = deque()
        self.bytes = 0
        self.signs = 0
        self.closed = False
        self.changed = threading.Condition()

    def put(self, job: Job) -> None:
        """Cancels the job's future instead when the backlog is closed."""
        with self.changed:
            self.changed.wait_for(
                lambda: self.closed or self.bytes + len(job.data) <= self.limit or not self.jobs
            )
            if self.closed:
                job.future.cancel()
                return
            self.jobs.append(job)
            self.bytes += len(job.data)
            self.changed.notify_all()

    def expect(self) -> None:
        """Jobs may come soon."""
        with self.changed:
            self.signs += 1
            self.changed.notify_all()

    def get(self, timeout: float | None, signs: int = 0) -> Job | None:
        """The next job; None after ``timeout`` seconds without one, after more ``signs``, or when closed."""
        with self.changed:
            self.changed.wait_for(lambda: self.closed or bool(self.jobs) or self.signs > signs, timeout)
            if self.closed or not self.jobs:
                return None
            job = self.jobs.popleft()
            self.bytes -= len(job.data)
            self.changed.notify_all()
            return job

    def close(self) -> None:
        """Nothing more goes in or out; what waited is cancelled."""
        with self.changed:
            self.closed = True
            for job in self.jobs:
                job.future.cancel()
            self.jobs.clear()
            self.changed.notify_all()


class Extractor:
    """Outlines files in killable processes: `submit` from any thread, `close` once."""

    def __init__(self, settings: Extract, security: Security) -> None:
        self.backlog = Backlog()
        self.seats = [Seat(settings, security, self.backlog) for _ in range(settings.workers)]

    def submit(self, path: str, data: bytes) -> "Future[bytes]":
        """The payload (JSON) of the file's `OutlineRecorded`, ready for a draft; `decode_outline` reads it.

        Blocks while QUEUE_BYTES of files wait. Bad input is no error: the outline says what is missing. The
        future raises `Degraded` when no worker can be started, and is cancelled by `close`.
        """
        future: Future[bytes] = Future()
        self.backlog.put(Job(path, data, future))
        return future

    def expect(self) -> None:
        """Somebody is at work: a save is not to wait until an interpreter has started. Returns at once."""
        self.backlog.expect()

    def close(self) -> None:
        """Cancels what waits and what is being read, ends the processes; returns when they are gone."""
        self.backlog.close()
        for seat in self.seats:
            seat.close()


class Seat:
    """A thread that has a process while there is work, or signs of it: a save waits for no interpreter then.

    ``worked``: when the process gave its last answer, None of a fresh one; ``ready_until``: as the last sign
    has it. Both are seconds of the monotonic clock.
    """

    def __init__(self, settings: Extract, security: Security, backlog: Backlog) -> None:
        self.settings = settings
        self.security = security
        self.backlog = backlog
        self.worker: WorkerProcess | None = None
        self.worked: float | None = None
        self.ready_until = 0.0
        self.thread = threading.Thread(target=self.run, name="extract", daemon=True)
        self.thread.start()

    def run(self) -> None:
        """Job after job; between them the process comes and goes."""
        signs = 0
        while not self.backlog.closed:
            job = self.backlog.get(self.remaining(), signs)
            if self.backlog.signs > signs:
                signs = self.backlog.signs
                self.ready_until = monotonic() + self.settings.ready_s
            if job is not None:
                self.answer(job)
            elif not self.backlog.closed:
                self.rest()
        self.dismiss()

    def remaining(self) -> float | None:
        """Seconds until the process has to go; None without one."""
        if self.worker is None:
            return None
        end = self.ready_until if self.worked is None else self.worked + self.settings.idle_s
        return max(0.0, end - monotonic())

    def rest(self) -> None:
        """Nothing is to be done: ends a process whose time is over, has a fresh one where work may come."""
        if self.remaining() == 0.0:
            self.dismiss()
        if monotonic() < self.ready_until:
            with suppress(Degraded):  # said to the first job that finds no process
                self.ready()

    def answer(self, job: Job) -> None:
        try:
            result = self.ask(job)
        except Degraded as fault:
            if job.future.set_running_or_notify_cancel():
                job.future.set_exception(fault)
            return
        if result is None:
            job.future.cancel()
        elif job.future.set_running_or_notify_cancel():
            job.future.set_result(result)

    def ask(self, job: Job) -> bytes | None:
        """The payload; by the file's name alone when the process was lost; None when that was our doing."""
        worker = self.ready()
        try:
            return worker.ask(job.path, job.data)
        except WorkerLost as lost:
            self.worker = None
            if self.backlog.closed:
                return None
            return msgspec.json.encode(by_name(job.path, job.data, lost.why))
        finally:
            self.worked = monotonic()

    def ready(self) -> WorkerProcess:
        """The process, started if there is none; raises `Degraded`."""
        if self.worker is None:
            self.worker, self.worked = WorkerProcess(self.settings, self.security), None
        return self.worker

    def dismiss(self) -> None:
        """Ends the process."""
        if worker := self.worker:
            self.worker = None
            worker.kill()

    def close(self) -> None:
        """After the backlog is closed: ends a process in the middle of a file, and waits for the thread."""
        if worker := self.worker:
            worker.process.kill()
        self.thread.join()


def decode_outline(payload: bytes) -> OutlineRecorded:
    """The outline that `Extractor.submit` gave as JSON."""
    return msgspec.json.decode(payload, type=OutlineRecorded)
