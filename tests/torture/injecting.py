"""R3: every crash point recovers. R8: no acknowledgement and no second fsync after a failed one. R11: names.

A fault is injected at the first call of a kind, at the second, and so on until none is left.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from torture.report import Run, Trial
from torture.tracing import INJECTED, Traced, prepared, traced
from torture.writers import DEGRADED, broken

CALLS = ("openat", "write", "fsync", "ftruncate", "rename", "unlink", "mkdir")
ERRORS = {
    "openat": ("EIO", "ENOSPC", "EMFILE"),
    "write": ("EIO", "ENOSPC", "EDQUOT", "EFBIG"),
    "fsync": ("EIO", "ENOSPC", "EDQUOT"),
    "ftruncate": ("EIO",),
    "rename": ("EIO", "ENOSPC"),
    "unlink": ("EIO",),
    "mkdir": ("EIO", "ENOSPC"),
}
MOST = 200  # calls of one kind; a run has about 40
_FSYNC = re.compile(r"^fsync\((?P<number>\d+)<(?P<path>[^>]*)>\)\s*=\s*(?P<result>-?\d+)")
_OPENED = re.compile(r"^openat\(.*= (?P<number>\d+)<")


def kill_everywhere(run: Run) -> None:
    """SIGKILL as each call is entered."""
    source, points = prepared(run), 0
    for _ in run.cycles():
        for call in CALLS:
            for found in _points(run, source, call, "signal=SIGKILL"):
                points += 1
                run.check(found.code in (0, -9), f"{call} {points}: the writer ended with {found.code}")
    run.done = points


def errors_everywhere(run: Run) -> None:
    """Each error at each call: what was acknowledged is there, and the end is one we know."""
    source, points = prepared(run), 0
    for _ in run.cycles():
        for call, errors in ERRORS.items():
            for error in errors:
                for found in _points(run, source, call, f"error={error}"):
                    points += 1
                    _check_fsyncs(run, found)
                    run.check(found.code in (0, DEGRADED), f"{call} {error}: ended with {found.code}")
    run.done = points


def short_writes(run: Run) -> None:
    """The kernel says that it took seven bytes, at each write."""
    source, points = prepared(run), 0
    for _ in run.cycles():
        for _ in _points(run, source, "write", "retval=7"):
            points += 1
    run.done = points


def names_first(run: Run) -> None:
    """Between the making of a segment and the next word to anybody lies an fsync of the folder."""
    source = prepared(run)
    for _ in run.cycles():
        folder, found = traced(run, source, ["trace=openat,fsync,write"])
        made, synced = 0, True
        for call in found.calls:
            if "O_CREAT" in call and f"{folder}/events-" in call:
                made, synced = made + 1, False
            elif call.startswith("fsync(") and f"<{folder}>" in call and call.rstrip().endswith("= 0"):
                synced = True
            elif call.startswith("write(") and f"<{folder}/events-" in call and "position" in call:
                run.check(synced, f"written before the folder was fsynced: {call[:80]}")
        run.check(made > 1, f"only {made} segments were made: the trace proves nothing")


def _points(run: Run, source: Path, call: str, fault: str) -> Iterator[Traced]:
    """A traced writer for each call of a kind that it makes; after each the log must be whole."""
    for number in range(1, MOST):
        inject = f"inject={call}:{fault}:when={number}"
        folder, found = traced(
            run, source, ["trace=openat,write,fsync,ftruncate,rename,unlink,mkdir", inject]
        )
        struck = found.injected if "SIGKILL" not in fault else found.code == -9
        for told in broken(folder, found.acknowledged):
            run.check(holds=False, why=f"{call} {fault} when={number}: {told}")
        if not struck:
            run.check(number > 1 or call in ("mkdir", "unlink", "ftruncate"), f"{call}: nothing was injected")
            return
        yield found


def _check_fsyncs(run: Run, found: Traced) -> None:
    """A descriptor whose fsync failed is not fsynced again; a new one with its number is another."""
    failed: dict[str, str] = {}
    for call in found.calls:
        if opened := _OPENED.match(call):
            failed.pop(opened["number"], None)
        if match := _FSYNC.match(call):
            run.check(match["number"] not in failed, f"fsynced again after {failed.get(match['number'])}")
            if INJECTED in call:
                failed[match["number"]] = call


TOOLS = ("strace",)
TRIALS = (
    Trial("R3", "SIGKILL at every system call of a start and a writer", kill_everywhere, 1, 120, TOOLS),
    Trial("R8", "every error at every system call; no second fsync", errors_everywhere, 1, 240, TOOLS),
    Trial("R8", "a short write at every write", short_writes, 1, 40, TOOLS),
    Trial("R11", "a segment's name is durable before anything is written into it", names_first, 5, 20, TOOLS),
)
