"""Which file system a path lies on, as the kernel's mount table says.

Refuses to guess: a table that cannot be read gives "".
"""

import os
import re
from pathlib import Path

MOUNTINFO = Path("/proc/self/mountinfo")
# Locks and rename are weaker there than the log needs, and inotify does not see what other machines write.
NETWORK = frozenset(
    {"9p", "afs", "ceph", "cifs", "drvfs", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2",
     "orangefs", "smb3", "smbfs", "vboxsf", "fuse.glusterfs", "fuse.gcsfuse", "fuse.rclone", "fuse.s3fs",
     "fuse.sshfs", "fuse.vmhgfs-fuse"}
)  # fmt: skip
_OCTAL = re.compile(rb"\\([0-7]{3})")


def file_system(path: Path, table: bytes | None = None) -> str:
    """The type of the file system ``path`` lies on, e.g. "ext4"; the deepest and latest mount wins."""
    if table is None:
        try:
            table = MOUNTINFO.read_bytes()
        except OSError:
            return ""
    wanted = os.fsencode(path.resolve())
    best, kind = -1, b""
    for line in table.splitlines():
        mounted, type_ = _entry(line)
        if len(mounted) >= best and _covers(mounted, wanted):
            best, kind = len(mounted), type_
    return kind.decode(errors="replace")


def is_network(kind: str) -> bool:
    """Whether a file system of this type lies on another machine."""
    return kind in NETWORK


def _entry(line: bytes) -> tuple[bytes, bytes]:
    """(mount point, type) of one line: proc(5), mountinfo; the type follows the lone hyphen."""
    before, _, after = line.partition(b" - ")
    fields, rest = before.split(b" "), after.split(b" ")
    if len(fields) < 5:
        return b"", b""
    return _OCTAL.sub(lambda m: bytes([int(m[1], 8)]), fields[4]), rest[0]


def _covers(mounted: bytes, wanted: bytes) -> bool:
    return bool(mounted) and (wanted == mounted or wanted.startswith(mounted.rstrip(b"/") + b"/"))
