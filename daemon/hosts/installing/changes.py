"""Changes of a person's files: shown before, written whole, undone exactly.

What was put in is remembered by its place (`Remembered`), never what else stands in the file: settings hold
keys and tokens. Where the file is still as it was left, undoing gives back every byte.
"""

import difflib
import hashlib
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from navlog.daemon.hosts.installing.jsonc import Insertion
from navlog.schemas.errors import UsageError


class Change(msgspec.Struct, frozen=True):
    """A file as it was and as it will be; None: it is not there."""

    path: Path
    before: str | None
    after: str | None

    @property
    def is_one(self) -> bool:
        """Whether anything changes."""
        return self.before != self.after


class Remembered(msgspec.Struct, frozen=True):
    """What was put into a file: ``after`` is the hash it had then, ``made`` folders that were not there.

    ``insertions`` are (offset, text), each in the text that the ones before it had made; ``created``: there
    was no file.
    """

    after: str
    insertions: list[tuple[int, str]] = []
    created: bool = False
    made: list[str] = []


Memory = dict[str, Remembered]  # by path


def read(path: Path) -> str | None:
    """The file's text; None where there is none. Raises `UsageError` for one that is no text."""
    try:
        return path.read_bytes().decode()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as fault:
        raise UsageError(f"{path} cannot be read: {fault}.", hint="Mend it, then try again.") from fault


def diff(changes: Sequence[Change]) -> str:
    """The changes as a unified diff."""
    lines: list[str] = []
    for one in changes:
        before, after = (_lines(text) for text in (one.before, one.after))
        names = ["/dev/null" if text is None else str(one.path) for text in (one.before, one.after)]
        lines.extend(difflib.unified_diff(before, after, names[0], names[1]))
    return "".join(lines)


def write(change: Change) -> list[str]:
    """Puts the file as it will be, whole or not at all, through links; gives the folders it made.

    Raises `UsageError` where that cannot be written.
    """
    path = Path(os.path.realpath(change.path))
    try:
        return _written(path, change.after)
    except OSError as fault:
        raise UsageError(
            f"{path} cannot be written: {fault.strerror}.", hint="Mend it, then try again."
        ) from fault


def _written(path: Path, text: str | None) -> list[str]:
    if text is None:
        path.unlink(missing_ok=True)
        return []
    made = _make(path.parent)
    mode = path.stat().st_mode & 0o7777 if path.exists() else 0o600
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            os.fchmod(descriptor, mode)
            file.write(text)
            file.flush()
            os.fsync(descriptor)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return made


def remember(change: Change, insertions: Sequence[Insertion], made: Sequence[str]) -> Remembered:
    """What has to be known to undo a change that only put in."""
    return Remembered(
        after=hash_of(change.after or ""),
        insertions=[(one.at, one.text) for one in insertions],
        created=change.before is None,
        made=list(made),
    )


def undone(text: str, known: Remembered) -> str | None:
    """The text before; None where the file is another one by now."""
    if hash_of(text) != known.after:
        return None
    for at, put_in in reversed(known.insertions):
        text = text[:at] + text[at + len(put_in) :]
    return text


def remove_folders(names: Sequence[str]) -> None:
    """Those that were made and are empty again, the innermost first."""
    for name in sorted(names, key=len, reverse=True):
        with suppress(OSError):
            Path(name).rmdir()


def hash_of(text: str) -> str:
    """What a file is compared by."""
    return hashlib.sha256(text.encode()).hexdigest()


def _make(folder: Path) -> list[str]:
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return [str(one) for one in missing]


def _lines(text: str | None) -> list[str]:
    lines = (text or "").splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n\\ No newline at end of file\n"
    return lines
