"""A whole look at a project: the truth that the hints are checked against.

git lists its repositories; everything else, and what git refuses to list, is walked with the same rules.
Reads no contents, follows no links, leaves nested repositories to themselves and says so. Passes over a vault
that navlog writes: what is derived must not come back as a fact.
"""

import os
import re
import stat
from collections.abc import Container, Iterator
from pathlib import Path

import msgspec

from navlog.daemon.listener.ignore import RULES_FILE, Folder, Ignore, ignore_of
from navlog.daemon.listener.paths import Skip, joined, open_beneath, opened, skip_of
from navlog.daemon.listener.process import git_with_warnings
from navlog.daemon.listener.repository import repository_at
from navlog.projections.pages.marks import FOLDER_MARK
from navlog.schemas.errors import GitFailed
from navlog.schemas.names import name_to_text

VAULT_MARK = FOLDER_MARK.encode()
_UNREADABLE = re.compile(rb"warning: could not open directory '(.*)/': ")


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """A path that is there. ``size`` in bytes, ``mtime_ns`` as the file system says; or why it is skipped."""

    path: str
    size: int = 0
    mtime_ns: int = 0
    executable: bool = False
    skip: Skip | None = None
    detail: str = ""


class Scan:
    """Iterate it once; then ``note`` says why the look was not whole, "" when it was.

    ``whole`` is False where what is absent may still be there: the root is gone or cannot be opened.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.note = ""
        self.whole = True

    def __iter__(self) -> Iterator[Seen]:
        repository = repository_at(self.root)
        try:
            yield from self._listed() if repository else self._walked()
        except GitFailed as fault:
            self.note = f"{fault.message} Listed by a walk instead.\n{fault.hint}"
            yield from self._walked()

    def _listed(self) -> Iterator[Seen]:
        said, warnings = git_with_warnings(self.root, "ls-files", "-z", "-co", "--exclude-standard")
        names = _without_vaults({name for name in said.split(b"\0") if name})
        root = os.fsencode(self.root)
        for name in (*names, *self._special(root, names)):
            if seen := _looked_at(root, name.rstrip(b"/")):
                yield seen
        for folder in _UNREADABLE.findall(os.fsencode(warnings)):
            yield Seen(path=name_to_text(folder), skip="unreadable", detail="git could not open the folder")

    def _special(self, root: bytes, names: list[bytes]) -> list[bytes]:
        """FIFOs, sockets and devices beside the listed files: git lists none of those."""
        folders = {name.rpartition(b"/")[0] for name in names if not name.endswith(b"/")} | {b""}
        found = [joined(folder, name) for folder in sorted(folders) for name in _special_in(root, folder)]
        if not found:
            return []
        said, _ = git_with_warnings(
            self.root, "check-ignore", "-z", "--stdin", say=b"\0".join(found), fine=(0, 1)
        )
        return sorted(set(found) - set(said.split(b"\0")))

    def _walked(self) -> Iterator[Seen]:
        ignore, note = ignore_of(self.root, repository_at(self.root))
        self.note = self.note or note
        try:
            with opened(self.root) as root:
                yield from _walk(root, self.root, ignore)
        except OSError as fault:
            self.whole = False
            self.note = f"{self.root} cannot be opened: {fault.strerror}."


def scan(root: Path) -> Scan:
    """Every file of the project at ``root``, and every path in it that is not read, with the reason."""
    return Scan(root)


def list_folder(root: int, folder: Folder, ignore: Ignore) -> dict[bytes, bool]:
    """The names in ``folder`` and whether each is a folder; its rules are read on the way. Raises OSError."""
    descriptor = open_beneath(root, folder.path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with os.scandir(descriptor) as found:
            entries = {os.fsencode(entry.name): entry.is_dir(follow_symlinks=False) for entry in found}
    finally:
        os.close(descriptor)
    ignore.read_rules(root, folder, present=entries.get(RULES_FILE) is False)
    return entries


def is_another(root: Path, folder: Folder, entries: Container[bytes]) -> bool:
    """Whether another repository, or a vault that navlog writes, begins at ``folder``."""
    if folder.parent is None:
        return False
    if VAULT_MARK in entries:
        return True
    if b".git" not in entries:
        return False
    return repository_at(root / os.fsdecode(folder.path)) is not None


def _walk(root: int, at: Path, ignore: Ignore) -> Iterator[Seen]:
    place, waiting = os.fsencode(at), [Folder(None, b"")]
    while waiting:
        folder = waiting.pop()
        try:
            entries = list_folder(root, folder, ignore)
        except OSError as fault:
            yield Seen(path=name_to_text(folder.path), skip="unreadable", detail=fault.strerror or "")
            continue
        if folder.parent and VAULT_MARK in entries:
            continue
        if is_another(at, folder, entries):
            yield Seen(path=name_to_text(folder.path), skip="repository")
            continue
        inside = ignore.inside(folder)
        for name, is_folder in sorted(entries.items()):
            if is_folder:
                waiting.extend(filter(None, (inside.enter(name),)))
            elif inside.wants_file(name) and (seen := _looked_at(place, inside.prefix + name)):
                yield seen


def _looked_at(root: bytes, name: bytes) -> Seen | None:
    path = name_to_text(name)
    try:
        stats = os.lstat(joined(root, name))
    except (FileNotFoundError, NotADirectoryError):
        return None  # in the index, but not in the worktree
    except OSError as fault:
        return Seen(path=path, skip="unreadable", detail=fault.strerror or "")
    if stat.S_ISDIR(stats.st_mode):  # git lists a folder only where another repository begins
        return Seen(path=path, skip="repository")
    return Seen(
        path=path,
        size=stats.st_size,
        mtime_ns=stats.st_mtime_ns,
        executable=bool(stats.st_mode & stat.S_IXUSR),
        skip=skip_of(stats.st_mode),
    )


def _without_vaults(names: set[bytes]) -> list[bytes]:
    """What is derived is nobody's text: a folder with the mark is passed over, wherever it came from."""
    marks = (name.rpartition(b"/") for name in names if name.endswith(b"/" + VAULT_MARK))
    vaults = tuple(folder + b"/" for folder, _, _ in marks)
    return sorted(name for name in names if not name.startswith(vaults))


def _special_in(root: bytes, folder: bytes) -> list[bytes]:
    try:
        with os.scandir(joined(root, folder)) as found:
            return [entry.name for entry in found if _is_special(entry)]
    except OSError:
        return []


def _is_special(entry: os.DirEntry[bytes]) -> bool:
    if entry.is_symlink() or entry.is_dir(follow_symlinks=False):
        return False
    return not entry.is_file(follow_symlinks=False)
