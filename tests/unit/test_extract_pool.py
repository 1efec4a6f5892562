"""The workers: outlines as payloads, killed over a bad file, gone when idle, gone with the daemon."""

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import CancelledError, Future

import pytest

from navlog.daemon.extract import Extractor, decode_outline, outline, search_of
from navlog.daemon.extract.outlining import content_id
from navlog.daemon.extract.pool import Backlog, Job
from navlog.daemon.extract.process import WorkerLost, WorkerProcess
from navlog.schemas.errors import Degraded
from navlog.schemas.settings import Extract, Security

SOURCE = b"def f():\n    return g()\n"
SETTINGS = Extract(idle_s=60.0)
ENDED = (-signal.SIGKILL, 0)  # one whose socket is closed may go by itself before the signal comes


def job(size: int) -> Job:
    return Job("a.py", bytes(size), Future())


def test_a_worker_gives_what_the_function_gives() -> None:
    extractor = Extractor(Extract(workers=2), Security())
    try:
        futures = [extractor.submit(f"{name}.py", SOURCE * name) for name in range(1, 20)]
        for name, future in enumerate(futures, 1):
            own = outline(f"{name}.py", SOURCE * name, SETTINGS, search=search_of(Security()))
            assert decode_outline(future.result()) == own
    finally:
        extractor.close()


def test_a_file_that_takes_too_long_is_outlined_by_name_and_the_next_one_in_full() -> None:
    extractor = Extractor(Extract(kill_s=0.25, parse_s=100.0), Security())
    try:
        deep = extractor.submit("deep.py", b"x = [" + b"(1,\n" * 400_000)
        after = extractor.submit("a.py", SOURCE)
        read = decode_outline(deep.result())
        assert (read.language, read.partial, read.words) == ("python", "deadline", {})
        assert decode_outline(after.result()).symbols[0].name == "f"
    finally:
        extractor.close()


def test_a_worker_that_dies_costs_its_file_the_symbols() -> None:
    worker = WorkerProcess(SETTINGS, Security())
    os.kill(worker.process.pid, signal.SIGKILL)
    with pytest.raises(WorkerLost, match="crashed"):
        worker.ask("a.py", SOURCE)
    assert worker.process.returncode == -signal.SIGKILL


def test_a_worker_that_is_stopped_is_killed() -> None:
    worker = WorkerProcess(Extract(kill_s=0.01), Security())
    os.kill(worker.process.pid, signal.SIGSTOP)
    with pytest.raises(WorkerLost, match="deadline"):
        worker.ask("a.py", SOURCE)
    assert worker.process.returncode == -signal.SIGKILL


class Starts:
    """Stands in the place of `WorkerProcess` and keeps what was started."""

    def __init__(self) -> None:
        self.workers: list[WorkerProcess] = []
        self.refusals = 0
        self.tried = threading.Event()
        self.started = threading.Semaphore(0)

    def __call__(self, settings: Extract, security: Security) -> WorkerProcess:
        try:
            if self.refusals:
                self.refusals -= 1
                raise Degraded("No worker.")
            self.workers.append(WorkerProcess(settings, security))
            self.started.release()
        finally:
            self.tried.set()
        return self.workers[-1]

    def has(self, count: int) -> bool:
        """Whether so many are started, or will be."""
        return all(self.started.acquire(timeout=5.0) for _ in range(count))


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> Starts:
    made = Starts()
    monkeypatch.setattr("navlog.daemon.extract.pool.WorkerProcess", made)
    return made


def test_a_worker_starts_with_the_first_file_and_ends_when_idle(starts: Starts) -> None:
    extractor = Extractor(Extract(idle_s=0.01), Security())
    try:
        assert not starts.workers
        first = extractor.submit("a.py", SOURCE).result()
        assert starts.workers[0].process.wait(timeout=5.0) in ENDED
        assert extractor.submit("a.py", SOURCE).result() == first
        assert len(starts.workers) == 2
    finally:
        extractor.close()


def test_a_sign_of_work_starts_a_worker_once(starts: Starts) -> None:
    extractor = Extractor(SETTINGS, Security())
    try:
        extractor.expect()
        assert starts.tried.wait(5.0)
        extractor.expect()
        assert extractor.submit("a.py", SOURCE).result()
        assert [worker.process.returncode for worker in starts.workers] == [None]
    finally:
        extractor.close()


def test_a_worker_that_has_read_files_makes_room_for_a_fresh_one_while_somebody_works(starts: Starts) -> None:
    extractor = Extractor(Extract(idle_s=0.01, ready_s=60.0), Security())
    try:
        extractor.expect()
        assert extractor.submit("a.py", SOURCE).result()
        assert starts.workers[0].process.wait(timeout=5.0) in ENDED
        assert starts.has(2)
        with pytest.raises(subprocess.TimeoutExpired):  # it has read nothing, so it stays
            starts.workers[1].process.wait(timeout=0.1)
    finally:
        extractor.close()


def test_a_worker_that_stood_by_for_nothing_ends(starts: Starts) -> None:
    extractor = Extractor(Extract(idle_s=60.0, ready_s=0.01), Security())
    try:
        extractor.expect()
        assert starts.has(1)
        assert starts.workers[0].process.wait(timeout=5.0) in ENDED
        assert extractor.submit("a.py", SOURCE).result()
    finally:
        extractor.close()


def test_a_sign_when_no_worker_can_be_started_costs_nothing(starts: Starts) -> None:
    starts.refusals = 1
    extractor = Extractor(SETTINGS, Security())
    try:
        extractor.expect()
        assert starts.tried.wait(5.0)
        assert extractor.submit("a.py", SOURCE).result()
    finally:
        extractor.close()


def test_a_worker_ends_when_its_daemon_is_gone() -> None:
    worker = WorkerProcess(SETTINGS, Security())
    worker.line.close()
    assert worker.process.wait(timeout=5.0) == 0


def test_closing_cancels_what_waits_and_leaves_no_process() -> None:
    extractor = Extractor(Extract(parse_s=100.0, kill_s=100.0), Security())
    deep = extractor.submit("deep.py", b"x = [" + b"(1,\n" * 200_000)
    waiting = [extractor.submit("a.py", SOURCE) for _ in range(5)]
    extractor.close()
    assert all(future.done() for future in (deep, *waiting))
    with pytest.raises(CancelledError):
        waiting[-1].result()
    assert not any(seat.thread.is_alive() or seat.worker for seat in extractor.seats)
    assert extractor.submit("late.py", SOURCE).cancelled()


def test_no_worker_is_an_error_with_a_hint_and_no_outline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    extractor = Extractor(SETTINGS, Security())
    try:
        with pytest.raises(Degraded, match="could be started") as caught:
            extractor.submit("a.py", SOURCE).result()
        assert "navlog up" in caught.value.hint
    finally:
        extractor.close()


def test_a_worker_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("navlog.daemon.extract.process.EXTRACTOR", "0-00000000")
    with pytest.raises(Degraded, match="instead of '0-00000000'"):
        WorkerProcess(SETTINGS, Security())


def test_the_backlog_holds_a_bounded_number_of_bytes() -> None:
    backlog = Backlog(limit=100)
    backlog.put(job(1000))  # alone, whatever its size
    assert backlog.get(0.0) is not None
    backlog.put(job(60))
    backlog.put(job(40))
    third = threading.Thread(target=backlog.put, args=(job(1),))
    third.start()
    third.join(0.02)
    assert (third.is_alive(), backlog.bytes) == (True, 100)
    backlog.get(0.0)
    third.join()
    assert backlog.bytes == 41


def test_the_worker_imports_no_database_and_no_logging_library() -> None:
    """The worker's memory is its own business; these two would be most of it."""
    code = "import navlog.daemon.extract.worker, sys; print(*{m.partition('.')[0] for m in sys.modules})"
    loaded = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"duckdb", "structlog", "eventsourcing", "numpy"} & set(loaded)


def test_secrets_do_not_leave_the_worker() -> None:
    secret = "ghp_" + "a1B2c3D4" * 5
    source = f'TOKEN = "{secret}"\n\ndef after() -> None: ...\n'.encode()
    extractor = Extractor(SETTINGS, Security())
    try:
        payload = extractor.submit("conf.py", source).result()
    finally:
        extractor.close()
    read = decode_outline(payload)
    assert secret.encode() not in payload
    assert secret.lower().encode() not in payload
    assert read.clean == ""
    # Pointers stay right: lines are those of the file, and the content is the file's own.
    assert [symbol.line for symbol in read.symbols if symbol.name == "after"] == [3]
    assert read.content == content_id(source)
