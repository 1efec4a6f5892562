"""Folders the kernel does not watch for us, compared with how they were.

Sees what changes a name, a size, a time, a mode or an inode; contents are read by others.
"""

import os

from navlog.daemon.listener.paths import joined

Stats = tuple[int, ...]


def snapshot(root: bytes, folder: bytes, names: list[bytes]) -> dict[bytes, Stats]:
    """The stats of the files ``names`` in ``folder``; those that are gone are left out."""
    at = joined(root, folder)
    found: dict[bytes, Stats] = {}
    for name in names:
        try:
            stats = os.lstat(joined(at, name))
        except OSError:
            continue
        found[name] = (stats.st_mtime_ns, stats.st_size, stats.st_ino, stats.st_mode)
    return found


def differences(before: dict[bytes, Stats], after: dict[bytes, Stats]) -> set[bytes]:
    """The names that came, went or differ."""
    return {name for name, _ in before.items() ^ after.items()}
