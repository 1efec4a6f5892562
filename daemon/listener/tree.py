"""The folders of one project, each with its watch: kernel events become what is pending.

Watches before it looks (a file made in a burst of mkdirs is missed otherwise), asks the ignore rules before
it watches, keeps names of files only for folders it has to poll. Refuses to enter other repositories.
"""

import errno
import os
from pathlib import Path
from typing import NamedTuple

from inotify_simple import flags

from navlog.daemon.listener.hints import Coverage, Pending, Why
from navlog.daemon.listener.ignore import RULES_FILE, Folder, Ignore
from navlog.daemon.listener.kernel import FOLDER_MASK, ROOT_MASK, KernelEvent
from navlog.daemon.listener.paths import joined, opened
from navlog.daemon.listener.polling import differences, snapshot
from navlog.daemon.listener.scan import is_another, list_folder
from navlog.daemon.listener.watches import Watches
from navlog.schemas.names import name_to_text

_GONE = flags.IGNORED | flags.UNMOUNT | flags.DELETE_SELF | flags.MOVE_SELF
_ABSENT = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


class _Visit(NamedTuple):
    """A folder to watch and look into. ``report``: its files are news; ``previous``: they came from there."""

    folder: Folder
    report: bool = False
    previous: bytes | None = None


class _Half(NamedTuple):
    """A rename whose other end has not shown: ``path`` is None for what does not belong to the project."""

    at: float
    path: bytes | None
    folder: Folder | None


class Tree:
    """Tell it events, let it `work`; it fills ``pending``. ``outdated``: it has to be built again."""

    def __init__(self, root: Path, watches: Watches[Folder], pending: Pending, *, poll: str = "") -> None:
        self.outdated = False
        self.gone = False
        self._root = root
        self._path = os.fsencode(root)
        self._watches = watches
        self._pending = pending
        self._poll = poll  # why nothing is watched
        self._ignore = Ignore()
        self._top = Folder(None, b"")
        self._unwatched: set[Folder] = set()
        self._why = poll
        self._waiting: list[_Visit] = []
        self._to_compare: list[Folder] = []
        self._halves: dict[int, _Half] = {}

    # --- the tree as a whole

    def build(self, ignore: Ignore) -> None:
        """Starts over with these rules; `work` does it. Watches of folders that stay are kept."""
        self._watches.begin()
        self._ignore = ignore
        self._top = Folder(None, b"")
        self._unwatched, self._halves = set(), {}
        self._why = self._poll
        self._waiting, self._to_compare = [_Visit(self._top)], []
        self.outdated = self.gone = False

    @property
    def waiting(self) -> bool:
        """Whether folders still have to be watched and looked into."""
        return bool(self._waiting)

    @property
    def busy(self) -> bool:
        """Whether `work` has anything to do."""
        return bool(self._waiting or self._to_compare)

    def work(self, limit: int) -> None:
        """Watches and looks into up to ``limit`` folders that wait for it; then compares polled ones."""
        if not self.busy:
            return
        try:
            with opened(self._root) as root:
                for _ in range(limit):
                    if self._waiting:
                        self._visit(root, self._waiting.pop())
                    elif self._to_compare:
                        self._compare(root, self._to_compare.pop())
        except OSError:
            self._lose()
        if not self._waiting:
            self._watches.end()

    def close(self) -> None:
        """Gives every watch back."""
        self._watches.close()

    def coverage(self, note: str = "") -> Coverage:
        """How much of it the kernel watches; ``note`` stands where the tree itself has nothing to say."""
        watched, polled = len(self._watches), len(self._unwatched)
        why = "the folder is gone" if self.gone else self._why or note
        return Coverage(folders=watched + polled, watched=watched, polled=polled, why=why)

    @property
    def polled(self) -> bool:
        """Whether `poll` has to be called now and then."""
        return self.gone or bool(self._unwatched)

    @property
    def ignore(self) -> Ignore:
        """The rules it goes by."""
        return self._ignore

    # --- events

    def handle(self, event: KernelEvent, now: float) -> bool:
        """Takes in one event; whether it was this tree's."""
        folder = self._watches.get(event.watch)
        if folder is None:
            return False
        if event.mask & _GONE:
            if folder is self._top or not event.mask & flags.MOVE_SELF:
                self._lost(folder)
        elif event.name == b".git":
            self.outdate()  # a repository begins or ends here
        elif event.mask & flags.ISDIR:
            self._folder_event(folder, event, now)
        else:
            self._file_event(folder, event, now)
        return True

    def outdate(self, why: Why = "rules") -> None:
        """It has to be built again, and then everything looked at."""
        self.outdated = True
        self._pending.look_at_all(why)

    def expire(self, before: float) -> None:
        """Renames whose other end did not show until now led out of the project."""
        for cookie in [cookie for cookie, half in self._halves.items() if half.at <= before]:
            self._left(self._halves.pop(cookie))

    @property
    def oldest_half(self) -> float | None:
        """When the first of the open renames began."""
        return min((half.at for half in self._halves.values()), default=None)

    def poll(self) -> None:
        """Has `work` compare the folders that are not watched with how they were."""
        if not self.gone:
            self._to_compare = list(self._unwatched)
        elif self._root.is_dir():
            self.outdate()

    def _file_event(self, folder: Folder, event: KernelEvent, now: float) -> None:
        if event.name == RULES_FILE:
            self.outdate()
        wanted = self._ignore.wants_file(folder, event.name)
        path = folder.below(event.name)
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
            self._pending.touched(name_to_text(path))
        elif half:
            self._left(half)

    def _folder_event(self, folder: Folder, event: KernelEvent, now: float) -> None:
        if event.mask & flags.MOVED_FROM:
            child = folder.children.pop(event.name, None)
            self._halves[event.cookie] = _Half(now, folder.below(event.name) if child else None, child)
        elif event.mask & (flags.MOVED_TO | flags.CREATE):
            self._folder_arrived(
                folder, event.name, self._halves.pop(event.cookie, None) if event.cookie else None
            )
        elif event.mask & flags.DELETE and (child := folder.children.get(event.name)):
            self._drop(child)

    def _folder_arrived(self, folder: Folder, name: bytes, half: _Half | None) -> None:
        if replaced := folder.children.get(name):
            self._drop(replaced)
        child = self._ignore.enter(folder, name)
        if child is None:
            if half:
                self._left(half)
            return
        if half and half.folder:  # its watches go with it
            half.folder.parent, half.folder.name, half.folder.ignored = folder, name, child.ignored
            child = half.folder
        folder.children[name] = child
        self._waiting.append(_Visit(child, report=True, previous=half.path if half else None))

    def _left(self, half: _Half) -> None:
        if half.folder:
            self._drop(half.folder)
            self._pending.look_at_all("rules")  # nobody said which files it held
        elif half.path is not None:
            self._pending.removed(name_to_text(half.path))

    # --- folders

    def _visit(self, root: int, visit: _Visit) -> None:
        folder = visit.folder
        if folder.detached or not self._watch(folder):
            return
        try:
            entries = list_folder(root, folder, self._ignore)
        except OSError as fault:
            self._unlisted(folder, fault)
            return
        if is_another(self._root, folder, entries):
            self._drop(folder)
            return
        self._take_folders(visit, [name for name, is_folder in entries.items() if is_folder])
        files = [name for name, is_folder in entries.items() if not is_folder]
        self._take_files(visit, [name for name in files if self._ignore.wants_file(folder, name)])

    def _take_folders(self, visit: _Visit, names: list[bytes]) -> None:
        folder = visit.folder
        for name in folder.children.keys() - set(names):
            self._drop(folder.children[name])
        for name in names:
            child, known = self._ignore.enter(folder, name), folder.children.get(name)
            if child is None:
                if known:
                    self._drop(known)
                continue
            if known:
                known.ignored = child.ignored
            folder.children[name] = known or child
            previous = None if visit.previous is None else joined(visit.previous, name)
            self._waiting.append(_Visit(known or child, visit.report, previous))

    def _take_files(self, visit: _Visit, names: list[bytes]) -> None:
        path = visit.folder.path
        if visit.folder in self._unwatched:
            visit.folder.snapshot = snapshot(self._path, path, names)
        for name in names if visit.report else ():
            text = name_to_text(joined(path, name))
            if visit.previous is None:
                self._pending.created(text)
            else:
                self._pending.moved(name_to_text(joined(visit.previous, name)), text)

    def _watch(self, folder: Folder) -> bool:
        """Whether the folder is there; what cannot be watched is polled."""
        if not self._poll:
            try:
                self._watches.add(
                    folder, joined(self._path, folder.path), FOLDER_MASK if folder.parent else ROOT_MASK
                )
            except OSError as fault:
                if fault.errno in _ABSENT:
                    self._lost(folder)
                    return False
                self._why = _reason(fault)
            else:
                self._unwatched.discard(folder)
                return True
        self._unwatched.add(folder)
        return True

    def _compare(self, root: int, folder: Folder) -> None:
        if folder.detached:
            return
        try:
            entries = list_folder(root, folder, self._ignore)
        except OSError as fault:
            self._unlisted(folder, fault)
            return
        wanted = [
            n for n, is_folder in entries.items() if not is_folder and self._ignore.wants_file(folder, n)
        ]
        before, path = folder.snapshot or {}, folder.path
        folder.snapshot = snapshot(self._path, path, wanted)
        changed = differences(before, folder.snapshot)
        if RULES_FILE in changed:
            self.outdate()
        for name in changed:
            self._pending.touched(name_to_text(joined(path, name)))
        self._compare_folders(folder, {name for name, is_folder in entries.items() if is_folder})

    def _compare_folders(self, folder: Folder, names: set[bytes]) -> None:
        for name in folder.children.keys() - names:
            self._drop(folder.children[name])
        for name in names - folder.children.keys():
            if child := self._ignore.enter(folder, name):
                folder.children[name] = child
                self._waiting.append(_Visit(child, report=True))

    def _unlisted(self, folder: Folder, fault: OSError) -> None:
        if fault.errno in _ABSENT:
            self._lost(folder)
        else:  # it may become readable
            self._why = _reason(fault)
            self._unwatched.add(folder)

    def _lost(self, folder: Folder) -> None:
        if folder is self._top:
            self._lose()
        else:
            self._drop(folder)

    def _lose(self) -> None:
        """The root is not where it was; `poll` waits for it to come back."""
        self._drop(self._top)
        self._waiting, self._to_compare, self._halves = [], [], {}
        self._pending.look_at_all("rules")
        self.gone = True

    def _drop(self, folder: Folder) -> None:
        if folder.parent and folder.parent.children.get(folder.name) is folder:
            del folder.parent.children[folder.name]
        doomed = [folder]
        while doomed:
            here = doomed.pop()
            doomed.extend(here.children.values())
            self._watches.drop(here)
            self._unwatched.discard(here)
            here.detached = True
            if here.snapshot:  # nobody told of its files one by one
                self._pending.look_at_all("rules")


def _reason(fault: OSError) -> str:
    if fault.errno == errno.ENOSPC:
        return "the limit fs.inotify.max_user_watches is reached; raise it with sysctl"
    return f"some folders cannot be opened: {fault.strerror}"
