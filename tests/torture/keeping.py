"""R21: a backup taken under load restores. R22: verify writes nothing, and finds every fault in one run."""

import os
import random
import re
import shutil
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

from navlog.daemon.journal import Journal
from navlog.daemon.journal.backup import backup, restore
from navlog.daemon.journal.verify import verify
from support.journal import gone
from torture.report import Run, Trial
from torture.tracing import joined
from torture.writers import apart, fork, opened

PER_S = 1000
SEEDED = 6  # faults put into one log
_OPENED = re.compile(r"openat\(.*\bO_(WRONLY|RDWR|CREAT|TRUNC|APPEND)\b")
CHANGING = (
    "unlink",
    "rename",
    "mkdir",
    "rmdir",
    "ftruncate",
    "truncate",
    "fallocate",
    "link",
    "symlink",
    "chmod",
)


def backups(run: Run) -> None:
    """Each backup, restored elsewhere, verifies and is what the log was at its fence."""
    run.done, told = apart(lambda: _backups(run))
    for failure in told:
        run.check(holds=False, why=failure)


def looks_only(run: Run) -> None:
    """Its system calls, on a damaged log: nothing is opened for writing, made, moved or removed."""
    for cycle in run.cycles():
        folder = run.folder / str(cycle)
        apart(lambda: _damaged(folder, cycle))  # noqa: B023
        before = _bytes_of(folder)
        calls = _calls_of_verify(folder, run.folder / "trace")
        run.check(any("events-" in call for call in calls), "the trace shows no log: it proves nothing")
        for call in calls:
            name = call.partition("(")[0]
            run.check(not _OPENED.search(call) and not name.startswith(CHANGING), f"verify did {call[:120]}")
        run.check(_bytes_of(folder) == before, "a file was changed")


def finds_all(run: Run) -> None:
    """Six damaged records of two hundred are all listed by one run."""
    for cycle in run.cycles():
        folder = run.folder / str(cycle)
        expected = set(apart(lambda: _damaged(folder, cycle)))  # noqa: B023
        found = {fault.position for fault in verify(folder).faults}
        run.check(expected <= found, f"not found: {sorted(expected - found)}")


def _backups(run: Run) -> tuple[int, list[str]]:
    journal = opened(run.folder / "log")
    ended = threading.Event()
    load = threading.Thread(target=_load, args=(journal, ended))
    load.start()
    told: list[str] = []
    for _ in run.cycles():
        time.sleep(0.05)
        told += _one_backup(journal, run.folder)
    ended.set()
    load.join()
    journal.close()
    return run.done, told


def _load(journal: Journal, ended: threading.Event) -> None:
    number = 0
    while not ended.wait(10 / PER_S):
        number += 10
        journal.append([gone(number + n) for n in range(10)])


def _one_backup(journal: Journal, folder: Path) -> list[str]:
    copy, target = folder / "copy", folder / "restored"
    for place in (copy, target):
        shutil.rmtree(place, ignore_errors=True)
    fence = journal.fence
    backup(folder / "log", copy, fences=[fence])
    restore(copy, target)
    report = verify(target)
    restored = opened(target)
    same = [(r.position, r.h) for r in restored.read()] == [
        (r.position, r.h) for r in journal.read(limit=fence.position)
    ]
    restored.close()
    if report.ok and same:
        return []
    return [f"the restored log is not the one at the fence: {report.faults[:1] or 'other records'}"]


def _damaged(folder: Path, seed: int) -> list[int]:
    """A log of 200 events with a flipped bit in six of them; their positions."""
    journal = opened(folder)
    for number in range(200):
        journal.append([gone(number)])
    journal.close()
    positions = sorted(random.Random(seed).sample(range(1, 200), SEEDED))
    for path in folder.glob("events-*.jsonl"):
        data = bytearray(path.read_bytes())
        for position in positions:
            at = data.find(b'{"position":%d,' % position)
            if at >= 0:
                data[at + 30] ^= 4
        path.write_bytes(data)
    return positions


def _bytes_of(folder: Path) -> dict[str, Any]:
    return {
        str(path): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


def _calls_of_verify(folder: Path, output: Path) -> list[str]:
    reading, going = os.pipe()
    child = fork(lambda: _verify_when_told(folder, reading))
    strace = subprocess.Popen(
        ["strace", "-f", "-qq", "-y", "-o", str(output), "-e", "trace=%file,%desc", "-p", str(child)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    while "TracerPid:\t0\n" in Path(f"/proc/{child}/status").read_text():
        time.sleep(0.002)
    os.write(going, b"g")
    os.waitpid(child, 0)
    strace.wait()
    os.close(reading)
    os.close(going)
    return joined(output.read_text(errors="replace"))


def _verify_when_told(folder: Path, reading: int) -> None:
    os.read(reading, 1)
    verify(folder)


TRIALS = (
    Trial("R21", "backups under 1,000 events/s, restored and compared", backups, 50, 120),
    Trial("R22", "verify under strace: nothing is opened for writing", looks_only, 3, 30, ("strace",)),
    Trial("R22", "verify finds each of six faults in one run", finds_all, 20, 30),
)
