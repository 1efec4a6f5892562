"""A first index, one changed file and a question: navlog beside its peers, on the same trees in one run.

python benchmarks/indexing.py [flask django generated-10000]
"""

import os
import shutil
import sys
import time
from pathlib import Path

from measuring import (
    Cost,
    descendants,
    disk_mb,
    machine,
    median,
    proportional_mb,
    resident_mb,
    run,
    table,
)
from subjects import CACHE, Navlog, agentnavi, codegraph, tree

QUESTIONS = (
    "session cookie samesite", "where is the request dispatched", "template loader cache",
    "json response encoding", "error handler for missing page", "test client cookies", "配置 加载",
)  # fmt: skip
SETTLED_S = 12  # idle workers have ended and were waited for, so what they cost is in the daemon's account
TICK = os.sysconf("SC_CLK_TCK")
HEADING = (
    "tree",
    "what",
    "index CPU s",
    "wall s",
    "peak MB",
    "idle MB",
    "idle MB, shared counted once",
    "disk MB",
    "one file CPU s",
    "question CPU ms p50",
)


def measure_navlog(name: str) -> list[object]:
    """A cold index in a new data home; then a file is edited and questions are asked."""
    root = tree(name)
    subject = Navlog(CACHE / "n")
    daemon = subject.start()
    pid = daemon.process.pid
    before = cpu_of(pid)
    began = time.monotonic()
    subject.say("up", str(root))
    wall = time.monotonic() - began
    time.sleep(SETTLED_S)
    indexed = cpu_of(pid) - before
    idle, shared_once = resident_mb(pid), proportional_mb(pid)
    disk = subject.disk()
    before = cpu_of(pid)
    edit(root)
    subject.say("context", "zzz_edited", "--project", str(root))
    time.sleep(SETTLED_S)
    edited = cpu_of(pid) - before
    asked = []
    for question in QUESTIONS * 3:
        before = cpu_of(pid)
        subject.say("context", question, "--project", str(root))
        asked.append(cpu_of(pid) - before)
    subject.say("down")
    cost = daemon.wait()
    return [name, "navlog", indexed, wall, cost.peak, idle, shared_once, disk, edited,
            median(asked) * 1000]  # fmt: skip


def measure_agentnavi(name: str, command: Path) -> list[object]:
    root = tree(name)
    home = CACHE / "agentnavi-home"
    shutil.rmtree(home, ignore_errors=True)
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "AGENTNAVI_HOME": str(home)}
    home.mkdir(parents=True)
    run([str(command), "init"], env)
    index = run([str(command), "project", "add", str(root), "--id", "p"], env)
    disk = disk_mb(home)
    edit(root)
    edited = run([str(command), "scan", "p"], env)
    asked = [run([str(command), "context", question, "--project", "p"], env).cpu for question in QUESTIONS]
    return row(name, "AgentNavi", index, disk, edited, asked)


def measure_codegraph(name: str, command: Path) -> list[object]:
    root = tree(name)
    env = {"PATH": os.environ["PATH"], "HOME": str(CACHE / "codegraph-home")}
    index = run([str(command), "init", "--yes", str(root)], env, root)
    disk = disk_mb(root / ".codegraph")
    edit(root)
    edited = run([str(command), "sync", str(root)], env, root)
    asked = [
        run([str(command), "context", question, "-p", str(root)], env, root).cpu for question in QUESTIONS
    ]
    return row(name, "codegraph", index, disk, edited, asked)


def row(name: str, what: str, index: Cost, disk: float, edited: Cost, asked: list[float]) -> list[object]:
    return [name, what, index.cpu, index.wall, index.peak, "-", "-", disk, edited.cpu, median(asked) * 1000]


def edit(root: Path) -> None:
    """One new function in one file."""
    file = max(root.rglob("*.py"), key=lambda path: (path.stat().st_size < 20_000, path.stat().st_size))
    with file.open("a") as opened:
        opened.write("\n\ndef zzz_edited():\n    return 1\n")


def cpu_of(pid: int) -> float:
    """Processor seconds of a process, of its ended children and of those that run."""
    total = 0.0
    for one in (pid, *descendants(pid)):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        total += sum(map(int, fields[11:15] if one == pid else fields[11:13])) / TICK
    return total


def main() -> None:
    names = sys.argv[1:] or ["flask", "django", "generated-10000"]
    peers = [
        (measure, command)
        for measure, find in ((measure_agentnavi, agentnavi), (measure_codegraph, codegraph))
        if (command := find())
    ]
    print(machine())
    rows = []
    for name in names:
        rows.append(measure_navlog(name))
        rows += [measure(name, command) for measure, command in peers]
        print(table(HEADING, rows), flush=True)


if __name__ == "__main__":
    main()
