"""R19: order never depends on the clock. R20: a line of any size breaks neither framing nor memory."""

import random
from contextlib import closing
from pathlib import Path
from typing import Any

from navlog.daemon.journal import RealStorage
from navlog.daemon.journal.recovery import recover
from navlog.daemon.journal.verify import verify
from navlog.schemas.errors import NavlogError
from support.journal import gone
from torture.report import Run, Trial
from torture.writers import apart, broken, opened

HUGE = 200 * 1024 * 1024
BLOCK = bytes(1024 * 1024)
GROWTH = 16 * 1024 * 1024
TIMES = (
    "2026-01-01T00:00:00.000Z",
    "2025-12-31T23:00:00.000Z",
    "2036-01-01T00:00:00.000Z",
    "2016-12-31T23:59:60.000Z",
)


def clock_jumps(run: Run) -> None:
    """An hour back, ten years ahead, a leap second: positions count on by one."""
    for cycle in run.cycles():
        folder = run.folder / str(cycle)
        found = apart(lambda: _on_a_bad_clock(folder))  # noqa: B023
        run.check(found == list(range(1, len(found) + 1)), f"positions {found[:10]} …")
        for told in broken(folder, ()):
            run.check(holds=False, why=told)


def huge_lines(run: Run) -> None:
    """200 MiB without a newline behind the log, of several kinds; looked at, cut, and written behind."""
    kinds = (b"x", b"\0", b'[{"a":', b"\xff", "\u2028".encode(), b'"\\ud800"')
    for cycle in run.cycles():
        folder = run.folder / str(cycle)
        apart(lambda: _written(folder))  # noqa: B023
        newest = max(folder.glob("events-*.jsonl"))
        piece = (kinds[cycle % len(kinds)] * len(BLOCK))[: len(BLOCK)]
        with newest.open("ab") as file:
            for _ in range(HUGE // len(BLOCK)):
                file.write(piece)
        for name, look in (("verify", _verified), ("recover", _recovered)):
            grown = apart(lambda: _growth(folder, look))  # noqa: B023
            run.check(grown < GROWTH, f"{name} grew by {grown / 2**20:.1f} MiB")
        for told in broken(folder, [f"id-{n}" for n in range(20)]):
            run.check(holds=False, why=told)
        for path in folder.glob("quarantine/*"):
            path.unlink()


def huge_events(run: Run) -> None:
    """What is longer than a line may be is refused, and what stands beside it goes through."""
    sizes = (1024 * 1024, 2 * 1024 * 1024, 64 * 1024 * 1024)
    for cycle in run.cycles():
        folder = run.folder / str(cycle)
        found = apart(lambda: [_refused(folder, size) for size in sizes])  # noqa: B023
        run.check(found == ["UsageError"] * len(sizes), f"refused as {found}")
        for told in broken(folder, ["id-beside"]):
            run.check(holds=False, why=told)


def _on_a_bad_clock(folder: Path) -> list[int]:
    drawn = random.Random(19)
    journal = opened(folder, now=lambda: drawn.choice(TIMES))
    for number in range(300):
        journal.append([gone(number)]).result()
    positions = [record.position for record in journal.read()]
    journal.close()
    return positions


def _written(folder: Path) -> int:
    journal = opened(folder)
    for number in range(20):
        journal.append([gone(number)]).result()
    return journal.position  # not closed: as a killed writer leaves it


def _growth(folder: Path, look: Any) -> int:
    """By how much the process's largest size grows while it looks."""
    before = _peak()
    look(folder)
    return _peak() - before


def _peak() -> int:
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def _verified(folder: Path) -> None:
    verify(folder)


def _recovered(folder: Path) -> None:
    storage = RealStorage()
    with closing(storage.lock(folder)):
        recover(storage, folder, "events", 0)


def _refused(folder: Path, size: int) -> str:
    journal = opened(folder)
    try:
        journal.append([gone("beside")]).result()
        journal.append([gone("x" * size)]).result()
    except NavlogError as fault:
        return fault.code
    finally:
        journal.close()
    return "written"


TRIALS = (
    Trial("R19", "a clock that jumps back an hour and ahead ten years", clock_jumps, 10, 30),
    Trial("R20", "200 MiB without a newline, of six kinds: framing and memory", huge_lines, 6, 90),
    Trial("R20", "events that are longer than a line may be", huge_events, 1, 30),
)
