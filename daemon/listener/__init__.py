"""Listening: which files a project has, and when to look at them again.

inotify is a hint, a scan is the truth. Reads names, stats and ignore rules of its own accord, contents only
when asked (`read_inside`); appends nothing, and writes nothing into a watched folder.
"""

from navlog.daemon.listener.git import Git, Head
from navlog.daemon.listener.hints import Coverage, Hint
from navlog.daemon.listener.identity import ProjectIdentity, identify
from navlog.daemon.listener.listener import Listener
from navlog.daemon.listener.paths import Read, blob_id, read_inside
from navlog.daemon.listener.scan import Scan, Seen, scan

__all__ = [
    "Coverage", "Git", "Head", "Hint", "Listener", "ProjectIdentity", "Read", "Scan", "Seen", "blob_id",
    "identify", "read_inside", "scan",
]  # fmt: skip
