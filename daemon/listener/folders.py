"""The folders of one project, each with its watch, or polled where it cannot have one.

Watches before it looks (a file made in a burst of mkdirs is missed otherwise), asks the ignore rules before
it watches, keeps names of files only for folders it has to poll. Refuses to enter other repositories.
"""

import errno
import os
from pathlib import Path
from typing import NamedTuple

from navlog.daemon.listener.hints import Coverage, Pending, Why
from navlog.daemon.listener.ignore import RULES_FILE, Folder, Ignore
from navlog.daemon.listener.kernel import FOLDER_MASK, ROOT_MASK
from navlog.daemon.listener.paths import joined, opened
from navlog.daemon.listener.polling import differences, snapshot
from navlog.daemon.listener.scan import is_another, list_folder
from navlog.daemon.listener.watches import Watches
from navlog.schemas.names import name_to_text

_ABSENT = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


class _Visit(NamedTuple):
    """A folder to watch and look into. ``report``: its files are news; ``previous``: they came from there."""

    folder: Folder
    report: bool = False
    previous: bytes | None = None


class Folders:
    """``outdated``: has to be built again; ``gone``: the root is not where it was. Fills ``pending``."""

    def __init__(self, root: Path, watches: Watches[Folder], pending: Pending, *, poll: str = "") -> None:
        self.outdated = False
        self.gone = False
        self.ignore = Ignore()
        self.top = Folder(None, b"")
        self._root = root
        self._path = os.fsencode(root)
        self._watches = watches
        self._pending = pending
        self._poll = self._why = poll  # why nothing is watched
        self._unwatched: set[Folder] = set()
        self._waiting: list[_Visit] = []
        self._to_compare: list[Folder] = []

    def build(self, ignore: Ignore) -> None:
        """Starts over with these rules; `work` does it. Watches of folders that stay are kept."""
        self._watches.begin()
        self.ignore = ignore
        self.top = Folder(None, b"")
        self._why = self._poll
        self._unwatched = set()
        self._waiting, self._to_compare = [_Visit(self.top)], []
        self.outdated = self.gone = False

    def outdate(self, why: Why) -> None:
        """It has to be built again, and then everything looked at."""
        self.outdated = True
        self._pending.look_at_all(why)

    def close(self) -> None:
        """Gives every watch back."""
        self._watches.close()

    # --- what is known

    def get(self, watch: int) -> Folder | None:
        """The folder that has this watch."""
        return self._watches.get(watch)

    def coverage(self, note: str) -> Coverage:
        """How much of it the kernel watches; ``note`` stands where there is nothing else to say."""
        watched, polled = len(self._watches), len(self._unwatched)
        why = "the folder is gone" if self.gone else self._why or note
        return Coverage(folders=watched + polled, watched=watched, polled=polled, why=why)

    @property
    def waiting(self) -> bool:
        """Whether folders still have to be watched and looked into."""
        return bool(self._waiting)

    @property
    def busy(self) -> bool:
        """Whether `work` has anything to do."""
        return bool(self._waiting or self._to_compare)

    @property
    def polled(self) -> bool:
        """Whether `poll` has to be called now and then."""
        return self.gone or bool(self._unwatched)

    # --- what happens to folders

    def arrived(self, parent: Folder, name: bytes, moved: Folder | None, previous: bytes | None) -> bool:
        """A folder came to ``parent``, new or ``moved`` from ``previous``; False: it does not belong here."""
        if replaced := parent.children.get(name):
            self.drop(replaced)
        child = self.ignore.inside(parent).enter(name)
        if child is None:
            return False
        if moved:  # its watches go with it
            moved.parent, moved.name, moved.ignored = parent, name, child.ignored
            # A file in it may be gone before it is looked into, and only its old path is known.
            self._pending.look_at_all("rules")
        parent.children[name] = moved or child
        self._waiting.append(_Visit(moved or child, report=True, previous=previous))
        return True

    def drop(self, folder: Folder) -> None:
        """The folder is no longer there, or not part of the project; its watches are given back."""
        if folder is self.top:
            self._waiting, self._to_compare = [], []
            self._pending.look_at_all("rules")
            self.gone = True
        elif folder.parent and folder.parent.children.get(folder.name) is folder:
            del folder.parent.children[folder.name]
        doomed = [folder]
        while doomed:
            here = doomed.pop()
            doomed.extend(here.children.values())
            self._forget(here)

    def poll(self) -> None:
        """Has `work` compare the folders that are not watched with how they were, or the root looked for."""
        if not self.gone:
            self._to_compare = list(self._unwatched)
        elif self._root.is_dir():
            self.outdate("rules")

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
            self.drop(self.top)
        if not self._waiting:
            self._watches.end()

    # --- one folder

    def _visit(self, root: int, visit: _Visit) -> None:
        folder = visit.folder
        if folder.detached or not self._watch(folder):
            return
        entries = self._listed(root, folder)
        if entries is None:
            return
        if is_another(self._root, folder, entries):
            self.drop(folder)
            return
        for name in folder.children.keys() - entries.keys():
            self.drop(folder.children[name])
        inside = self.ignore.inside(folder)
        for name in (name for name, is_folder in entries.items() if is_folder):
            self._take_folder(visit, name, inside.enter(name))
        if visit.report or folder in self._unwatched:  # the names of files are of no use to others
            self._take_files(visit, self._wanted(folder, entries))

    def _take_folder(self, visit: _Visit, name: bytes, child: Folder | None) -> None:
        folder = visit.folder
        known = folder.children.get(name)
        if known and child:
            known.ignored = child.ignored
        elif known:
            self.drop(known)
        if child:
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
        if self._poll:
            self._unwatched.add(folder)
            return True
        mask = FOLDER_MASK if folder.parent else ROOT_MASK
        try:
            self._watches.add(folder, joined(self._path, folder.path), mask)
        except OSError as fault:
            return self._refused(folder, fault)
        self._unwatched.discard(folder)
        return True

    def _listed(self, root: int, folder: Folder) -> dict[bytes, bool] | None:
        try:
            return list_folder(root, folder, self.ignore)
        except OSError as fault:
            self._refused(folder, fault)
            return None

    def _refused(self, folder: Folder, fault: OSError) -> bool:
        """Whether the folder is there nevertheless: then it is polled, since it may become readable."""
        if fault.errno in _ABSENT:
            self.drop(folder)
            return False
        self._why = _reason(fault)
        self._unwatched.add(folder)
        return True

    def _compare(self, root: int, folder: Folder) -> None:
        if folder.detached or (entries := self._listed(root, folder)) is None:
            return
        before, path = folder.snapshot or {}, folder.path
        folder.snapshot = snapshot(self._path, path, self._wanted(folder, entries))
        for name in differences(before, folder.snapshot):
            self._pending.touched(name_to_text(joined(path, name)))
            if name == RULES_FILE:
                self.outdate("rules")
        for name in folder.children.keys() - entries.keys():
            self.drop(folder.children[name])
        for name in (name for name, is_folder in entries.items() if is_folder):
            if name not in folder.children:
                self.arrived(folder, name, None, None)

    def _wanted(self, folder: Folder, entries: dict[bytes, bool]) -> list[bytes]:
        inside = self.ignore.inside(folder)
        return [name for name, is_folder in entries.items() if not is_folder and inside.wants_file(name)]

    def _forget(self, folder: Folder) -> None:
        self._watches.drop(folder)
        self._unwatched.discard(folder)
        folder.detached = True
        if folder.snapshot:  # nobody told of its files one by one
            self._pending.look_at_all("rules")


def _reason(fault: OSError) -> str:
    if fault.errno == errno.ENOSPC:
        return "the limit fs.inotify.max_user_watches is reached; raise it with sysctl"
    return f"some folders cannot be opened: {fault.strerror}"
