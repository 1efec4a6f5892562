"""Two folders change places in one step: renameat2(2) with RENAME_EXCHANGE, which Python does not offer."""

import ctypes
import errno
import os
from pathlib import Path

from navlog.schemas.errors import Degraded

AT_FDCWD = -100
RENAME_EXCHANGE = 2  # linux/fs.h
UNABLE = {errno.EINVAL, errno.ENOSYS, errno.EBUSY, errno.EXDEV}


def exchange(one: Path, other: Path) -> None:
    """Each path names what the other did; raises `Degraded` where the file system cannot, else OSError."""
    call = ctypes.CDLL(None, use_errno=True).renameat2
    if call(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), RENAME_EXCHANGE) == 0:
        return
    number = ctypes.get_errno()
    fault = OSError(number, os.strerror(number), str(other))
    if number in UNABLE:
        raise Degraded(
            f"{other} cannot change places with another folder in one step: {fault.strerror}.",
            hint="Move the folder to a local disk, as a folder and not as a mount point.",
        ) from fault
    raise fault
