"""A secret out of a whole data home: the logs, quarantine, backups, what is derived, spool, the daemon's log.

The daemon ends first, since its memory and its tables hold what the logs hold, and comes back afterwards.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from navlog.daemon.home import Home
from navlog.daemon.journal import RealStorage
from navlog.daemon.journal.layout import LOGS
from navlog.daemon.journal.recovery import recover
from navlog.daemon.journal.shredding import Taken, shred_folder
from navlog.daemon.journal.storage import write_whole
from navlog.daemon.launch import ensure_daemon, stop_daemon
from navlog.daemon.redact.shred import Secret
from navlog.schemas.errors import DaemonAway


class ShredReply(msgspec.Struct, frozen=True, kw_only=True):
    """``folders``: what was taken, by folder; ``others``: further files that held it."""

    folders: dict[str, Taken]
    others: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        """Whether the secret was anywhere."""
        return bool(self.others) or any(taken.files for taken in self.folders.values())


def shred_home(home: Home, secret: Secret, backups: Sequence[Path] = ()) -> ShredReply:
    """Takes ``secret`` out of ``home`` and of ``backups``.

    Raises what `shred_folder` and the journal's recovery raise; the folders before the faulty one are done.
    """
    folders: dict[str, Taken] = {}
    with stopped(home):
        if home.log.is_dir():
            with closing(RealStorage().lock(home.log)):
                folders[str(home.log)] = _log(home, secret)
        for folder in backups:
            folders[str(folder)] = shred_folder(folder, secret)
        kept = [*home.data.glob("daemon.*"), *(path for path in home.spool.rglob("*") if path.is_file())]
        others = tuple(str(path) for path in sorted(kept) if _rewritten(path, secret))
    return ShredReply(folders=folders, others=others)


@contextmanager
def stopped(home: Home) -> Iterator[None]:
    """No daemon runs meanwhile; one that did is started again (systemd does that by itself)."""
    try:
        stopping = stop_daemon(home)
    except DaemonAway:
        yield
        return
    try:
        yield
    finally:
        if not stopping.activated:
            ensure_daemon(home, os.environ)


def _log(home: Home, secret: Secret) -> Taken:
    storage = RealStorage()
    for log in LOGS:
        recover(storage, home.log, log, 0)  # a torn tail goes to quarantine first
    return shred_folder(home.log, secret, storage=storage, before=lambda: _drop(home.derived))


def _drop(derived: Path) -> None:
    """Before the log is replaced: after an interruption the secret is still found, and all is done again."""
    if derived.is_dir():
        shutil.rmtree(derived)


def _rewritten(path: Path, secret: Secret) -> bool:
    """The daemon's own log is no truth of anything: text in, text out."""
    before = path.read_bytes()
    after = secret.without(before.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    if after != before:
        write_whole(RealStorage(), path, after)
    return after != before
