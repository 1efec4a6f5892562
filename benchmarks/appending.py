"""Durable appends: one at a time and 64 waiting writers, on this disk and with 2 ms added to each fsync.

python benchmarks/appending.py
"""

import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from measuring import machine, median, table

from navlog.daemon.journal import Journal, RealStorage
from navlog.daemon.journal.storage import AppendFile
from navlog.schemas.envelope import Draft
from navlog.schemas.settings import Log

DELAY_S = 0.002
ROUNDS = 3
HEADING = ("fsync", "one at a time /s", "64 writers /s", "ratio")


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


def together(journal: Journal, writers: int = 64, each: int = 500) -> int:
    """Every writer waits for its own event before it appends the next."""

    def write(writer: int) -> None:
        for number in range(each):
            journal.append([draft(writer * each + number)]).result()

    threads = [threading.Thread(target=write, args=[writer]) for writer in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return writers * each


def main() -> None:
    print(machine())
    rows = []
    for name, storage in (("as it is", RealStorage()), ("+ 2 ms", SlowStorage())):
        one, many = (median([rate(storage, work) for _ in range(ROUNDS)]) for work in (alone, together))
        rows.append([name, one, many, many / one])
    print(table(HEADING, rows))


if __name__ == "__main__":
    main()
