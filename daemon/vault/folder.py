"""The vault's folder: pages put in and taken out one by one, each as a whole or not at all.

Every path is opened below the folder's own descriptor and through no link. A page is written beside its place
and renamed into it, only when it differs; a file without our mark is left alone, whatever it is called.
Nothing is fsynced: a page lost by a power cut is written again at the next start.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from navlog.daemon.listener.paths import open_beneath, opened
from navlog.projections.pages.marks import FOLDER_MARK, HEAD_BYTES, bears_mark
from navlog.schemas.errors import Degraded

ENDINGS = (".md", ".base", ".canvas")
Put = Literal["written", "same", "theirs"]
_HALF = ".navlog-half-"  # before its rename; Obsidian shows no file whose name begins with a dot
_SAYS = b"The pages in this folder are written by navlog and can be deleted: they come back.\n"
_TAKEN = (errno.ELOOP, errno.EXDEV, errno.ENOTDIR, errno.EISDIR, errno.ENXIO)


class VaultFolder:
    """``root`` is a real folder of ours once `prepare` has returned."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def prepare(self) -> None:
        """Makes the folder where it is missing and marks it; raises `Degraded` where it cannot be ours."""
        if self.root.is_symlink():
            raise Degraded(f"The vault's folder {self.root} is a link.", hint="Name the folder it leads to.")
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            mark = os.open(
                self.root / FOLDER_MARK, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666
            )
            try:
                if os.fstat(mark).st_size == 0:
                    os.write(mark, _SAYS)
            finally:
                os.close(mark)
        except OSError as fault:
            raise Degraded(
                f"The vault's folder {self.root} cannot be written: {fault.strerror}.",
                hint="Name another one:  [vault] path in the settings",
            ) from fault

    def put(self, path: str, text: str) -> Put:
        """The page now says ``text``; raises OSError when the disk refuses."""
        data = text.encode()
        try:
            with opened(self.root) as root, _parent(root, path, make=True) as (folder, name):
                there = _read(folder, name, max(len(data) + 1, HEAD_BYTES))
                if there == data:
                    return "same"
                if there is not None and not bears_mark(path, there):
                    return "theirs"
                _write(folder, name, data)
        except OSError as fault:
            if fault.errno in _TAKEN:  # a link, or something that is no file, stands in the way
                return "theirs"
            raise
        return "written"

    def take(self, path: str) -> bool:
        """Deletes the page if it is ours, and the folders it leaves empty; whether it was."""
        try:
            with opened(self.root) as root:
                with _parent(root, path) as (folder, name):
                    there = _read(folder, name, HEAD_BYTES)
                    if there is None or not bears_mark(path, there):
                        return False
                    os.unlink(name, dir_fd=folder)
                _prune(root, path)
        except OSError as fault:
            if fault.errno in (*_TAKEN, errno.ENOENT):
                return False
            raise
        return True

    def ours(self) -> Iterator[str]:
        """Every file that bears our mark, and on the way the halves that a crash left are deleted."""
        with opened(self.root) as root:
            top = open_beneath(root, b"", os.O_RDONLY | os.O_DIRECTORY)
            try:
                for where, folders, names, folder in os.fwalk(".", dir_fd=top, follow_symlinks=False):
                    folders[:] = sorted(one for one in folders if not one.startswith("."))
                    for name in sorted(names):
                        path = os.path.normpath(f"{where}/{name}")
                        if name.startswith(_HALF):
                            os.unlink(name, dir_fd=folder)
                        elif name.endswith(ENDINGS) and bears_mark(path, _head(folder, name)):
                            yield path
            finally:
                os.close(top)


def look(folder: VaultFolder) -> tuple[dict[str, str], dict[str, None]]:
    """The texts of our pages, and the other files that are there; raises OSError."""
    ours = {path: (folder.root / path).read_text() for path in folder.ours()}
    there = (one for one in folder.root.rglob("*") if one.suffix in ENDINGS and one.is_file())
    paths = (one.relative_to(folder.root).as_posix() for one in there)
    return ours, dict.fromkeys(sorted(path for path in paths if path not in ours))


def obsidian_root(folder: Path) -> Path:
    """The vault that Obsidian knows: the nearest folder with ``.obsidian``, else the folder itself."""
    return next((one for one in (folder, *folder.parents) if (one / ".obsidian").is_dir()), folder)


@contextmanager
def _parent(root: int, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
    """The folder of ``path`` and the name in it; ``make``: folders that are missing are made."""
    above, _, name = path.rpartition("/")
    if make:
        _make(root, above)
    folder = open_beneath(root, os.fsencode(above), os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield folder, name
    finally:
        os.close(folder)


def _make(root: int, path: str) -> None:
    parts = path.split("/") if path else []
    for at, part in enumerate(parts):
        here = open_beneath(root, os.fsencode("/".join(parts[:at])), os.O_RDONLY | os.O_DIRECTORY)
        try:
            with suppress(FileExistsError):
                os.mkdir(part, dir_fd=here)
        finally:
            os.close(here)


def _prune(root: int, path: str) -> None:
    """Takes away folders that have become empty, the innermost first."""
    while "/" in path:
        path = path.rpartition("/")[0]
        with _parent(root, path) as (folder, name):
            try:
                os.rmdir(name, dir_fd=folder)
            except OSError:
                return  # something is in it


def _head(folder: int, name: str) -> bytes:
    try:
        return _read(folder, name, HEAD_BYTES) or b""
    except OSError:
        return b""  # a link, or unreadable: not ours


def _read(folder: int, name: str, limit: int) -> bytes | None:
    """At most ``limit`` bytes, None where nothing is; raises OSError with a code of `_TAKEN` for no file."""
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.ENXIO, "no regular file")
        pieces, left = [], limit
        while left > 0 and (piece := os.read(descriptor, left)):
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces)
    finally:
        os.close(descriptor)


def _write(folder: int, name: str, data: bytes) -> None:
    half = f"{_HALF}{os.getpid()}"
    with suppress(FileNotFoundError):
        os.unlink(half, dir_fd=folder)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(half, flags, 0o666, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.rename(half, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(half, dir_fd=folder)
        raise
