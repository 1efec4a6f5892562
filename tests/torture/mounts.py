"""File systems of our own to break: a tmpfs with a limit, an ext4 in a file."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

IMAGE_BYTES = 16 * 1024 * 1024


def command(*arguments: object) -> None:
    """Runs a program; what it printed is in the error when it fails."""
    done = subprocess.run(list(map(str, arguments)), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, arguments))}: {done.stderr.strip() or done.returncode}")


@contextmanager
def mounted(folder: Path, *what: object) -> Iterator[Path]:
    """``mount WHAT folder``, for as long as it is needed."""
    folder.mkdir(parents=True, exist_ok=True)
    command("mount", *what, folder)
    try:
        yield folder
    finally:
        command("umount", folder)


@contextmanager
def tmpfs(folder: Path, size: str) -> Iterator[Path]:
    """A file system in memory that is soon full."""
    with mounted(folder, "-t", "tmpfs", "-o", f"size={size}", "tmpfs") as place:
        yield place


def new_ext4(image: Path, *more: object) -> None:
    """An empty ext4 with its journal, written out at once so that nothing is done later behind our back.

    ``more``: options of mkfs.ext4.
    """
    image.unlink(missing_ok=True)
    with image.open("wb") as file:
        file.truncate(IMAGE_BYTES)
    command("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0,nodiscard", *more, image)
