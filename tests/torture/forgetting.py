"""R2 again, on a file system of our own that forgets at a power cut whatever was not fsynced.

The storage's twin behind a FUSE mount: the journal comes through the kernel, as it does to a disk, and a cut
keeps any prefix of what is pending, in files and in folders alike.
"""

import os
import random
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from navlog.daemon.journal.storage import RealStorage
from torture.power import Forgetful
from torture.report import Run, Trial
from torture.writers import Writer, broken, fork

POWER = "user.power"  # set on the root to cut it; the value seeds what is left, "" leaves nothing
READY_S = 20


def cuts(run: Run) -> None:
    """At random moments of a writer's life."""
    drawn = random.Random(3)
    for cycle in run.cycles():
        with _mounted(run.folder / str(cycle)) as disk:
            acknowledged: list[str] = []
            for life in range(3):
                acknowledged += _life(disk, life, drawn.random() * 0.05, f"{drawn.getrandbits(60)}")
                for told in broken(disk / "log", acknowledged):
                    run.check(holds=False, why=told)


def without_fsync(run: Run) -> None:
    """The mutant has to be caught by each cut."""
    for cycle in run.cycles():
        with _mounted(run.folder / str(cycle)) as disk:
            acknowledged = _life(disk, 0, 0.02, "", storage=Forgetful())
            run.check(bool(broken(disk / "log", acknowledged)), "a writer without fsync passed")


def _life(
    disk: Path, name: object, seconds: float, seed: str, storage: RealStorage | None = None
) -> list[str]:
    with Writer(disk / "log", name, storage=storage) as writer:
        writer.acknowledged(wait_s=10)
        time.sleep(seconds)
        acknowledged = writer.acknowledged()
        os.setxattr(disk, POWER, seed.encode())
    return acknowledged


@contextmanager
def _mounted(folder: Path) -> Iterator[Path]:
    folder.mkdir(parents=True)
    child = fork(lambda: _serve(folder))
    try:
        deadline = time.monotonic() + READY_S
        while not folder.is_mount():
            if time.monotonic() > deadline:
                raise RuntimeError("the file system does not come up")
            time.sleep(0.005)
        yield folder
    finally:
        subprocess.run(["fusermount3", "-u", "-z", str(folder)], check=False, capture_output=True)
        os.waitpid(child, 0)


def _serve(folder: Path) -> None:
    from torture.twin import serve

    serve(folder)


TOOLS = ("fusermount3",)
TRIALS = (
    Trial(
        "R2", "power cuts of a file system that forgets what was not fsynced", cuts, 70, 90, TOOLS, root=True
    ),
    Trial("R2", "mutant without fsync on that file system", without_fsync, 10, 30, TOOLS, root=True),
)
