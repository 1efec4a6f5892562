"""R9: a full disk leaves no fragment and is got over. R10: on a disk that may not be written, reads go on."""

import random
import resource
import time
from pathlib import Path
from typing import Any

from navlog.schemas.errors import NavlogError
from support.journal import gone
from torture.mounts import command, tmpfs
from torture.report import Run, Trial
from torture.writers import apart, broken, opened

RESUMED_S = 5.0


def no_room(run: Run) -> None:
    """A tmpfs runs full under the writer; then somebody makes room."""
    drawn = random.Random(9)
    for cycle in run.cycles():
        with tmpfs(run.folder / str(cycle), "512k") as disk:
            (disk / "ballast").write_bytes(bytes(drawn.randint(100_000, 300_000)))
            folder, size = disk / "log", drawn.randint(100, 3000)
            found = apart(lambda: _fill(folder, disk / "ballast", size))  # noqa: B023
            _judge(run, folder, found)


def too_large(run: Run) -> None:
    """The process may not write a file beyond a limit: EFBIG in the middle of a write."""
    drawn = random.Random(10)
    for cycle in run.cycles():
        folder, limit = run.folder / str(cycle), drawn.randint(4000, 20_000)
        found = apart(lambda: _limited(folder, limit))  # noqa: B023
        _judge(run, folder, found)


def read_only(run: Run) -> None:
    """A log on a read-only mount answers and refuses; written again once it may be."""
    for cycle in run.cycles():
        with tmpfs(run.folder / str(cycle), "4m") as disk:
            folder = disk / "log"
            apart(lambda: _append(folder, 20))  # noqa: B023
            command("mount", "-o", "remount,ro", disk)
            found = apart(lambda: _on_read_only(folder))  # noqa: B023
            command("mount", "-o", "remount,rw", disk)
            run.check(found == [20, "WriterPoisoned"], f"on a read-only disk: {found}")
            run.check(apart(lambda: _append(folder, 21)) == 21, "not written again")  # noqa: B023
            for told in broken(folder, ()):
                run.check(holds=False, why=told)


def _judge(run: Run, folder: Path, found: dict[str, Any]) -> None:
    run.check(found["refused"] > 0, "nothing was refused: the disk was never full")
    run.check(found["answered"], "reads did not go on while the disk was full")
    run.check(found["resumed_s"] < RESUMED_S, f"written again after {found['resumed_s']:.1f} s")
    for told in broken(folder, found["acknowledged"]):
        run.check(holds=False, why=told)


def _fill(folder: Path, ballast: Path, size: int) -> dict[str, Any]:
    journal = opened(folder)
    acknowledged: list[str] = []
    refused = number = 0
    while not refused:
        number += 1
        refused += not _appended(journal, number, size, acknowledged)
    answered = [record.id for record in journal.read()] == acknowledged
    ballast.unlink()
    freed = time.monotonic()
    while not _appended(journal, number, size, acknowledged) and time.monotonic() < freed + 2 * RESUMED_S:
        time.sleep(0.01)
    resumed_s = time.monotonic() - freed
    journal.close()
    return {
        "acknowledged": acknowledged, "refused": refused, "answered": answered, "resumed_s": resumed_s
    }  # fmt: skip


def _limited(folder: Path, limit: int) -> dict[str, Any]:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    journal = opened(folder)
    acknowledged: list[str] = []
    refused, answered, longest = 0, True, 0.0
    for number in range(100):
        began = time.monotonic()
        while not _appended(journal, number, 300, acknowledged) and time.monotonic() < began + RESUMED_S:
            refused += 1
            answered &= [record.id for record in journal.read()] == acknowledged
        longest = max(longest, time.monotonic() - began)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    journal.close()
    return {
        "acknowledged": acknowledged, "refused": refused, "answered": answered, "resumed_s": longest
    }  # fmt: skip


def _appended(journal: Any, number: int, size: int, acknowledged: list[str]) -> bool:
    draft = gone(f"{number}-" + "x" * size)
    if journal.append([draft]).exception():
        return False
    acknowledged.append(draft.id)
    return True


def _append(folder: Path, count: int) -> int:
    journal = opened(folder)
    for number in range(count):
        journal.append([gone(number)]).result()
    journal.close()
    return journal.position


def _on_read_only(folder: Path) -> list[object]:
    journal = opened(folder)
    read = len(list(journal.read()))
    try:
        journal.append([gone("refused")]).result()
    except NavlogError as fault:
        return [read, fault.code]
    return [read, "written"]


TRIALS = (
    Trial("R9", "a tmpfs runs full, and somebody makes room", no_room, 20, 60, root=True),
    Trial("R9", "a file-size limit strikes in the middle of writes", too_large, 20, 60),
    Trial("R10", "a read-only mount: answered, refused, written again", read_only, 10, 30, root=True),
)
