"""R8 on a disk that refuses data: an ext4 in an image with holes, on a tmpfs that has no room for them.

Its journal goes through, so the file system lives on, as on a thin volume that is full. After the failed
fsync the kernel calls the next one a success and goes on showing what the disk never got; each cycle sees to
it that this happened before the log is opened again. Refused is the header of a new segment: a request that
is taken in part (lines behind others in one block) a loop device calls a success at once.
"""

import errno
import os
from contextlib import suppress
from itertools import groupby
from pathlib import Path

from navlog.daemon.journal.storage import AppendFile, RealStorage
from support.journal import gone
from torture.mounts import IMAGE_BYTES, command, mounted, new_ext4, tmpfs
from torture.report import Run, Trial
from torture.writers import apart, broken, opened

BLOCK = 4096
MARK = bytes([0xAB]) * BLOCK  # what a block holds that is going to be a hole
SEGMENT = "events-00000001.jsonl"


class Mortal(RealStorage):
    """Room is over when a segment is made, and the process is killed right after the failed fsync."""

    def __init__(self, ballast: Path) -> None:
        self.ballast = ballast

    def create(self, path: Path) -> AppendFile:
        if path.name != SEGMENT:
            return super().create(path)
        _fill(self.ballast, bytes(BLOCK))
        return _mortal(super().create(path))


def _mortal(file: AppendFile) -> AppendFile:
    really = file.fsync

    def fsync() -> None:
        try:
            really()
        except OSError as fault:
            os._exit(fault.errno or errno.EIO)

    file.fsync = fsync  # type: ignore[method-assign]
    return file


def a_refused_header(run: Run) -> None:
    """The next start does not build upon what only the cache still shows."""
    for cycle in run.cycles():
        with tmpfs(run.folder / str(cycle), str(2 * IMAGE_BYTES)) as small:
            image, place = small / "image", run.folder / "disk"
            _with_holes(image, place)
            with mounted(place, "-o", "loop", image) as disk:
                _refused(run, disk / "log", small / "ballast")
                apart(lambda: _append(disk / "log"))
            with mounted(place, "-o", "loop", image) as disk:  # and without any cache
                for told in broken(disk / "log", ["id-first"]):
                    run.check(holds=False, why=told)


def _refused(run: Run, folder: Path, ballast: Path) -> None:
    with suppress(RuntimeError):  # says that the child was killed
        apart(lambda: _append(folder, Mortal(ballast)))
        run.check(holds=False, why="nothing was refused")
    again = os.open(folder / SEGMENT, os.O_WRONLY)
    os.fsync(again)
    os.close(again)
    run.check(b'"segment":1' in (folder / SEGMENT).read_bytes(), "the cache does not show what was refused")
    ballast.unlink()


def _append(folder: Path, storage: RealStorage | None = None) -> bool:
    journal = opened(folder, storage)
    journal.append([gone("first")]).result()
    journal.close()
    return True


def _with_holes(image: Path, place: Path) -> None:
    """An ext4 whose free blocks have nothing behind them, and all others have."""
    new_ext4(image, "-b", BLOCK)
    with mounted(place, "-o", "loop", image) as disk:
        _fill(disk / "marks", MARK)
        (disk / "marks").unlink()
    content = image.read_bytes()
    image.write_bytes(content)
    marked = groupby(range(0, len(content), BLOCK), key=lambda at: content[at : at + BLOCK] == MARK)
    for hole, blocks in ((hole, list(blocks)) for hole, blocks in marked):
        if hole:
            command("fallocate", "-p", "-o", blocks[0], "-l", len(blocks) * BLOCK, image)


def _fill(path: Path, block: bytes) -> None:
    """Writes until there is no room."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT)
    with suppress(OSError):
        while os.write(descriptor, block):
            pass
    with suppress(OSError):
        os.fsync(descriptor)
    os.close(descriptor)


TRIALS = (
    Trial(
        "R8", "a disk refuses a header, the cache goes on showing it", a_refused_header, 10, 30,
        ("mkfs.ext4",), root=True,
    ),
)  # fmt: skip
