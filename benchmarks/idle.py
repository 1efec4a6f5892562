"""A daemon that has nothing to do: 10,000 watched folders, 5 connected clients, 60 seconds.

python benchmarks/idle.py [seconds]
"""

import shutil
import socket
import sys
import time
from contextlib import ExitStack, closing
from pathlib import Path

from indexing import cpu_of
from measuring import machine, resident_mb, table
from subjects import CACHE, Navlog

from navlog.daemon.home import find_home

FOLDERS, CLIENTS = 10_000, 5
SETTLE_S = 15.0  # workers renewed, tables written
HEADING = ("folders", "clients", "seconds", "CPU %", "MB written", "wake-ups/s", "resident MB")


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    root = CACHE / "work" / "folders"
    shutil.rmtree(root, ignore_errors=True)
    for number in range(FOLDERS):
        folder = root / f"a{number // 100:03}" / f"b{number % 100:02}"
        folder.mkdir(parents=True)
    (root / "one.py").write_text("def one():\n    return 1\n")
    subject = Navlog(CACHE / "n")
    daemon = subject.start()
    subject.say("up", str(root))
    pid = daemon.process.pid
    with ExitStack() as stack:
        for _ in range(CLIENTS):
            client = stack.enter_context(closing(socket.socket(socket.AF_UNIX)))
            client.connect(str(find_home(subject.env).socket))
        time.sleep(SETTLE_S)
        before = (cpu_of(pid), written(pid), switches(pid))
        time.sleep(seconds)
        after = (cpu_of(pid), written(pid), switches(pid))
    cpu, wrote, woken = (now - then for now, then in zip(after, before, strict=True))
    row = [FOLDERS, CLIENTS, seconds, 100 * cpu / seconds, wrote / 1e6, woken / seconds, resident_mb(pid)]
    subject.say("down")
    daemon.wait()
    print(machine())
    print(table(HEADING, [row]))


def written(pid: int) -> int:
    """Bytes the process has sent to the disk."""
    return field(Path(f"/proc/{pid}/io"), "write_bytes")


def switches(pid: int) -> int:
    """How often its threads have gone to sleep of their own accord."""
    return sum(
        field(task / "status", "voluntary_ctxt_switches") for task in Path(f"/proc/{pid}/task").iterdir()
    )


def field(file: Path, name: str) -> int:
    line = next(line for line in file.read_text().splitlines() if line.startswith(f"{name}:"))
    return int(line.partition(":")[2])


if __name__ == "__main__":
    main()
