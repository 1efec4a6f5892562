"""R1: what was acknowledged survives SIGKILL. R12: one writer, and another as soon as it is gone."""

import os
import random
import select
import signal
import time
from pathlib import Path

from navlog.daemon.journal import Journal
from navlog.schemas.errors import AlreadyRunning
from support.journal import gone
from torture.report import Run, Trial
from torture.writers import Writer, apart, broken, fork, opened, recovered

FRESH = 8  # cycles on one log: each start after a kill begins a segment
CONTENDERS = 20
TAKEOVER_S = 1.0


def kill_loop(run: Run) -> None:
    """Killed at random, mostly in the middle of a write; each successor sends the last ids again."""
    drawn = random.Random(1)
    folder, acknowledged = run.folder / "0", list[str]()
    for cycle in run.cycles():
        if cycle % FRESH == 0:
            folder, acknowledged = run.folder / str(cycle), []
        writer = Writer(folder, cycle, again=acknowledged[-5:])
        writer.acknowledged(wait_s=10)
        time.sleep(drawn.random() * 0.01)
        acknowledged += writer.kill()
        for told in broken(folder, acknowledged):
            run.check(holds=False, why=told)


def one_writer(run: Run) -> None:
    """Twenty at once, the holder killed again and again until nobody is left."""
    for cycle in run.cycles():
        folder = run.folder / str(cycle)
        folder.mkdir()
        told, telling = os.pipe()
        children = {fork(lambda: _contend(folder, telling)) for _ in range(CONTENDERS)}  # noqa: B023
        killed = time.monotonic()
        while children:
            winner = int(os.read(told, 16))
            taken = time.monotonic() - killed
            run.check(len(children) == CONTENDERS or taken < TAKEOVER_S, f"taken over after {taken:.1f} s")
            run.check(not select.select([told], [], [], 0.02)[0], "two hold the log at once")
            os.kill(winner, signal.SIGKILL)
            os.waitpid(winner, 0)
            killed = time.monotonic()
            children.discard(winner)
        ids = [record.id for record in recovered(folder)]
        run.check(len(ids) == len(set(ids)) == CONTENDERS, f"{len(ids)} of {CONTENDERS} wrote")
        os.close(told)
        os.close(telling)


def undisturbed(run: Run) -> None:
    """Appends while others try to open the log: no line is torn by another."""
    contenders = [fork(lambda: _try_for_ever(run.folder)) for _ in range(2)]
    try:
        count = apart(lambda: _append(run.folder, run.planned))
    finally:
        for pid in contenders:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    run.done = count
    run.check(len(recovered(run.folder)) == run.planned, "events are missing")
    for told in broken(run.folder, ()):
        run.check(holds=False, why=told)


def _contend(folder: Path, telling: int) -> None:
    _held(folder).append([gone(os.getpid())]).result()
    os.write(telling, f"{os.getpid()}".ljust(16).encode())
    time.sleep(60)


def _held(folder: Path) -> Journal:
    """The log, as soon as nobody else has it."""
    while True:
        try:
            return opened(folder)
        except AlreadyRunning:
            time.sleep(0.005)


def _try_for_ever(folder: Path) -> None:
    while True:
        try:
            opened(folder).close()
        except AlreadyRunning:
            time.sleep(0.001)


def _append(folder: Path, count: int) -> int:
    journal = _held(folder)
    for first in range(0, count, 50):
        for future in [journal.append([gone(n)]) for n in range(first, min(first + 50, count))]:
            future.result()
    journal.close()
    return count


TRIALS = (
    Trial("R1", "SIGKILL of a warm writer, acknowledgements against the log", kill_loop, 1000, 150),
    Trial("R12", "20 starts at once, the holder killed until none is left", one_writer, 20, 60),
    Trial("R12", "appends while two others try to open the log", undisturbed, 10_000, 60),
)
