"""What a benchmark needs: the machine's name, what a process tree cost, medians, and a table.

Costs are processor seconds of a process and of every child it waited for (wait4(2)), so a busy machine
distorts them less than the clock; memory is the largest sum of resident sets of the tree, looked at twenty
times a second.
"""

import atexit
import os
import platform
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

LOOK_S = 0.05
PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 1e6


@dataclass(frozen=True)
class Cost:
    """``cpu`` and ``wall`` in seconds, ``peak`` in MB (10**6 bytes)."""

    cpu: float
    wall: float
    peak: float
    output: str = ""


class Watched:
    """A started process tree; `wait` ends the watching and says what it cost.

    It does not outlive this process: who interrupts a benchmark must not leave a daemon behind.
    """

    def __init__(self, command: Sequence[str], env: Mapping[str, str], cwd: Path | None = None) -> None:
        self._began = time.monotonic()
        self.process = subprocess.Popen(
            command, env=dict(env), cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # else nothing is called
        atexit.register(self.process.terminate)  # which does nothing to one that was waited for
        self._peak = 0.0
        self._output: list[str] = []
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=run, daemon=True) for run in (self._look, self._read)]
        for thread in self._threads:
            thread.start()

    def wait(self) -> Cost:
        """Blocks until the process has ended; raises RuntimeError when it failed."""
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self._ended.set()
        for thread in self._threads:
            thread.join()
        said = "".join(self._output)
        if self.process.returncode:
            raise RuntimeError(f"{self.process.args} ended with {self.process.returncode}:\n{said[-2000:]}")
        wall = time.monotonic() - self._began
        return Cost(usage.ru_utime + usage.ru_stime, wall, self._peak, said)

    def _look(self) -> None:
        while not self._ended.wait(LOOK_S):
            self._peak = max(self._peak, resident_mb(self.process.pid))

    def _read(self) -> None:
        assert self.process.stdout
        self._output.extend(self.process.stdout)


def run(command: Sequence[str], env: Mapping[str, str], cwd: Path | None = None) -> Cost:
    """One command from its start to its end."""
    return Watched(command, env, cwd).wait()


def resident_mb(pid: int) -> float:
    """The resident memory of a process and all its descendants, now."""
    total = 0.0
    for one in (pid, *descendants(pid)):
        try:
            total += int(Path(f"/proc/{one}/statm").read_text().split()[1]) * PAGE_MB
        except (OSError, IndexError):
            continue
    return total


def proportional_mb(pid: int) -> float:
    """The same, with a page that several processes share counted once: each has its part of it (proc(5))."""
    total = 0.0
    for one in (pid, *descendants(pid)):
        try:
            rollup = Path(f"/proc/{one}/smaps_rollup").read_text()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")) * 1024
    return total / 1e6


def descendants(pid: int) -> list[int]:
    """Every process below ``pid``."""
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        try:
            tasks = list(Path(f"/proc/{one}/task").iterdir())
            children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
        except OSError:
            continue
        found += children
        waiting += children
    return found


def disk_mb(*folders: Path) -> float:
    """The size of all files below, as the file system gives blocks to them."""
    files = (file for folder in folders for file in folder.rglob("*") if file.is_file())
    return sum(file.lstat().st_blocks * 512 for file in files) / 1e6


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which ``share`` of the values lie, by nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def median_of(times: int, once: Callable[[], Cost]) -> Cost:
    """The median run by processor time."""
    costs = sorted((once() for _ in range(times)), key=lambda cost: cost.cpu)
    return costs[len(costs) // 2]


def machine() -> str:
    """The machine, for the heading of a table."""
    info = Path("/proc/cpuinfo").read_text()
    model = next((line.partition(":")[2].strip() for line in info.splitlines() if "model name" in line), "?")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    load = os.getloadavg()[0]
    return (
        f"{model}, {os.cpu_count()} cores, {memory:.0f} GB, Linux {platform.release()},"
        f" CPython {platform.python_version()}, load {load:.1f} at the start"
    )


def table(heading: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def median(values: Sequence[float]) -> float:
    """The middle value."""
    return statistics.median(values)


def _cell(value: object) -> str:
    return (
        f"{value:,.3g}"
        if isinstance(value, float) and value < 100
        else f"{value:,.0f}"
        if isinstance(value, float)
        else str(value)
    )
