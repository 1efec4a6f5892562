"""What a save costs until a prompt can be told of it, and what a prompt waits for, in a real daemon.

    python benchmarks/changes.py [django] [--saves N] [--rounds N]

Each save changes one source file drawn from the tree: two of three a body, the third a signature. It can be
told once its record is in the queue (`msu-tail`); whether the next prompt is told of it is looked at, too. A
prompt is a new session's, so nothing is known and nothing is kept; its clock stops with the reply over the
warm socket, fsync included. Slicing alone is the daemon's own histogram.
"""

import argparse
import random
import re
import socket
import time
from pathlib import Path

from answering import row, tasks
from measuring import machine, percentile, table
from subjects import CACHE, Navlog, tree

from navlog.daemon.client import ask
from navlog.daemon.home import Home, find_home
from navlog.schemas.giving import GiveArgs, GiveReply
from navlog.schemas.queue import MsuTailArgs, MsuTailReply

PAUSE_S = 0.5  # between two saves: a person's or an agent's pace, not a checkout
WAIT_S = 20.0
BODY = re.compile(r"^( +)return ", re.MULTILINE)
SIGNATURE = re.compile(r"^(def \w+\([^()\n]+)(\):)$", re.MULTILINE)
HEADING = ("tree", "what", "p50 ms", "p95 ms", "p99 ms", "times")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("tree", nargs="?", default="django")
    parser.add_argument("--saves", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=25)
    args = parser.parse_args()
    root = tree(args.tree)
    subject = Navlog(CACHE / "c")
    daemon = subject.start()
    print(machine())
    subject.say("up", str(root))
    home = find_home(subject.env)
    files = drawn(root, args.saves)
    before = prompts(home, root, args.rounds, "a")
    saved = [save(home, root, file, number) for number, file in enumerate(files)]
    after = prompts(home, root, args.rounds, "b")
    counts = histogram(home, "navlog_slicing_seconds")
    subject.say("down")
    daemon.wait()
    told = sum(is_told for _, is_told in saved)
    print(table(HEADING, [
        row(args.tree, "save -> can be told", [took for took, _ in saved]),
        row(args.tree, "a prompt, nothing changed lately", before),
        row(args.tree, "a prompt after these saves", after),
    ]))  # fmt: skip
    print(f"the next prompt that named the file was told of it: {told} of {len(saved)}")
    print(f"over 50 ms: {sum(one > 50 for one in after)} of {len(after)}; most {percentile(after, 1):.0f} ms")
    print("slicing: " + "; ".join(f"{share:.1%} within {bound:g} s" for bound, share in counts))


def drawn(root: Path, count: int) -> list[Path]:
    """Source files that can be changed, the same ones for the same tree."""
    sources = [file for file in sorted(root.rglob("*.py")) if "tests" not in file.parts]
    random.Random(9).shuffle(sources)
    found = (file for file in sources if BODY.search(file.read_text()) and SIGNATURE.search(file.read_text()))
    return [file for file, _ in zip(found, range(count), strict=False)]


def save(home: Home, root: Path, file: Path, number: int) -> tuple[float, bool]:
    """(milliseconds until its record is in the queue, whether a prompt that names the file is told of it)."""
    time.sleep(PAUSE_S)
    path = str(file.relative_to(root))
    after = ask(home, "msu-tail", MsuTailReply, MsuTailArgs(project=str(root))).after
    text = changed(file.read_text(), number)
    began = time.perf_counter()
    file.write_text(text)
    args = MsuTailArgs(project=str(root), after=after, wait_s=WAIT_S)
    while path not in [line.path for line in ask(home, "msu-tail", MsuTailReply, args).msus]:
        assert time.perf_counter() - began < WAIT_S
    took = (time.perf_counter() - began) * 1000
    block = given(home, root, f"save-{number}", f"what was changed in {path}")
    return took, f"- {path}:" in block.partition("# Where to look")[0]


def changed(text: str, number: int) -> str:
    """Another body, or another signature."""
    if number % 3 == 2:
        return SIGNATURE.sub(rf"\1, saved_{number}=None\2", text, count=1)
    return BODY.sub(rf"\1saved = {number}\n\1return ", text, count=1)


def prompts(home: Home, root: Path, rounds: int, name: str) -> list[float]:
    """Milliseconds of each prompt."""
    took = []
    for round_ in range(rounds):
        for number, task in enumerate(tasks(root)):
            began = time.perf_counter()
            given(home, root, f"{name}-{round_}-{number}", task)
            took.append((time.perf_counter() - began) * 1000)
    return took


def given(home: Home, root: Path, session: str, task: str) -> str:
    args = GiveArgs(
        task=task, project=str(root), session=session, host="claude-code", moment="prompt", wait_ms=5000
    )
    return ask(home, "give", GiveReply, args).block


def histogram(home: Home, name: str) -> list[tuple[float, float]]:
    """(bound in seconds, share within it)."""
    with socket.socket(socket.AF_UNIX) as channel:
        channel.connect(str(home.socket))
        channel.sendall(b"GET /metrics HTTP/1.1\r\nHost: navlog\r\nConnection: close\r\n\r\n")
        page = b"".join(iter(lambda: channel.recv(65536), b"")).decode()
    counts = [
        (float(bound), float(count))
        for bound, count in re.findall(rf'^{name}_bucket{{le="([^"]+)"}} (\S+)$', page, re.MULTILINE)
    ]
    return [(bound, count / counts[-1][1]) for bound, count in counts if count]


if __name__ == "__main__":
    main()
