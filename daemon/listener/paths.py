"""Reading inside a project and nowhere else.

Refuses to follow any link, to leave the root, and to open anything but a regular file: a path is first
resolved without being opened (``O_PATH``), so a FIFO's writer is not woken and a device is not touched.
The kernel resolves with openat2(2) (Linux 5.6); where it refuses, the path is walked part by part.
"""

import ctypes
import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from navlog.schemas.names import text_to_name

Skip = Literal["fifo", "socket", "device", "link", "unreadable", "too_large", "repository"]

_OPENAT2 = 437  # the same on every architecture
_BENEATH = 0x08 | 0x04 | 0x02  # RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS, RESOLVE_NO_MAGICLINKS
_ALWAYS = os.O_NOFOLLOW | os.O_CLOEXEC
PIECE_BYTES = 64 * 1024  # at least; a buffer of the limit would cost more than the reading
_READ = os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK
_ABSENT = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.ENXIO)
_ESCAPES = (errno.ELOOP, errno.EXDEV)
_libc = ctypes.CDLL(None, use_errno=True)


class Read(msgspec.Struct, frozen=True, kw_only=True):
    """What is at a path: ``data``, or a ``skip`` with its ``detail``, or neither: no file is there.

    ``size`` is in bytes. The stats were taken before the bytes: a write in between shows as a difference
    the next time.
    """

    data: bytes | None = None
    skip: Skip | None = None
    detail: str = ""
    size: int = 0
    mtime_ns: int = 0
    executable: bool = False

    @property
    def absent(self) -> bool:
        """No file of the project is there."""
        return self.data is None and self.skip is None


class _How(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


_HOW_BYTES = ctypes.sizeof(_How)


def read_inside(root: Path, path: str, limit: int) -> Read:
    """The file ``path`` (relative, as in events) of the project at ``root``, of at most ``limit`` bytes."""
    name = text_to_name(path)
    if b"\0" in name:
        return Read()
    try:
        with opened(root) as folder:
            return _read(folder, name, limit)
    except OSError as fault:
        return _refused(fault)


def blob_id(data: bytes) -> str:
    """git's id of ``data`` as a blob, as ``git hash-object`` prints it in a SHA-1 repository."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def joined(*parts: bytes) -> bytes:
    """A path of its parts; empty ones do not count."""
    return b"/".join(filter(None, parts))


def skip_of(mode: int) -> Skip | None:
    """Why something of this ``st_mode`` is not read; None for a regular file."""
    if stat.S_ISREG(mode):
        return None
    kinds: tuple[tuple[bool, Skip], ...] = (
        (stat.S_ISLNK(mode), "link"),
        (stat.S_ISFIFO(mode), "fifo"),
        (stat.S_ISSOCK(mode), "socket"),
        (stat.S_ISCHR(mode) or stat.S_ISBLK(mode), "device"),
    )
    return next((skip for holds, skip in kinds if holds), None)


@contextmanager
def opened(root: Path) -> Iterator[int]:
    """A descriptor of the folder ``root``, good for `open_beneath`."""
    descriptor = os.open(root, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def open_beneath(folder: int, path: bytes, flags: int) -> int:
    """A descriptor of ``path`` under ``folder``; raises OSError, ELOOP or EXDEV where it would leave."""
    found = _libc.syscall(_OPENAT2, folder, path or b".", _how(flags), _HOW_BYTES)
    if found >= 0:
        return int(found)
    code = ctypes.get_errno()
    # ENOSYS: an old kernel; EPERM: a sandbox's filter; EAGAIN: a rename raced with the lookup.
    if code in (errno.ENOSYS, errno.EPERM, errno.EAGAIN):
        return walk_beneath(folder, path, flags)
    raise OSError(code, os.strerror(code))


@cache
def _how(flags: int) -> "ctypes._CArgObject":
    """Made once: the kernel only reads it."""
    return ctypes.byref(_How(flags | _ALWAYS, 0, _BENEATH))


def walk_beneath(folder: int, path: bytes, flags: int) -> int:
    """`open_beneath` without openat2: every part is opened on its own, none of them a link."""
    parts = path.split(b"/") if path else [b"."]
    if b".." in parts or b"" in parts:
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
    here = os.dup(folder)
    for at, part in enumerate(parts, start=1):
        step = flags if at == len(parts) else os.O_PATH | os.O_DIRECTORY
        try:
            here, before = os.open(part, step | _ALWAYS, dir_fd=here), here
        except NotADirectoryError:
            link = stat.S_ISLNK(os.stat(part, dir_fd=here, follow_symlinks=False).st_mode)
            os.close(here)
            raise OSError(*(_pair(errno.ELOOP if link else errno.ENOTDIR))) from None
        except OSError:
            os.close(here)
            raise
        os.close(before)
    return here


def _read(folder: int, path: bytes, limit: int) -> Read:
    found = open_beneath(folder, path, os.O_PATH)
    try:
        mode = os.fstat(found).st_mode
    finally:
        os.close(found)
    if not stat.S_ISREG(mode):
        return Read(skip=skip_of(mode))
    return _contents(open_beneath(folder, path, _READ), limit)


def _contents(descriptor: int, limit: int) -> Read:
    try:
        stats = os.fstat(descriptor)
        if not stat.S_ISREG(stats.st_mode):  # it was swapped between the two looks
            return Read(skip=skip_of(stats.st_mode))
        data = None if stats.st_size > limit else _bounded(descriptor, stats.st_size, limit)
        return Read(
            data=data,
            skip="too_large" if data is None else None,
            detail=f"more than {limit} bytes" if data is None else "",
            size=stats.st_size if data is None else len(data),
            mtime_ns=stats.st_mtime_ns,
            executable=bool(stats.st_mode & stat.S_IXUSR),
        )
    finally:
        os.close(descriptor)


def _bounded(descriptor: int, size: int, limit: int) -> bytes | None:
    """All of a file that had ``size`` bytes a moment ago; None: it has more than ``limit`` by now."""
    pieces, left = [], limit + 1
    while left > 0:
        wanted = min(left, max(size + 1, PIECE_BYTES))
        piece = os.read(descriptor, wanted)
        pieces.append(piece)
        left -= len(piece)
        # Short, and all there was a moment ago: the end, which need not be asked for again.
        if not piece or (len(piece) < wanted and limit + 1 - left >= size):
            break
    return b"".join(pieces) if left > 0 else None


def _refused(fault: OSError) -> Read:
    if fault.errno in _ABSENT:
        return Read()
    if fault.errno in _ESCAPES:
        return Read(skip="link", detail="leads out of the project or through a link")
    return Read(skip="unreadable", detail=fault.strerror or "")


def _pair(code: int) -> tuple[int, str]:
    return code, os.strerror(code)
