"""Kernel events become what is pending: files that come, go, change, and both ends of renames.

Knows no clock and no file system; `Folders` keeps the watches.
"""

from typing import NamedTuple

from inotify_simple import flags

from navlog.daemon.listener.folders import Folders
from navlog.daemon.listener.hints import Pending
from navlog.daemon.listener.ignore import RULES_FILE, Folder
from navlog.daemon.listener.kernel import KernelEvent
from navlog.daemon.listener.scan import VAULT_MARK
from navlog.schemas.names import name_to_text

_GONE = flags.IGNORED | flags.UNMOUNT | flags.DELETE_SELF


class _Half(NamedTuple):
    """A rename whose other end has not shown: ``path`` is None for what does not belong to the project."""

    at: float
    path: bytes | None
    folder: Folder | None


class Tree:
    """Takes in the events of one project's ``folders`` and fills ``pending``."""

    def __init__(self, folders: Folders, pending: Pending) -> None:
        self._folders = folders
        self._pending = pending
        self._halves: dict[int, _Half] = {}

    def handle(self, event: KernelEvent, now: float) -> None:
        """Takes in one event, if it is this project's."""
        folder = self._folders.get(event.watch)
        if folder is None:
            return
        if event.mask & _GONE or (event.mask & flags.MOVE_SELF and folder is self._folders.top):
            self._folders.drop(folder)
        elif event.name in (b".git", VAULT_MARK):
            self._folders.outdate("rules")  # a repository or a vault begins or ends here
        elif event.mask & flags.ISDIR:
            self._folder_event(folder, event, now)
        else:
            self._file_event(folder, event, now)

    def expire(self, before: float) -> None:
        """Renames whose other end did not show until now led out of the project."""
        for cookie in [cookie for cookie, half in self._halves.items() if half.at <= before]:
            self._left(self._halves.pop(cookie))

    @property
    def oldest_half(self) -> float | None:
        """When the first of the open renames began."""
        return min((half.at for half in self._halves.values()), default=None)

    def _file_event(self, folder: Folder, event: KernelEvent, now: float) -> None:
        if event.name == RULES_FILE:
            self._folders.outdate("rules")
        inside = self._folders.ignore.inside(folder)
        wanted, path = inside.wants_file(event.name), inside.prefix + event.name
        if event.mask & flags.MOVED_FROM:
            self._halves[event.cookie] = _Half(now, path if wanted else None, None)
        elif event.mask & flags.MOVED_TO:
            self._file_arrived(path, self._halves.pop(event.cookie, None), wanted=wanted)
        elif wanted:
            text = name_to_text(path)
            if event.mask & flags.CREATE:
                self._pending.created(text)
            elif event.mask & flags.DELETE:
                self._pending.removed(text)
            else:
                self._pending.touched(text)

    def _file_arrived(self, path: bytes, half: _Half | None, *, wanted: bool) -> None:
        previous = half.path if half else None
        if wanted and previous is not None:
            self._pending.moved(name_to_text(previous), name_to_text(path))
        elif wanted:
            self._pending.arrived(name_to_text(path))
        elif half:
            self._left(half)

    def _folder_event(self, folder: Folder, event: KernelEvent, now: float) -> None:
        child = folder.children.get(event.name)
        if event.mask & flags.MOVED_FROM:
            folder.children.pop(event.name, None)
            self._halves[event.cookie] = _Half(now, folder.below(event.name) if child else None, child)
        elif event.mask & (flags.MOVED_TO | flags.CREATE):
            self._folder_arrived(folder, event)
        elif event.mask & flags.DELETE and child:
            self._folders.drop(child)

    def _folder_arrived(self, folder: Folder, event: KernelEvent) -> None:
        half = self._halves.pop(event.cookie, None) if event.cookie else None
        moved, previous = (half.folder, half.path) if half else (None, None)
        if not self._folders.arrived(folder, event.name, moved, previous) and half:
            self._left(half)

    def _left(self, half: _Half) -> None:
        if half.folder:
            self._folders.drop(half.folder)
            self._pending.look_at_all("rules")  # nobody said which files it held
        elif half.path is not None:
            self._pending.removed(name_to_text(half.path))
