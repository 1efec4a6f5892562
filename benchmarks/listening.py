"""How fast what happens in a worktree is known, and what listening costs.

    python benchmarks/listening.py [REPEATS]

Storms go through a daemon of its own; a save and the watches are measured in this process, with a real
journal. One batch for a checkout and for a rebase is checked, not only timed.
"""

import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path

import msgspec
from measuring import machine, median, percentile, resident_mb, table
from subjects import CACHE, Navlog

from navlog.daemon.client import ask
from navlog.daemon.home import find_home
from navlog.daemon.journal import Journal
from navlog.daemon.listener import Listener
from navlog.daemon.recorder.recorder import Recorder
from navlog.daemon.recorder.worktree import Said
from navlog.schemas.control import Indexed, ProjectAdd, ProjectInfo, ProjectName, SqlArgs, SqlReply
from navlog.schemas.settings import Settings

CREATES = 20_000
CHECKOUT = 5_000
COMMITS = 50
SAVES = 300
FOLDERS = 10_000
PATIENCE_S = 120.0
GIT = ("git", "-c", "user.name=n", "-c", "user.email=e@x", "-c", "init.defaultBranch=main", "-c", "gc.auto=0")


class Storm:
    """A repository, a daemon that knows it, and what the daemon's log says of it."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.root = CACHE / "work" / "storm"
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.mkdir(parents=True)
        self.git("init", "-q")
        self.write(files)
        self.commit("first")

    def listen(self) -> None:
        """From here on a daemon listens."""
        self.subject = Navlog(CACHE / "n")
        self.daemon = self.subject.start()
        self.home = find_home(self.subject.env)
        self.id = ask(self.home, "project-add", ProjectInfo, ProjectAdd(path=str(self.root))).id
        ask(self.home, "indexed", Indexed, ProjectName(project=self.id))
        self.position = self.one("SELECT max(position) FROM events")

    def one(self, query: str) -> int:
        """The one number that ``query`` gives."""
        return int(ask(self.home, "sql", SqlReply, SqlArgs(query=query)).rows[0][0] or 0)

    def until(self, query: str, wanted: int) -> float:
        """Seconds until ``query`` gives ``wanted``."""
        began = time.monotonic()
        while self.one(query) != wanted:
            if time.monotonic() - began > PATIENCE_S:
                raise TimeoutError(query)
            time.sleep(0.02)
        return time.monotonic() - began

    def batches(self) -> list[int]:
        """The sizes of the atomic batches since `listen`, outlines left out."""
        logs = sorted(self.home.log.glob("events-*.jsonl"))
        records = [msgspec.json.decode(line) for log in logs for line in log.read_bytes().splitlines()]
        mine = [r for r in records if r.get("project") == self.id and r["position"] > self.position]
        facts = [record for record in mine if record["type"] != "outline_recorded"]
        return [record["batch"][1] if record.get("batch") else 1 for record in facts if _leads(record)]

    def end(self) -> None:
        """Stops the daemon."""
        self.subject.say("down")
        self.daemon.wait()

    def write(self, files: Mapping[str, str]) -> None:
        for path, text in files.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text)

    def git(self, *arguments: str) -> None:
        subprocess.run([*GIT, "-C", str(self.root), *arguments], check=True, stdout=subprocess.DEVNULL)

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)


def _leads(record: Mapping[str, object]) -> bool:
    batch = record.get("batch")
    return not isinstance(batch, list) or batch[0] == 1


def creates() -> list[float]:
    """Seconds the storm took, and from its end until every path is known and hashed."""
    storm = Storm({"a.py": "a = 1\n"})
    storm.listen()
    files = {f"d{n % 200}/f{n}.py": f"def f{n}():\n    return {n}\n" for n in range(CREATES)}
    began = time.monotonic()
    storm.write(files)
    took = time.monotonic() - began
    known = storm.until(_files(storm.id), CREATES + 1)
    storm.end()
    return [took, known]


def checkout() -> list[float]:
    """The same for a checkout; and the number of batches."""
    storm = Storm({f"d{n % 100}/f{n}.py": f"a = {n}\n" for n in range(CHECKOUT)})
    storm.git("checkout", "-qb", "side")
    storm.write({f"d{n % 100}/f{n}.py": f"b = {n}\n" for n in range(CHECKOUT)})
    storm.commit("all of them")
    storm.git("checkout", "-q", "main")
    return _at_a_stroke(storm, lambda: storm.git("checkout", "-q", "side"))


def rebase() -> list[float]:
    """The same for a rebase of many commits."""
    storm = Storm({"a.py": "a = 1\n"})
    storm.git("checkout", "-qb", "side")
    for n in range(COMMITS):
        storm.write({f"f{n}.py": f"a = {n}\n"})
        storm.commit(f"side {n}")
    storm.git("checkout", "-q", "main")
    storm.write({"mine.py": "a = 2\n"})
    storm.commit("mine")
    storm.git("checkout", "-q", "side")
    return _at_a_stroke(storm, lambda: storm.git("rebase", "-q", "main"))


def _at_a_stroke(storm: Storm, act: Callable[[], None]) -> list[float]:
    storm.listen()
    began = time.monotonic()
    act()
    took = time.monotonic() - began
    known = storm.until(_moved(storm), 1)
    time.sleep(2.0)
    largest = [size for size in storm.batches() if size > 1]
    storm.end()
    return [took, known, float(len(largest))]


def _files(project: str) -> str:
    return f"SELECT count(*) FROM files WHERE project = '{project}'"  # noqa: S608 - an id of ours


def _moved(storm: Storm) -> str:
    return (
        "SELECT count(*) FROM events WHERE type = 'head_moved'"  # noqa: S608 - an id of ours
        f" AND position > {storm.position} AND project = '{storm.id}'"
    )


class Silent:
    """No outline ever comes: what a save's event costs is measured alone."""

    def submit(self, _path: str, _data: bytes) -> Future[bytes]:
        return Future()


def saves() -> list[float]:
    """Milliseconds from the end of a write until its event is fsynced: p50, p95."""
    root, folder = CACHE / "work" / "saves", CACHE / "work" / "saves-log"
    for each in (root, folder):
        shutil.rmtree(each, ignore_errors=True)
        each.mkdir(parents=True)
    settings = Settings()
    journal = Journal.open(folder, "events", settings=settings.log, redact=lambda draft: draft)
    recorder = Recorder(
        journal, Silent(), "none", settings, new_id=lambda: uuid.uuid4().hex, now_ns=time.time_ns
    )
    listener = Listener(recorder.hint, settings.listen)
    listener.add("p", root)
    recorder.add("p", root, Said())
    recorder.settle("p", 10)
    waited = []
    for number in range(SAVES):
        before = journal.position
        (root / "a.py").write_text(f"a = {number}\n")
        began = time.monotonic()
        assert journal.wait(before, 10) > before
        waited.append((time.monotonic() - began) * 1000)
        time.sleep(0.03)
    listener.close()
    recorder.close()
    journal.close()
    return [median(waited), percentile(waited, 0.95)]


def watches() -> list[float]:
    """Seconds until that many folders are watched, of which the processor worked; the memory in MB."""
    root = CACHE / "work" / "folders"
    shutil.rmtree(root, ignore_errors=True)
    for n in range(FOLDERS // 100):
        for m in range(99):
            (root / f"d{n}" / f"e{m}").mkdir(parents=True)
    listener = Listener(lambda _: None, Settings().listen)
    before = resident_mb(_own())
    began, busy = time.monotonic(), time.process_time()
    listener.add("p", root)
    took, worked = time.monotonic() - began, time.process_time() - busy
    grown = resident_mb(_own()) - before
    coverage = listener.coverage()["p"]
    listener.close()
    return [took, worked, grown, float(coverage.watched), float(coverage.polled)]


def _own() -> int:
    return int(Path("/proc/self").resolve().name)


ROWS: tuple[tuple[str, tuple[str, ...], Callable[[], list[float]]], ...] = (
    (f"{CREATES:,} creates", ("the storm, s", "known and hashed after it, s"), creates),
    (f"checkout of {CHECKOUT:,}", ("the checkout, s", "known after it, s", "batches"), checkout),
    (f"rebase of {COMMITS} commits", ("the rebase, s", "known after it, s", "batches"), rebase),
    ("save to durable event", ("p50 ms", "p95 ms"), saves),
    (f"{FOLDERS:,} folders", ("s", "CPU s", "MB", "watched", "polled"), watches),
)


def main() -> None:
    """Prints the table; each figure is the median of the repeats."""
    repeats = int(sys.argv[1]) if sys.argv[1:] else 3
    print(machine())
    rows: list[list[object]] = []
    for name, heads, measure in ROWS:
        runs = [measure() for _ in range(repeats)]
        rows += [[name, head, median([run[at] for run in runs])] for at, head in enumerate(heads)]
    print(table(("what", "figure", "median"), rows), flush=True)


if __name__ == "__main__":
    main()
