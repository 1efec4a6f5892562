"""Plans what a host's settings will be, shows it, does it, undoes it.

Planning reads and changes nothing; a file that cannot be understood stops the whole plan before any is
written.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec

from navlog.daemon.hosts.installing.adapters import HOSTS, Place
from navlog.daemon.hosts.installing.changes import (
    Change,
    Memory,
    Remembered,
    read,
    remember,
    remove_folders,
    undone,
    write,
)
from navlog.daemon.hosts.installing.documents import Document, OwnFile
from navlog.daemon.hosts.installing.jsonc import Insertion
from navlog.schemas.errors import UsageError

MEMORY = "installed.json"  # in the data home


class Step(NamedTuple):
    """A file's change, what it puts in, and what is remembered of it now."""

    change: Change
    insertions: list[Insertion]
    known: Remembered | None


def plan_install(host: str, environ: Mapping[str, str], memory: Memory) -> list[Step]:
    """What `install` would change; raises `UsageError` naming the file."""
    return [_installed(place, memory) for place in HOSTS[host](environ)]


def plan_uninstall(host: str, environ: Mapping[str, str], memory: Memory) -> list[Step]:
    """What `uninstall` would change; raises `UsageError` naming the file."""
    return [_removed(place, memory) for place in HOSTS[host](environ)]


def carry_out(steps: Sequence[Step], memory: Memory) -> Memory:
    """Writes the files; gives what is remembered from now on."""
    memory = dict(memory)
    for step in (one for one in steps if one.change.is_one):
        made = write(step.change)
        known = memory.pop(str(step.change.path), None)
        before = known.made if known else []
        if step.insertions:
            fresh = remember(step.change, step.insertions, [*before, *made])
            created = known.created if known else step.change.before is None
            memory[str(step.change.path)] = msgspec.structs.replace(fresh, created=created)
        else:
            remove_folders(before)
    return memory


def load_memory(data: Path) -> Memory:
    """What was put in by earlier installs; nothing where that is lost, and then ours is looked for."""
    try:
        return msgspec.json.decode((data / MEMORY).read_bytes(), type=Memory)
    except (OSError, msgspec.DecodeError):
        return {}


def save_memory(data: Path, memory: Memory) -> None:
    """Beside the log; without an entry there is no file."""
    path = data / MEMORY
    if not memory:
        path.unlink(missing_ok=True)
        return
    write(Change(path, None, msgspec.json.encode(memory).decode()))


def _installed(place: Place, memory: Memory) -> Step:
    text = read(place.path)
    known = memory.get(str(place.path))
    with _named(place.path):
        if text and place.document.is_current(text):
            return Step(Change(place.path, text, text), [], known)
        base = _without(place.document, text or "", known)
        after, insertions = place.document.put(base)
    return Step(Change(place.path, text, after), insertions, known)


def _removed(place: Place, memory: Memory) -> Step:
    text = read(place.path)
    known = memory.get(str(place.path))
    with _named(place.path):
        base = _without(place.document, text, known) if text else text
    created = known.created if known else isinstance(place.document, OwnFile)
    gone = base is not None and created and base.strip() in ("", "{}")
    return Step(Change(place.path, text, None if gone else base), [], known)


def _without(document: Document, text: str, known: Remembered | None) -> str:
    """The text before ours came in: byte for byte where nothing else changed since, else ours cut out."""
    before = undone(text, known) if known else None
    if before is not None:
        return before
    return document.cut(text) if text and document.has(text) else text


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Puts the file's name before what is wrong with it."""
    try:
        yield
    except UsageError as fault:
        raise UsageError(f"{path}: {fault.message}.", hint="Mend that file, then try again.") from fault
