"""How cost grows with the project: generated files, a thousand to thirty thousand.

    python benchmarks/growth.py [1000 3000 10000 30000] [--svg docs/growth.svg]

Each row is printed as soon as it is there; the plot is printed as bars, and drawn where ``--svg`` says.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from indexing import SETTLED_S, cpu_of
from measuring import machine, median, percentile, resident_mb, table
from plotting import Line, draw
from subjects import CACHE, Navlog, tree

from navlog.daemon.client import ask
from navlog.daemon.home import find_home
from navlog.schemas.wire import ContextArgs, ContextReply

SIZES = (1000, 3000, 10_000, 30_000)
QUESTIONS = ("load user order", "parse page cache", "where are tokens sent", "merge order", "store cache 17")
ROUNDS = 10
BARS = 40
HEADING = (
    "files", "index CPU s", "ms a file", "question ms p50", "question ms p95", "resident MB", "disk MB",
)  # fmt: skip


def measured(files: int) -> list[float]:
    """One row: a new data home, one project of that many files."""
    root = tree(f"generated-{files}")
    subject = Navlog(CACHE / "n")
    daemon = subject.start()
    pid = daemon.process.pid
    before = cpu_of(pid)
    subject.say("up", str(root))
    time.sleep(SETTLED_S)  # what goes on behind the first answer belongs to the index
    indexed = cpu_of(pid) - before
    home = find_home(subject.env)
    took = []
    for question in QUESTIONS * ROUNDS:
        began = time.perf_counter()
        ask(home, "context", ContextReply, ContextArgs(task=question, project=str(root)))
        took.append((time.perf_counter() - began) * 1000)
    asked = (median(took), percentile(took, 0.95))
    row = [files, indexed, indexed / files * 1000, *asked, resident_mb(pid), subject.disk()]
    subject.say("down")
    daemon.wait()
    return row


def plot(rows: Sequence[Sequence[float]], column: int) -> str:
    """A bar a row, the longest `BARS` wide."""
    top = max(row[column] for row in rows)
    bars = (
        f"{row[0]:>6.0f} {'█' * max(1, round(row[column] / top * BARS))} {row[column]:.1f}" for row in rows
    )
    return "\n".join([HEADING[column], *bars])


def main() -> None:
    arguments = sys.argv[1:]
    drawing = arguments.index("--svg") if "--svg" in arguments else len(arguments)
    print(machine())
    rows = []
    for size in map(int, arguments[:drawing] or SIZES):
        rows.append(measured(size))
        print(table(HEADING, rows[-1:]), flush=True)
    print(table(HEADING, rows))
    print("\n\n".join(plot(rows, column) for column in (1, 3)))
    for place in arguments[drawing + 1 : drawing + 2]:
        lines = [Line(HEADING[column], [(row[0], row[column]) for row in rows]) for column in (1, 3)]
        Path(place).write_text(draw("files", lines))


if __name__ == "__main__":
    main()
