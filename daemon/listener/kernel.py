"""The seam to the kernel: inotify, and what kind of file system a folder is on.

Decides nothing. Tests put a kernel of their own here and feed it events.
"""

import errno
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Protocol

import inotify_simple
from inotify_simple import flags

# Not MODIFY (a build would flood the queue; CLOSE_WRITE says it once) and not OPEN (nobody's business).
# MASK_ADD: a folder two projects share has one watch. EXCL_UNLINK: a deleted file, still open, is silent.
FOLDER_MASK: int = (
    flags.CREATE | flags.DELETE | flags.MOVED_FROM | flags.MOVED_TO | flags.CLOSE_WRITE | flags.ATTRIB
    | flags.ONLYDIR | flags.DONT_FOLLOW | flags.EXCL_UNLINK | flags.MASK_ADD
)  # fmt: skip
ROOT_MASK: int = FOLDER_MASK | flags.DELETE_SELF | flags.MOVE_SELF
# Others change files there without this kernel seeing it.
_REMOTE = frozenset(
    ("9p", "afs", "ceph", "cifs", "coda", "davfs", "fakeowner", "glusterfs", "gpfs", "lustre", "nfs", "nfs4",
     "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs", "fuse.davfs2", "fuse.glusterfs", "fuse.grpcfuse",
     "fuse.rclone", "fuse.s3fs", "fuse.sshfs", "fuse.vmhgfs-fuse")
)  # fmt: skip


class KernelEvent(NamedTuple):
    """As inotify(7) says it; ``name`` is the file system's bytes."""

    watch: int
    mask: int
    cookie: int
    name: bytes


class Kernel(Protocol):
    """What the listener asks of inotify."""

    def watch(self, folder: bytes, mask: int) -> int:
        """The watch of ``folder``, the same for the same folder; raises OSError."""

    def forget(self, watch: int) -> None:
        """Gives a watch back; one that is gone already is fine."""

    def read(self) -> Iterable[KernelEvent]:
        """What is queued now; never waits."""

    def fileno(self) -> int:
        """Becomes readable when something is queued."""

    def close(self) -> None:
        """Gives everything back."""


class Inotify:
    """One inotify instance."""

    def __init__(self) -> None:
        self._inotify = inotify_simple.INotify(nonblocking=True)

    def watch(self, folder: bytes, mask: int) -> int:
        return int(self._inotify.add_watch(folder, mask))

    def forget(self, watch: int) -> None:
        try:
            self._inotify.rm_watch(watch)
        except OSError:
            return  # the folder is gone, and its watch with it

    def read(self) -> list[KernelEvent]:
        events = self._inotify.read(timeout=0)
        return [KernelEvent(e.wd, e.mask, e.cookie, os.fsencode(e.name)) for e in events]

    def fileno(self) -> int:
        return int(self._inotify.fileno())

    def close(self) -> None:
        self._inotify.close()


class NoInotify:
    """Stands in where the kernel gives no instance: nothing can be watched, so everything is polled."""

    def __init__(self) -> None:
        self._never = os.eventfd(0, os.EFD_CLOEXEC)

    def watch(self, folder: bytes, mask: int) -> int:  # noqa: ARG002 - nothing is watched
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), folder)

    def forget(self, watch: int) -> None:
        """Nothing was given."""

    def read(self) -> list[KernelEvent]:
        return []

    def fileno(self) -> int:
        return self._never

    def close(self) -> None:
        os.close(self._never)


def remote_kind(folder: Path, mounts: Path = Path("/proc/self/mountinfo")) -> str:
    """The name of a file system on which others' changes are not announced (network, VM share); else ""."""
    try:
        lines = mounts.read_bytes().splitlines()
    except OSError:
        return ""
    kind, depth = "", -1
    for line in lines:
        before, _, after = line.partition(b" - ")
        point = Path(os.fsdecode(_unescaped(before.split(b" ")[4])))
        # A later mount on the same point covers the earlier one.
        if folder.is_relative_to(point) and len(point.parts) >= depth:
            kind, depth = after.split(b" ")[0].decode(), len(point.parts)
    return kind if kind in _REMOTE else ""


def _unescaped(field: bytes) -> bytes:
    return re.sub(rb"\\([0-7]{3})", lambda m: bytes([int(m[1], 8)]), field)
