"""Edits and questions by the thousand: children, descriptors and memory come back to where they were.

    python benchmarks/soak.py [edits] [questions]

Works on flask; each edit rewrites one of a hundred files, a question follows every few edits. A row is
printed after every tenth of the work; those of the baseline and the end are taken after a rest.
"""

import os
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from measuring import descendants, machine, proportional_mb, resident_mb, table
from subjects import CACHE, Navlog, tree

from navlog.daemon.client import ask
from navlog.daemon.home import find_home
from navlog.schemas.wire import ContextArgs, ContextReply

EDITS, QUESTIONS = 50_000, 20_000
WARM = 10  # hundredths of the work before the baseline: caches have filled
REST_S = 25.0  # until workers have ended and memory is given back
HEADING = (
    "when",
    "edits",
    "questions",
    "children",
    "threads",
    "descriptors",
    "resident MB",
    "proportional MB",
    "seconds",
)
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
    print(machine())
    root = tree("flask")
    subject = Navlog(CACHE / "n")
    daemon = subject.start()
    subject.say("up", str(root))
    home = find_home(subject.env)
    files = sorted(root.rglob("*.py"))[:100]
    rows: list[list[Any]] = []
    draw, began, asked = random.Random(1), time.monotonic(), 0
    for number in range(1, edits + 1):
        draw.choice(files).write_text(f"def soaked_{number}():\n    return {draw.random()}\n")
        while asked * edits < number * questions:
            asked += 1
            args = ContextArgs(task=f"{draw.choice(WORDS)} {asked}", project=str(root))
            ask(home, "context", ContextReply, args)
        resting = number in (edits * WARM // 100, edits)
        if not resting and number % max(1, edits // 10):
            continue
        if resting:
            time.sleep(REST_S)
        name = ("end" if number == edits else "baseline") if resting else "on the way"
        rows.append([name, number, asked, *counted(daemon.process.pid), time.monotonic() - began])
        print(*rows[-1][:-3], *(f"{value:.1f}" for value in rows[-1][-3:]), sep="\t", flush=True)
    subject.say("down")
    cost = daemon.wait()
    print(table(HEADING, rows))
    print(drift(*(row for row in rows if row[0] != "on the way")))
    print(f"{cost.cpu:.0f} CPU s in all, {cost.peak:.0f} MB at most")


def drift(baseline: Sequence[Any], end: Sequence[Any]) -> str:
    """What stayed behind, in words."""
    names = HEADING[3:8]
    pairs = zip(names, baseline[3:8], end[3:8], strict=True)
    left = (f"{name} {now - then:+.0f}" for name, then, now in pairs)
    return "left behind since the baseline: " + ", ".join(left)


def counted(pid: int) -> tuple[int, int, int, float, float]:
    """Children, threads, open descriptors, MB resident and MB with what is shared counted once."""
    place = Path(f"/proc/{pid}")
    return (
        len(descendants(pid)),
        len(os.listdir(place / "task")),  # noqa: PTH208 - how many is all that is wanted
        len(os.listdir(place / "fd")),  # noqa: PTH208
        resident_mb(pid),
        proportional_mb(pid),
    )


if __name__ == "__main__":
    main()
