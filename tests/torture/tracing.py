"""strace on a forked writer: faults injected into its system calls, and what it did, line by line."""

import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from torture.report import Run
from torture.writers import Writer

ATTACH_S = 20
ROUNDS = 12  # of a writer's appends, over several segments
INJECTED = "(INJECTED)"
_LINE = re.compile(r"^(?P<thread>\d+) +(?P<text>.*)$")
_RESUMED = re.compile(r"^<\.\.\. \w+ resumed>,?(?P<rest>.*)$")


class Traced(NamedTuple):
    """A writer's end: its acknowledgements, its exit code, its system calls in the order they ended."""

    acknowledged: list[str]
    code: int
    calls: list[str]

    @property
    def injected(self) -> bool:
        """Whether the fault came to pass; without this a wrong path looks like a success."""
        return any(INJECTED in call for call in self.calls)


def prepared(run: Run) -> Path:
    """A log whose writer was killed, with a torn tail: so a start has everything to do."""
    folder = run.folder / "prepared"
    Writer(folder, "before", rounds=4).wait()
    newest = max(folder.glob("events-*.jsonl"))
    with newest.open("ab") as file:
        file.write(b'{"position":')
    return folder


def traced(run: Run, source: Path, expressions: Sequence[str]) -> tuple[Path, Traced]:
    """A copy of the log in ``source``, and a writer on it under strace with ``-e EXPRESSION`` each."""
    folder = run.folder / "log"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder)
    writer = Writer(folder, "under", again=["id-again"], rounds=ROUNDS, held=True)
    output = run.folder / "trace"
    options = [argument for one in expressions for argument in ("-e", one)]
    paths = [argument for path in _paths(folder) for argument in ("-P", str(path))]
    strace = subprocess.Popen(
        ["strace", "-f", "-qq", "-y", "-s", "16", "-o", str(output), *paths, *options, "-p", str(writer.pid)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    with writer:
        _await_tracer(writer.pid)
        writer.go()
        acknowledged, code = writer.wait()
    strace.wait()
    return folder, Traced(acknowledged, code, joined(output.read_text(errors="replace")))


def joined(trace: str) -> list[str]:
    """One line a call, in the order in which they ended; a call that never did stands as it began."""
    begun: dict[str, str] = {}
    calls: list[str] = []
    for line in trace.splitlines():
        match = _LINE.match(line)
        if match is None:
            continue
        thread, text = match["thread"], match["text"]
        if text.endswith(" <unfinished ...>"):
            begun[thread] = text.removesuffix(" <unfinished ...>")
        elif resumed := _RESUMED.match(text):
            calls.append(begun.pop(thread, "") + resumed["rest"])
        else:
            calls.append(text)
    return [*calls, *begun.values()]


def _paths(folder: Path) -> list[Path]:
    """Every name that may be met, absolute: one that does not match looks green."""
    names = ["", "events.anchor", "events.anchor.tmp", "quarantine", "quarantine/copying.tmp", "index"]
    for number in range(1, 12):
        stem = f"events-{number:08}"
        names += [f"{stem}.jsonl", f"index/{stem}.index", f"index/{stem}.index.tmp"]
    return [folder / name if name else folder for name in names]


def _await_tracer(pid: int) -> None:
    deadline = time.monotonic() + ATTACH_S
    while "TracerPid:\t0\n" in Path(f"/proc/{pid}/status").read_text():
        if time.monotonic() > deadline:
            raise RuntimeError("strace does not attach")
        time.sleep(0.002)
