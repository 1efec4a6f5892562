"""R2: what was acknowledged survives the loss of power. An ext4 in a file is copied while it is written.

The copy is what a disk would hold: without the page cache. The writer stands still while its few megabytes
are copied, so that the copy is of one moment; cuts in the middle of an fsync are `torture.forgetting`'s.
"""

import random
import shutil
import time
from pathlib import Path

from navlog.daemon.journal.storage import AppendFile, RealStorage
from torture.mounts import mounted, new_ext4
from torture.report import Run, Trial
from torture.writers import Writer, broken

FRESH = 20  # images of one file system


class Forgetful(RealStorage):
    """The mutant: everything but fsync of a file."""

    def create(self, path: Path) -> AppendFile:
        return _unsynced(super().create(path))

    def extend(self, path: Path) -> AppendFile:
        return _unsynced(super().extend(path))


def _unsynced(file: AppendFile) -> AppendFile:
    file.fsync = lambda: None  # type: ignore[method-assign]
    return file


def images(run: Run) -> None:
    """The log on each copy holds all that was acknowledged before the copy was begun."""
    for why in _cuts(run, RealStorage()):
        run.check(not why, why)


def without_fsync(run: Run) -> None:
    """A writer that does not fsync must be found out by each image."""
    caught = [bool(why) for why in _cuts(run, Forgetful(), fresh=1)]
    run.check(all(caught), f"a writer without fsync passed {caught.count(False)} of {len(caught)} images")


def _cuts(run: Run, storage: RealStorage, fresh: int = FRESH) -> list[str]:
    """For each cycle what was wrong on the image, "" if nothing."""
    drawn, told = random.Random(2), list[str]()
    image, copy = run.folder / "image", run.folder / "copied"
    cycles = run.cycles()
    for _ in range(0, run.planned, fresh):
        new_ext4(image)
        with (
            mounted(run.folder / "disk", "-o", "loop", image) as disk,
            Writer(disk / "log", "w", storage=storage) as writer,
        ):
            writer.acknowledged(wait_s=10)
            for _ in zip(range(fresh), cycles, strict=False):
                time.sleep(drawn.random() * 0.03)
                told.append(_cut(run, writer, image, copy))
    return told


def _cut(run: Run, writer: Writer, image: Path, copy: Path) -> str:
    writer.stop()
    acknowledged = writer.acknowledged()
    copy.unlink(missing_ok=True)  # a new file: a loop device may still hold the last one, and its cache
    shutil.copyfile(image, copy)
    writer.resume()
    with mounted(run.folder / "copy", "-o", "loop", copy) as disk:
        return "; ".join(broken(disk / "log", acknowledged))


TOOLS = ("mkfs.ext4",)
TRIALS = (
    Trial(
        "R2", "power cuts of an ext4: images copied while it is written", images, 200, 150, TOOLS, root=True
    ),
    Trial(
        "R2", "mutant without fsync, which each image has to catch", without_fsync, 10, 60, TOOLS, root=True
    ),
)
