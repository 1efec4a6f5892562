"""A long log: how fast it is folded again, and how soon a daemon with it behind answers.

    python benchmarks/replaying.py [events to replay] [events behind a start]

The log's mix: 1% outlines, 8% files observed, 10% commits, 71% measurements of a tool loop, 10% others. It is
written by the journal itself, on a storage that leaves out the fsyncs.
"""

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from measuring import machine, resident_mb, table
from subjects import CACHE, Navlog, tree

from navlog.daemon.client import ask
from navlog.daemon.home import find_home
from navlog.daemon.journal import Journal, RealStorage
from navlog.daemon.journal.storage import AppendFile
from navlog.projections.graph import GraphProjection
from navlog.projections.projector import Projector
from navlog.projections.store import Store
from navlog.schemas.control import StatusReply
from navlog.schemas.envelope import Draft, draft
from navlog.schemas.events import (
    BranchSeen,
    Chunk,
    CommitFile,
    CommitRecorded,
    Event,
    FileObserved,
    OutlineRecorded,
    ProjectRegistered,
    Symbol,
)
from navlog.schemas.nudges import MeasuredPart, TailMeasured
from navlog.schemas.settings import Log, Settings
from navlog.schemas.wire import ContextArgs, ContextReply

REPLAYED, BEHIND = 100_000, 1_000_000
PROJECT = "bench"
HEADING = ("what", "events", "CPU s", "wall s", "events/s of CPU")


class LazyFile:
    """A file whose fsync is left to the kernel."""

    def __init__(self, file: AppendFile) -> None:
        self.append, self.truncate, self.close = file.append, file.truncate, file.close

    def fsync(self) -> None:
        pass


class LazyStorage(RealStorage):
    """The real file system, in no hurry."""

    def create(self, path: Path) -> AppendFile:
        return LazyFile(super().create(path))

    def extend(self, path: Path) -> AppendFile:
        return LazyFile(super().extend(path))


def events(count: int) -> Iterator[Event]:
    """The mix, the same for the same count."""
    for number in range(count):
        share = number % 100
        content = f"{number % 5000:040x}"
        if share < 1:
            yield outline(content, number)
        elif share < 9:
            yield FileObserved(path=path_of(number % 3000), content=content, size=number, mtime_ns=number)
        elif share < 19:
            yield commit(number)
        elif share < 90:
            yield measured(number)
        else:
            yield BranchSeen(ref=f"refs/heads/b{number % 7}", commit=f"{number:040x}")


def path_of(number: int) -> str:
    return f"pkg{number % 40}/module_{number}.py"


def outline(content: str, number: int) -> OutlineRecorded:
    return OutlineRecorded(
        content=content, extractor="bench", language="python", size=4000, lines=150, doc="A module.",
        symbols=[Symbol(f"work_{number}_{one}", "function", one * 10 + 1, one * 10 + 9) for one in range(12)],
        chunks=[Chunk(one * 10 + 1, one * 10 + 9, 90, one) for one in range(12)],
        words={"1": " ".join(f"word{(number + one) % 9000}" for one in range(150)), "3": "self return none"},
    )  # fmt: skip


def commit(number: int) -> CommitRecorded:
    return CommitRecorded(
        commit=f"{number:040x}", parents=[f"{number - 1:040x}"], committed_at="2026-01-01T00:00:00Z",
        author="somebody", subject=f"Change number {number} of the cache", file_count=3,
        files=[CommitFile(path_of((number * 7 + one) % 3000), "M") for one in range(3)],
    )  # fmt: skip


def measured(number: int) -> TailMeasured:
    return TailMeasured(
        session=f"s{number % 50}", u=1000, t=20_000, turn=number % 90 + 1, measured=number + 1,
        parts=[MeasuredPart(f"m{number}#0", -1, 220, "recent")],
    )  # fmt: skip


def write(journal: Journal, count: int) -> None:
    """Registers the project and appends the mix."""
    root = ProjectRegistered(root="/nowhere/bench", name="bench", kind="folder")
    drafts: Iterator[Draft] = (
        draft(event, project=PROJECT, source="bench", id=f"bench-{count}-{number}")
        for number, event in enumerate([root, *events(count)])
    )
    while some := list(islice(drafts, 2000)):
        for one in [journal.append([each]) for each in some]:
            one.result()


def replayed(count: int) -> list[object]:
    """Folding a log from its beginning into new tables and views."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        home = Path(folder)
        with closing(open_log(home / "log")) as journal:
            write(journal, count)
            store = Store(home, Settings().store)
            projector = Projector(GraphProjection(), store, {"events": journal})
            began, cpu = time.perf_counter(), time.process_time()
            projector.catch_up(projector.goal)
            wall, cost = time.perf_counter() - began, time.process_time() - cpu
            store.close()
    return ["replay", count, cost, wall, count / cost]


def started(count: int) -> list[object]:
    """From the start of a daemon to its first answer: Django indexed, ``count`` events behind."""
    subject = Navlog(CACHE / "n")
    root = tree("django")
    daemon = subject.start()
    subject.say("up", str(root))
    subject.say("down")
    daemon.wait()
    with closing(open_log(subject.home / "data" / "log")) as journal:
        write(journal, max(0, count - journal.position))
    daemon = subject.start()  # the tables take the new events in, once
    home = find_home(subject.env)
    while any(one.lag for one in ask(home, "status", StatusReply).projectors):
        time.sleep(1)
    subject.say("down")
    daemon.wait()
    began = time.perf_counter()
    daemon = subject.start()
    ask(home, "context", ContextReply, ContextArgs(task="template loader cache", project=str(root)))
    wall = time.perf_counter() - began
    print(f"resident after the first answer: {resident_mb(daemon.process.pid):.0f} MB")
    subject.say("down")
    cost = daemon.wait()
    return ["start -> answer", count, cost.cpu, wall, "-"]


def open_log(folder: Path) -> Journal:
    return Journal.open(folder, "events", settings=Log(), redact=lambda one: one, storage=LazyStorage())


def main() -> None:
    replays, behind = (int(one) for one in (*sys.argv[1:], REPLAYED, BEHIND)[:2])
    print(machine())
    for measure, count in ((replayed, replays), (started, behind)):
        print(table(HEADING, [measure(count)]), flush=True)
    os.sync()


if __name__ == "__main__":
    main()
