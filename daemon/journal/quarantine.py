"""Where bytes go that are taken out of the log: nothing is ever deleted.

A file's name says where the bytes stood, why they were taken, and ends with their hash, so a repair that is
interrupted and done again makes the same file. Each becomes a `log_repaired` event, once.
"""

import re
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from navlog.daemon.journal.layout import QUARANTINE
from navlog.daemon.journal.scan import BLOCK
from navlog.daemon.journal.shapes import Repair
from navlog.daemon.journal.storage import Readable, Storage, append_all
from navlog.schemas.envelope import Draft, draft
from navlog.schemas.events import LogRepaired

_NAME = re.compile(r"(?P<file>.+)\.(?P<offset>\d+)\.(?P<why>[a-z]+)\.[0-9a-f]{16}")


def keep(storage: Storage, path: Path, offset: int, why: str) -> None:
    """Copies ``path`` from ``offset`` to its end into quarantine, durably; raises OSError."""
    folder = path.parent / QUARANTINE
    storage.make_folder(folder)
    target = folder / f"{path.name}.{offset}.{why}.{_hash(storage, path, offset)}"
    if target.name in storage.listdir(folder):
        storage.fsync_dir(folder)  # an interrupted repair may not have come to this
        return
    copy = folder / "copying.tmp"
    if copy.name in storage.listdir(folder):
        storage.remove(copy)
    file = storage.create(copy)
    try:
        for block in _blocks(storage, path, offset):
            append_all(file, block)
        file.fsync()
    finally:
        file.close()
    storage.rename(copy, target)
    storage.fsync_dir(folder)


def repairs(storage: Readable, folder: Path, log: str) -> tuple[Repair, ...]:
    """All that was ever taken out of ``log``."""
    place = folder / QUARANTINE
    named = ((name, _NAME.fullmatch(name)) for name in storage.listdir(place))
    return tuple(
        Repair(
            segment=match["file"],
            offset=int(match["offset"]),
            length=storage.size(place / name),
            quarantine=f"{QUARANTINE}/{name}",
            why=match["why"],
        )
        for name, match in named
        if match and match["file"].startswith((f"{log}-", f"{log}."))
    )


def announcement(repair: Repair) -> Draft:
    """The event that says so; its id makes it once."""
    event = LogRepaired(
        segment=repair.segment,
        offset=repair.offset,
        length=repair.length,
        quarantine=repair.quarantine,
        why=repair.why,
    )
    return draft(event, project="", source="journal", id=f"log_repaired:{repair.quarantine}")


def _blocks(storage: Storage, path: Path, offset: int) -> Iterator[bytes]:
    end = storage.size(path)
    while offset < end and (block := storage.read(path, offset, min(BLOCK, end - offset))):
        yield block
        offset += len(block)


def _hash(storage: Storage, path: Path, offset: int) -> str:
    digest = blake2b(digest_size=8)
    for block in _blocks(storage, path, offset):
        digest.update(block)
    return digest.hexdigest()
