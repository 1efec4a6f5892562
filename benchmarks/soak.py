"""Edits and questions by the thousand: children, descriptors and memory come back to where they were.

    python benchmarks/soak.py [edits] [questions]

Works on flask; each edit rewrites one of a hundred files, a question follows every few edits.
"""

import os
import random
import sys
import time
from pathlib import Path

from measuring import descendants, machine, resident_mb, table
from subjects import CACHE, Navlog, tree

from navlog.daemon.client import ask
from navlog.daemon.home import find_home
from navlog.schemas.wire import ContextArgs, ContextReply

EDITS, QUESTIONS = 50_000, 20_000
WARM = 10  # hundredths of the work before the baseline: caches have filled
REST_S = 25.0  # until workers are renewed and memory is given back
HEADING = ("when", "edits", "questions", "children", "threads", "descriptors", "resident MB", "seconds")
WORDS = (
    "session cookie",
    "template loader",
    "json response",
    "error handler",
    "blueprint url",
    "test client",
)


def main() -> None:
    edits, questions = (int(one) for one in (*sys.argv[1:], EDITS, QUESTIONS)[:2])
    root = tree("flask")
    subject = Navlog(CACHE / "n")
    daemon = subject.start()
    subject.say("up", str(root))
    home = find_home(subject.env)
    files = sorted(root.rglob("*.py"))[:100]
    draw, began, rows, asked = random.Random(1), time.monotonic(), [], 0
    for number in range(1, edits + 1):
        draw.choice(files).write_text(f"def soaked_{number}():\n    return {draw.random()}\n")
        while asked * edits < number * questions:
            asked += 1
            args = ContextArgs(task=f"{draw.choice(WORDS)} {asked}", project=str(root))
            ask(home, "context", ContextReply, args)
        if number in (edits * WARM // 100, edits):
            time.sleep(REST_S)
            name = "end" if rows else "baseline"
            rows.append([name, number, asked, *counted(daemon.process.pid), time.monotonic() - began])
    subject.say("down")
    daemon.wait()
    print(machine())
    print(table(HEADING, rows))


def counted(pid: int) -> tuple[int, int, int, float]:
    """Children, threads, open descriptors and MB."""
    place = Path(f"/proc/{pid}")
    return (
        len(descendants(pid)),
        len(os.listdir(place / "task")),  # noqa: PTH208 - how many is all that is wanted
        len(os.listdir(place / "fd")),  # noqa: PTH208
        resident_mb(pid),
    )


if __name__ == "__main__":
    main()
