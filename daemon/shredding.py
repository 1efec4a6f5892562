"""A secret out of a whole data home: logs, quarantine, backups, what is derived, the spool, the daemon's log,
snapshots, and the vault's pages.

The daemon ends first, since its memory and its tables hold what the logs hold, and comes back afterwards.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from navlog.daemon.home import Home, load_settings
from navlog.daemon.injecting.snapshots import FOLDER as SNAPSHOTS
from navlog.daemon.journal import Item, RealStorage
from navlog.daemon.journal.layout import LOGS
from navlog.daemon.journal.recovery import recover
from navlog.daemon.journal.shredding import Taken, shred_folder
from navlog.daemon.journal.storage import write_whole
from navlog.daemon.launch import ensure_daemon, stop_daemon
from navlog.daemon.listener.paths import read_inside
from navlog.daemon.listener.scan import scan
from navlog.daemon.redact.shred import Secret
from navlog.daemon.vault.folder import VaultFolder
from navlog.daemon.vault.opening import vault_path
from navlog.schemas.errors import DaemonAway
from navlog.schemas.events import ProjectMoved, ProjectRegistered, ProjectRemoved
from navlog.schemas.payloads import decode_payload

ROOTS = Item(types=(ProjectRegistered.TYPE, ProjectMoved.TYPE, ProjectRemoved.TYPE))


class ShredReply(msgspec.Struct, frozen=True, kw_only=True):
    """``folders``: what was taken, by folder; ``others``: further files that held it.

    ``left``: files in the data home that hold it and are none of these, as a damaged log that was put aside.
    ``worktrees``: files of the projects that hold it now; they are not navlog's, and stay as they are.
    """

    folders: dict[str, Taken]
    others: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    worktrees: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        """Whether the secret was anywhere."""
        return bool(self.others) or any(taken.files for taken in self.folders.values())


def shred_home(home: Home, secret: Secret, backups: Sequence[Path] = ()) -> ShredReply:
    """Takes ``secret`` out of ``home`` and of ``backups``.

    Raises `UsageError` for settings that cannot be read, and what `shred_folder` and the journal's recovery
    raise; the folders before the faulty one are done.
    """
    settings = load_settings(home)
    limit = settings.extract.file_bytes
    folders: dict[str, Taken] = {}
    roots: list[Path] = []
    with stopped(home):
        if home.log.is_dir():
            with closing(RealStorage().lock(home.log)):
                roots = _roots(home)
                folders[str(home.log)] = _log(home, secret)
        for folder in backups:
            folders[str(folder)] = shred_folder(folder, secret)
        kept = _own(home)
        others = (
            *(str(path) for path in sorted(kept) if _rewritten(path, secret)),
            *_pages(vault_path(settings.vault, home), secret),
        )
        beside = sorted(_beside(home) - kept)
        left = tuple(str(path) for path in beside if secret.within(path.read_bytes()))
    still = tuple(str(root / path) for root in roots for path in _holding(root, secret, limit))
    return ShredReply(folders=folders, others=others, left=left, worktrees=still)


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


def _roots(home: Home) -> list[Path]:
    """Where the projects lie that are registered now, as the log says."""
    catalog = recover(RealStorage(), home.log, "events", 0).catalog
    roots: dict[str, str] = {}
    for record in catalog.select([ROOTS]):
        event = decode_payload(record)
        if isinstance(event, ProjectRegistered | ProjectMoved):
            roots[record.project] = event.root
        else:
            roots.pop(record.project, None)
    return [Path(root) for root in sorted(set(roots.values()))]


def _own(home: Home) -> set[Path]:
    """What the daemon writes beside the log and what is derived: texts that are no truth of anything."""
    folders = (home.spool, home.data / SNAPSHOTS)
    return {
        *home.daemon_log.parent.glob("daemon.*"),
        *(path for folder in folders for path in folder.rglob("*") if _is_file(path)),
    }


def _pages(root: Path | None, secret: Secret) -> Iterator[str]:
    """The vault's pages that are rewritten; a daemon makes them anew, but none may run for a while."""
    if root and root.is_dir():
        folder = VaultFolder(root)
        for path in sorted(folder.ours()):
            before = (root / path).read_text(encoding="utf-8")
            if (after := secret.without(before)) != before and folder.put(path, after) == "written":
                yield str(root / path)


def _beside(home: Home) -> set[Path]:
    """The other files of the data home: a log that was put aside, a copy."""
    return {
        path
        for path in home.data.rglob("*")
        if _is_file(path) and not path.is_relative_to(home.log) and not path.is_relative_to(home.derived)
    }


def _is_file(path: Path) -> bool:
    """A file itself, no link to one elsewhere."""
    return path.is_file() and not path.is_symlink()


def _holding(root: Path, secret: Secret, limit: int) -> Iterator[str]:
    """The files that navlog would read there, and would find it in."""
    for file in scan(root):
        data = None if file.skip else read_inside(root, file.path, limit).data
        if data is not None and secret.within(data):
            yield file.path


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
