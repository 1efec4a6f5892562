"""The storage seam: the few things the journal asks of a file system, and the real one.

Everything that has to survive goes through here, so that the in-memory twin
(`navlog.daemon.journal.memory`) can stand in and crash at any call. Promises nothing beyond the calls
themselves: what is durable is decided above. Every call may raise OSError.
"""

import ctypes
import errno
import fcntl
import mmap
import os
from pathlib import Path
from typing import Protocol

from navlog.schemas.errors import AlreadyRunning


class Held(Protocol):
    """Something held until it is closed."""

    def close(self) -> None:
        """Lets go; a second call does nothing."""


class AppendFile(Protocol):
    """A file open for appending."""

    def append(self, data: bytes) -> int:
        """Writes at the end in one call; returns how many bytes were taken, which may be fewer."""

    def fsync(self) -> None:
        """Returns once everything appended is durable. After a failure the descriptor is good for nothing."""

    def truncate(self, size: int) -> None:
        """Cuts the file; durable only after the next fsync."""

    def close(self) -> None:
        """Closes; a second call does nothing."""


class Readable(Protocol):
    """The half that only looks. Paths are absolute."""

    def listdir(self, folder: Path) -> list[str]:
        """The names in it, sorted; none when it is missing."""

    def size(self, path: Path) -> int:
        """In bytes."""

    def stamp(self, path: Path) -> int:
        """A number that is another one after the file was changed."""

    def read(self, path: Path, offset: int = 0, size: int | None = None) -> bytes:
        """Fewer bytes than asked for at the end of the file."""

    def view(self, path: Path) -> memoryview:
        """The whole file, mapped where that is possible; also after the file was removed."""


class Storage(Readable, Protocol):
    """Entries of a folder are durable only after `fsync_dir`."""

    def lock(self, folder: Path) -> Held:
        """The folder's one writer; raises `AlreadyRunning` when another holds it."""

    def make_folder(self, folder: Path) -> None:
        """Makes it and its parents, private and durable; one that exists is left alone."""

    def create(self, path: Path) -> AppendFile:
        """A new, private file; FileExistsError when there is one."""

    def extend(self, path: Path) -> AppendFile:
        """The existing file, to be appended to."""

    def rename(self, source: Path, target: Path) -> None:
        """Replaces ``target``; both folders need `fsync_dir`."""

    def remove(self, path: Path) -> None:
        """Takes the entry away."""

    def fsync_dir(self, folder: Path) -> None:
        """Makes the folder's entries durable."""

    def settle(self, path: Path) -> None:
        """Makes the file durable and forgets what is cached of it: what is read from now on is the disk's.

        For a file whose history nobody knows. After a failed fsync the kernel calls the lost pages clean and
        goes on showing them; another fsync succeeds, and only reading the disk tells. They are forgotten even
        where this raises.
        """


class RealStorage:
    """The file system."""

    def lock(self, folder: Path) -> Held:
        """flock on the folder itself: a lock file can be deleted, and would then have two holders."""
        descriptor = _Descriptor(os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
        try:
            fcntl.flock(descriptor.number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            descriptor.close()
            raise AlreadyRunning(
                f"Another process holds the log in {folder}.",
                hint="See which:  navlog status    end it:  navlog down",
            ) from None
        return descriptor

    def make_folder(self, folder: Path) -> None:
        missing = [path for path in (folder, *folder.parents) if not path.exists()]
        for path in reversed(missing):
            path.mkdir(mode=0o700, exist_ok=True)
            self.fsync_dir(path.parent)

    def listdir(self, folder: Path) -> list[str]:
        try:
            return sorted(os.listdir(folder))  # noqa: PTH208 - names are all that is wanted
        except FileNotFoundError:
            return []

    def create(self, path: Path) -> AppendFile:
        return _Descriptor(os.open(path, _APPEND | os.O_CREAT | os.O_EXCL, 0o600))

    def extend(self, path: Path) -> AppendFile:
        return _Descriptor(os.open(path, _APPEND))

    def size(self, path: Path) -> int:
        return path.stat().st_size

    def stamp(self, path: Path) -> int:
        return path.stat().st_mtime_ns

    def read(self, path: Path, offset: int = 0, size: int | None = None) -> bytes:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            wanted = os.fstat(descriptor).st_size - offset if size is None else size
            return os.pread(descriptor, max(wanted, 0), offset)
        finally:
            os.close(descriptor)

    def view(self, path: Path) -> memoryview:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            size = os.fstat(descriptor).st_size
            return _mapped(descriptor, size) if size else memoryview(b"")  # an empty file cannot be mapped
        finally:
            os.close(descriptor)

    def rename(self, source: Path, target: Path) -> None:
        source.replace(target)

    def remove(self, path: Path) -> None:
        path.unlink()

    def fsync_dir(self, folder: Path) -> None:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def settle(self, path: Path) -> None:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)


def append_all(file: AppendFile, data: bytes) -> None:
    """Appends in one call; a short write is a failure, never continued."""
    written = file.append(data)
    if written != len(data):
        raise OSError(errno.ENOSPC, f"short write: {written} of {len(data)} bytes")


def write_whole(storage: Storage, path: Path, data: bytes) -> None:
    """``path`` has this content, all of it or none, and durably so."""
    draft = path.with_name(path.name + ".tmp")
    if draft.name in storage.listdir(path.parent):
        storage.remove(draft)
    file = storage.create(draft)
    try:
        append_all(file, data)
        file.fsync()
    finally:
        file.close()
    storage.rename(draft, path)
    storage.fsync_dir(path.parent)


# Of the kernel's mman.h, the same on every architecture that there are wheels for.
_MAP_FIXED = 0x10
_MAP_FAILED = ctypes.c_void_p(-1).value
_mmap = ctypes.CDLL(None, use_errno=True).mmap
_mmap.restype = ctypes.c_void_p
_mmap.argtypes = (
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_ssize_t,
)


def _mapped(descriptor: int, size: int) -> memoryview:
    """The file in the place of a mapping of Python's own, which goes when nobody looks at it any more.

    Python would keep a descriptor for each mapping (until 3.13), and so one for each sealed segment of a log.
    """
    place = mmap.mmap(-1, size)
    at = ctypes.addressof(ctypes.c_char.from_buffer(place))
    if _mmap(at, size, mmap.PROT_READ, mmap.MAP_SHARED | _MAP_FIXED, descriptor, 0) == _MAP_FAILED:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return memoryview(place).toreadonly()


_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC


class _Descriptor:
    """An open file or folder, closed once."""

    def __init__(self, number: int) -> None:
        self.number = number

    def append(self, data: bytes) -> int:
        return os.write(self.number, data)

    def fsync(self) -> None:
        os.fsync(self.number)

    def truncate(self, size: int) -> None:
        os.ftruncate(self.number, size)

    def close(self) -> None:
        if self.number >= 0:
            number, self.number = self.number, -1
            os.close(number)
