"""Processes that write a log and die, and what has to hold of it afterwards.

Forked, not started: a warm writer knows the journal alone and appends within milliseconds. The process that
forks must have no thread, so it opens no `Journal` itself.
"""

import ctypes
import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Self

import msgspec

from navlog.daemon.journal import Journal, RealStorage, Storage
from navlog.daemon.journal.recovery import recover
from navlog.daemon.journal.verify import verify
from navlog.schemas.envelope import Draft, Record
from navlog.schemas.errors import NavlogError, WriterPoisoned
from navlog.schemas.settings import Log
from support.journal import gone

SETTINGS = Log(segment_bytes=40_000)
DEGRADED = 75
PR_SET_PDEATHSIG = 1  # linux/prctl.h


def apart(work: Callable[[], Any]) -> Any:
    """What ``work`` gives, done in a process of its own; JSON comes back. Raises what it printed."""
    reading, writing = os.pipe()
    child = fork(lambda: _said(writing, work))
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    if status or not answer:
        raise RuntimeError(f"the child ended with {os.waitstatus_to_exitcode(status)}")
    return msgspec.json.decode(answer)


def fork(work: Callable[[], None]) -> int:
    """A child that does ``work`` and ends; its pid."""
    child = os.fork()
    if child:
        return child
    code = 0
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # no trial leaves a process behind
        work()
    except BaseException:  # noqa: BLE001 - the child must end here, whatever it was
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _said(pipe: int, work: Callable[[], Any]) -> None:
    answer = msgspec.json.encode(work())
    with os.fdopen(pipe, "wb") as file:
        file.write(answer)


def opened(folder: Path, storage: Storage | None = None, settings: Log = SETTINGS, **more: Any) -> Journal:
    """The events' journal, without redaction."""
    return Journal.open(folder, "events", settings=settings, redact=lambda one: one, storage=storage, **more)


class Writer:
    """A child that appends for ever (or ``rounds`` times) and says what was acknowledged, an id a line."""

    def __init__(
        self,
        folder: Path,
        name: object,
        again: Sequence[str] = (),
        storage: Storage | None = None,
        rounds: int | None = None,
        held: bool = False,
    ) -> None:
        self._pipe, writing = os.pipe()
        self._go, going = os.pipe()
        self._text = b""
        self._ended = False
        self.pid = fork(lambda: _write(folder, str(name), again, storage, rounds, writing, self._go))
        os.close(writing)
        self._going = going
        if not held:
            self.go()

    def go(self) -> None:
        """Lets it begin."""
        os.write(self._going, b"g")

    def acknowledged(self, wait_s: float = 0) -> list[str]:
        """The ids told so far; waits for the first word at most ``wait_s``."""
        while select.select([self._pipe], [], [], wait_s)[0] and (part := os.read(self._pipe, 65536)):
            self._text += part
            wait_s = 0
        return self._text.decode().rpartition("\n")[0].split()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Ends it if it lives."""
        if not self._ended:
            self.kill()

    def stop(self) -> None:
        """Holds it, until `resume`; returns once every thread stands still, outside of system calls."""
        os.kill(self.pid, signal.SIGSTOP)
        tasks = list(Path(f"/proc/{self.pid}/task").iterdir())
        while any((task / "stat").read_text().rpartition(")")[2].split()[0] not in "TZ" for task in tasks):
            time.sleep(0.0005)

    def resume(self) -> None:
        """Lets it go on."""
        os.kill(self.pid, signal.SIGCONT)

    def kill(self) -> list[str]:
        """Ends it without a word; everything it acknowledged."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        return self.wait()[0]

    def wait(self) -> tuple[list[str], int]:
        """Until it ended by itself: what was acknowledged, and its exit code."""
        while part := os.read(self._pipe, 65536):
            self._text += part
        _, status = os.waitpid(self.pid, 0)
        self._ended = True
        for descriptor in (self._pipe, self._go, self._going):
            os.close(descriptor)
        return self.acknowledged_words(), os.waitstatus_to_exitcode(status)

    def acknowledged_words(self) -> list[str]:
        """As `acknowledged`, without looking for more."""
        return self._text.decode().rpartition("\n")[0].split()


def _write(
    folder: Path,
    name: str,
    again: Sequence[str],
    storage: Storage | None,
    rounds: int | None,
    pipe: int,
    go: int,
) -> None:
    os.read(go, 1)
    try:
        journal = opened(folder, storage)
    except (NavlogError, OSError):
        os._exit(DEGRADED)  # a start that could not make durable what it found: the next one will
    _send(journal, [[gone(one.removeprefix("id-"))] for one in again], pipe)
    number = 0
    while rounds is None or number < rounds:
        _send(journal, list(_batches(name, number)), pipe)
        number += 1
    journal.close()


def _batches(name: str, number: int) -> Iterator[list[Draft]]:
    """Three atomic appends, of one, two and three events of different lengths."""
    for size in (1, 2, 3):
        yield [gone(f"{name}-{number}-{size}-{k}" + "x" * (97 * k * size)) for k in range(size)]


def _send(journal: Journal, batches: Sequence[Sequence[Draft]], pipe: int) -> None:
    """All at once; after a failed write each is tried once more, as a caller is told to."""
    for batch, future in [(batch, journal.append(batch)) for batch in batches]:
        try:
            future.result()
        except WriterPoisoned:
            if journal.state.fatal:
                os._exit(DEGRADED)
            if journal.append(batch).exception():
                continue
        os.write(pipe, b"".join(f"{draft.id}\n".encode() for draft in batch))


# --- what has to hold ---------------------------------------------------------------------------------------


def recovered(folder: Path) -> list[Record]:
    """Every record, after the repair that a start makes."""
    storage = RealStorage()
    with closing(storage.lock(folder)):
        found = recover(storage, folder, "events", 0)
        return list(found.catalog.read())


def broken(folder: Path, acknowledged: Iterable[str]) -> list[str]:
    """What is wrong with the log in ``folder``; nothing, if every promise was kept."""
    try:
        records = recovered(folder)
    except NavlogError as fault:
        return [fault.message]  # behind its mark, or not to be made durable
    ids = [record.id for record in records]
    told: list[str] = []
    if lost := set(acknowledged) - set(ids):
        told.append(f"{len(lost)} acknowledged events are lost, e.g. {min(lost)[:40]}")
    if len(set(ids)) != len(ids):
        told.append(f"{len(ids) - len(set(ids))} events are there twice")
    if [record.position for record in records] != list(range(1, len(records) + 1)):
        told.append("positions have gaps")
    if any(
        record.position + record.batch[1] - record.batch[0] > len(ids) for record in records if record.batch
    ):
        told.append("a batch is there in part")
    told += [f"{fault.file}@{fault.offset}: {fault.why}" for fault in verify(folder).faults]
    return told
