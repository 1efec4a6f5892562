"""Durable appends: one at a time and 64 who wait, on this disk and with 2 ms added to each fsync.

    python benchmarks/appending.py

Those who wait are threads, or calls that follow one another without any. The threads' own part is measured
beside them: as many that hand a future to one thread, which ends it at once and writes nothing.
"""

import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue

from measuring import machine, median, table

from navlog.daemon.journal import Journal, RealStorage
from navlog.daemon.journal.shapes import Receipt
from navlog.daemon.journal.storage import AppendFile
from navlog.schemas.envelope import Draft
from navlog.schemas.settings import Log

DELAY_S = 0.002
ROUNDS = 3
WRITERS, EACH = 64, 500
HEADING = ("fsync", "one at a time /s", "64 threads /s", "ratio", "64 calls /s", "ratio")


class SlowFile:
    """A file whose disk takes longer."""

    def __init__(self, file: AppendFile) -> None:
        self._file = file
        self.append, self.truncate, self.close = file.append, file.truncate, file.close

    def fsync(self) -> None:
        time.sleep(DELAY_S)
        self._file.fsync()


class SlowStorage(RealStorage):
    """The real file system with a slow disk under it."""

    def create(self, path: Path) -> AppendFile:
        return SlowFile(super().create(path))

    def extend(self, path: Path) -> AppendFile:
        return SlowFile(super().extend(path))


def draft(number: int) -> Draft:
    data = b'{"path":"src/app/module_%d.py","content":"0123456789abcdef0123456789abcdef01234567","size":%d}'
    return Draft(
        id=f"e{number}", project="p", source="bench", type="file_observed", data=data % (number, number)
    )


def rate(storage: RealStorage, work: Callable[[Journal], int]) -> float:
    """Events per second until the last one is durable."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        journal = Journal.open(
            Path(folder) / "log", "events", settings=Log(), redact=lambda one: one, storage=storage
        )
        began = time.perf_counter()
        count = work(journal)
        took = time.perf_counter() - began
        journal.close()
    return count / took


def alone(journal: Journal, count: int = 400) -> int:
    for number in range(count):
        journal.append([draft(number)]).result()
    return count


def together(journal: Journal) -> int:
    """Every thread waits for its own event before it appends the next."""

    def write(writer: int) -> None:
        for number in range(EACH):
            journal.append([draft(writer * EACH + number)]).result()

    _in_threads(write)
    return WRITERS * EACH


def chained(journal: Journal) -> int:
    """The same without threads: what is durable calls for the next of its row."""
    ended = threading.Semaphore(0)

    def begin(writer: int, number: int) -> None:
        def follow(done: Future[Receipt]) -> None:
            done.result()
            if number + 1 < EACH:
                begin(writer, number + 1)
            else:
                ended.release()

        journal.append([draft(writer * EACH + number)]).add_done_callback(follow)

    for writer in range(WRITERS):
        begin(writer, 0)
    for _ in range(WRITERS):
        ended.acquire()
    return WRITERS * EACH


def threads_alone() -> float:
    """Waits per second of as many threads whose futures one thread ends, with no log behind it."""
    waiting: SimpleQueue[Future[None] | None] = SimpleQueue()

    def end() -> None:
        while (one := waiting.get()) is not None:
            one.set_result(None)

    def wait(_writer: int) -> None:
        for _ in range(EACH):
            one: Future[None] = Future()
            waiting.put(one)
            one.result()

    ending = threading.Thread(target=end)
    ending.start()
    began = time.perf_counter()
    _in_threads(wait)
    took = time.perf_counter() - began
    waiting.put(None)
    ending.join()
    return WRITERS * EACH / took


def _in_threads(work: Callable[[int], None]) -> None:
    threads = [threading.Thread(target=work, args=[writer]) for writer in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main() -> None:
    print(machine())
    rows = []
    for name, storage in (("as it is", RealStorage()), ("+ 2 ms", SlowStorage())):
        one, many, calls = (
            median([rate(storage, work) for _ in range(ROUNDS)]) for work in (alone, together, chained)
        )
        rows.append([name, one, many, many / one, calls, calls / one])
    print(table(HEADING, rows))
    print(f"64 threads that hand one another futures, without a log: {threads_alone():,.0f}/s")


if __name__ == "__main__":
    main()
