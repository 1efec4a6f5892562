"""The storage's twin as a file system of the kernel's: FUSE, one thread, nothing cached.

Imported only by the process that serves it.
"""

import errno
import random
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

from mfusepy import FUSE, FuseOSError, Operations

from navlog.daemon.journal.memory import MemoryStorage
from navlog.daemon.journal.storage import AppendFile
from torture.forgetting import POWER


def serve(folder: Path) -> None:
    """Until it is unmounted."""
    with suppress(RuntimeError):
        FUSE(Twin(), str(folder), foreground=True, nothreads=True, fsname="forgetting")


class Twin(Operations):  # type: ignore[misc]  # the package has no types
    """One thread, so a cut falls between two calls, and a call between two cuts."""

    use_ns = True

    def __init__(self) -> None:
        self.storage = MemoryStorage()
        self.storage.make_folder(Path("/"))
        self.folders = {"/"}
        self.files: dict[int, AppendFile] = {}
        self.last = 0

    def __call__(self, operation: str, *arguments: Any) -> Any:
        try:
            return getattr(self, operation)(*arguments)
        except OSError as fault:
            raise FuseOSError(fault.errno or errno.EIO) from fault

    def init_with_config(self, _connection: Any, config: Any) -> None:
        """The kernel keeps nothing back and remembers nothing."""
        config.direct_io = 1
        config.attr_timeout = config.entry_timeout = config.negative_timeout = 0.0

    def getattr(self, path: str, _fh: int | None = None) -> dict[str, Any]:
        if path in self.folders:
            return {"st_mode": stat.S_IFDIR | 0o700, "st_nlink": 2}
        size = self.storage.size(Path(path))
        return {
            "st_mode": stat.S_IFREG | 0o600, "st_nlink": 1, "st_size": size,
            "st_mtime": self.storage.stamp(Path(path)),
        }  # fmt: skip

    def readdir(self, path: str, _fh: int) -> list[str]:
        return [".", "..", *self.storage.listdir(Path(path))]

    def mkdir(self, path: str, _mode: int) -> int:
        self.storage.make_folder(Path(path))
        self.folders.add(path)
        return 0

    def create(self, path: str, _mode: int, _fi: Any = None) -> int:
        return self._kept(self.storage.create(Path(path)))

    def open(self, path: str, _flags: int) -> int:
        return self._kept(self.storage.extend(Path(path)))

    def read(self, path: str, size: int, offset: int, _fh: int) -> bytes:
        return self.storage.read(Path(path), offset, size)

    def write(self, path: str, data: bytes, offset: int, fh: int) -> int:
        if offset != self.storage.size(Path(path)):
            raise OSError(errno.EOPNOTSUPP, "only at the end")
        return self.files[fh].append(data)

    def truncate(self, path: str, length: int, fh: int | None = None) -> int:
        (self.files[fh] if fh in self.files else self.storage.extend(Path(path))).truncate(length)
        return 0

    def fsync(self, _path: str, _datasync: int, fh: int) -> int:
        self.files[fh].fsync()
        return 0

    def fsyncdir(self, path: str, _datasync: int, _fh: int) -> int:
        self.storage.fsync_dir(Path(path))
        return 0

    def rename(self, old: str, new: str) -> int:
        self.storage.rename(Path(old), Path(new))
        return 0

    def unlink(self, path: str) -> int:
        self.storage.remove(Path(path))
        return 0

    def release(self, _path: str, fh: int) -> int:
        self.files.pop(fh).close()
        return 0

    def setxattr(self, _path: str, name: str, value: bytes, _options: int, _position: int = 0) -> int:
        if name == POWER:
            drawn = random.Random(value) if value else None
            self.storage.cut_power(lambda most: drawn.randint(0, most) if drawn else 0)
        return 0

    def _kept(self, file: AppendFile) -> int:
        self.last += 1
        self.files[self.last] = file
        return self.last
