"""What a trial is, how it says that a promise was broken, and the table at the end."""

import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

MEMORY = Path("/dev/shm")  # logs lie there: what a disk does to them has trials of its own (R2)
SHOWN = 5  # failures told in full, of each trial


class Trial(NamedTuple):
    """One promise put to the test. ``cycles``: as stated in docs/reliability.md; at most ``seconds`` long.

    ``tools``: programs it needs.
    """

    promise: str
    what: str
    run: "Callable[[Run], None]"
    cycles: int
    seconds: float
    tools: tuple[str, ...] = ()
    root: bool = False


class Row(msgspec.Struct, kw_only=True):
    """A line of the table. ``skipped``: why it was not tried."""

    promise: str
    what: str
    cycles: int = 0
    failures: int = 0
    seconds: float = 0.0
    note: str = ""
    skipped: str = ""


class Run:
    """A trial under way: counts cycles, takes down failures. ``folder`` is its own, and gone afterwards."""

    def __init__(self, trial: Trial, scale: float, folder: Path) -> None:
        self.folder = folder
        self.failures: list[str] = []
        self.note = ""
        self.done = 0
        self.planned = max(1, round(trial.cycles * scale))
        self._until = time.monotonic() + trial.seconds

    def cycles(self) -> Iterator[int]:
        """Numbers from 0; ends early, and says so, when the trial's time is over."""
        for number in range(self.planned):
            if time.monotonic() > self._until:
                self.note = f"time was over after {number} of {self.planned}"
                return
            self.done += 1
            yield number

    def check(self, holds: bool, why: object) -> None:
        """A promise: ``why`` says what was seen when it was broken."""
        if not holds:
            self.failures.append(str(why))


def attempt(trial: Trial, scale: float, why_not: str) -> Row:
    """Runs one trial, whatever it raises."""
    row = Row(promise=trial.promise, what=trial.what, skipped=why_not)
    if why_not:
        return row
    began = time.monotonic()
    place = MEMORY if MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="torture-", dir=place, ignore_cleanup_errors=True) as name:
        run = Run(trial, scale, Path(name))
        try:
            trial.run(run)
        except Exception:  # noqa: BLE001 - one trial's fault must not hide the others
            run.failures.append(traceback.format_exc(limit=6))
    for failure in run.failures[:SHOWN]:
        print(f"  {trial.promise} {trial.what}: {failure}", flush=True)
    row.cycles, row.failures, row.note = run.done, len(run.failures), run.note
    row.seconds = round(time.monotonic() - began, 1)
    return row


def table(rows: Sequence[Row]) -> str:
    """promise / cycles / failures / seconds, one line each."""
    head = ("promise", "", "cycles", "failures", "seconds", "")
    body = [
        (r.promise, r.what, f"{r.cycles:,}", str(r.failures), f"{r.seconds:.1f}", r.note)
        if not r.skipped
        else (r.promise, r.what, "-", "-", "-", f"SKIPPED: {r.skipped}")
        for r in rows
    ]
    widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
    numeric = (False, False, True, True, True, False)
    return "\n".join(
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in (head, *body)
    )
