"""Writers that die: a small program that knows the journal alone, for tests that need processes.

``warm_writer.py kill FOLDER CYCLES``: forks a writer, kills it with SIGKILL after some acknowledgements,
again and again. Each writer first sends again what its predecessor sent last. Prints what was acknowledged:
id, position. ``warm_writer.py race FOLDER COUNT``: forks that many at once; each opens the log, and the one
that can holds it until it is killed, when the next round begins. Prints how many won each round.
"""

import os
import random
import signal
import sys
from pathlib import Path

from navlog.daemon.journal import Journal
from navlog.schemas.errors import AlreadyRunning
from navlog.schemas.settings import Log
from support.journal import gone, open_journal

SETTINGS = Log(segment_bytes=20_000)
WRITERS = 3  # in flight at once
SAID = 16  # bytes of a racer's word, always as many


def main(mode: str, folder: Path, count: int) -> None:
    """The program."""
    (kill if mode == "kill" else race)(folder, count)


def kill(folder: Path, cycles: int) -> None:
    """Each writer is killed by surprise."""
    drawn = random.Random(cycles)
    last: list[str] = []
    for cycle in range(cycles):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            write(folder, writing, cycle, last)
        os.close(writing)
        lines = acknowledged(reading, drawn.randint(1, 12))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        lines += [line for line in rest(reading) if line]
        last = [line.split()[0] for line in lines][-5:]
        print(*lines, sep="\n")


def write(folder: Path, acks: int, cycle: int, last: list[str]) -> None:
    """Appends for ever, and says what was acknowledged, in one write each."""
    journal = open_journal(folder, SETTINGS)
    number = 0
    again = [gone(name) for name in last]
    while True:
        fresh = [gone(f"{cycle}-{number + n}") for n in range(WRITERS)]
        number += WRITERS
        for future, draft in [(journal.append([draft]), draft) for draft in [*again, *fresh]]:
            os.write(acks, f"{draft.id.removeprefix('id-')} {future.result().last}\n".encode())
        again = []


def acknowledged(pipe: int, count: int) -> list[str]:
    """The first ``count`` lines."""
    lines: list[str] = []
    text = b""
    while len(lines) < count:
        text += os.read(pipe, 1)
        if text.endswith(b"\n"):
            lines.append(text.decode().strip())
            text = b""
    return lines


def rest(pipe: int) -> list[str]:
    """What else was said before the end; each line is whole, being written at once."""
    with os.fdopen(pipe, "rb") as file:
        return file.read().decode().splitlines()


def race(folder: Path, count: int) -> None:
    """All at once, then one less each time the holder is killed."""
    reading, writing = os.pipe()
    go_reading, go_writing = os.pipe()
    children = {pid for _ in range(count) if (pid := contend(folder, writing, go_reading))}
    while children:
        os.write(go_writing, b"g" * len(children))
        said = [os.read(reading, SAID).decode().split() for _ in children]
        winners = [int(pid) for word, pid in said if word == "won"]
        print(len(winners), len(said) - len(winners))
        for pid in winners:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            children.discard(pid)


def contend(folder: Path, said: int, go: int) -> int:
    """A process that tries once each round."""
    child = os.fork()
    if child:
        return child
    held: Journal | None = None
    while True:
        os.read(go, 1)
        try:
            held = held or open_journal(folder, SETTINGS)
            held.append([gone(os.getpid())]).result()
            os.write(said, f"won {os.getpid()}".ljust(SAID).encode())
        except AlreadyRunning:
            os.write(said, f"lost {os.getpid()}".ljust(SAID).encode())


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
