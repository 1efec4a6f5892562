"""`context` over the warm socket: the time a client waits, and how long a save takes to show.

    python benchmarks/answering.py [django]

The clock starts before the connection and stops with the reply; the client is the command's own, already
imported. What the daemon itself says it took stands beside it: the rest is the way there and back. 300
questions are asked once, then 20 of another draw 15 times: those find their files looked at before. A save is
shown when an answer names the function it added.
"""

import statistics
import sys
import time
from pathlib import Path

from measuring import machine, percentile, table
from subjects import CACHE, Navlog, tree

from navlog.daemon.client import ask
from navlog.daemon.home import find_home
from navlog.schemas.wire import ContextArgs, ContextReply

ONCE = 300
ROUNDS = 15
SAVES = 40
HEADING = ("tree", "what", "p50 ms", "p95 ms", "p99 ms", "times")


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "django"
    root = tree(name)
    subject = Navlog(CACHE / "n")
    daemon = subject.start()
    print(machine())
    subject.say("up", str(root))
    home = find_home(subject.env)

    def context(task: str) -> ContextReply:
        return ask(home, "context", ContextReply, ContextArgs(task=task, project=str(root)))

    once = [asked(context, task) for task in tasks(root, ONCE)]
    again = [asked(context, task) for _ in range(ROUNDS) for task in tasks(root)]
    saved = [timed(lambda number=number: save_and_see(root, number, context)) for number in range(SAVES)]
    subject.say("down")
    daemon.wait()
    print(table(HEADING, [
        row(name, "context, asked once", [took for took, _ in once]),
        row(name, "inside the daemon", [inside for _, inside in once]),
        row(name, "context, asked again", [took for took, _ in again]),
        row(name, "inside the daemon", [inside for _, inside in again]),
        row(name, "save -> answer", saved),
    ]))  # fmt: skip


def asked(context: "object", task: str) -> tuple[float, float]:
    """Milliseconds of one question: (for who asks, as the daemon says)."""
    assert callable(context)
    began = time.perf_counter()
    inside = context(task).elapsed_ms
    return (time.perf_counter() - began) * 1000, inside


def tasks(root: Path, count: int = 20) -> list[str]:
    """A sentence from each of so many files spread over the tree: the words of a person at work there."""
    files = sorted(root.rglob("*.py"))
    texts = (file.read_text(errors="replace") for file in files[:: max(1, len(files) // (3 * count))])
    sentences = (line.strip(' #"') for text in texts for line in text.splitlines()[:200])
    long = [sentence for sentence in sentences if 6 <= len(sentence.split()) <= 16 and sentence[0].isupper()]
    return long[:: max(1, len(long) // count)][:count]


def save_and_see(root: Path, number: int, context: "object") -> None:
    """Ends once the answer to a new name is the place where it was written."""
    assert callable(context)
    name = f"zzz_saved_{number}"
    file = root / "zzz_saved.py"
    file.write_text(f"def {name}():\n    return {number}\n")
    while not any(item.symbol == name for item in context(name).items):
        pass


def timed(what: "object") -> float:
    """Milliseconds of one call."""
    assert callable(what)
    began = time.perf_counter()
    what()
    return (time.perf_counter() - began) * 1000


def row(name: str, what: str, values: list[float]) -> list[object]:
    shares = (percentile(values, share) for share in (0.95, 0.99))
    return [name, what, statistics.median(values), *shares, len(values)]


if __name__ == "__main__":
    main()
