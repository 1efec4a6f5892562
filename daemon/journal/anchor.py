"""The high-water mark beside a log: a hash chain cannot see that its last records are gone, the anchor can.

Written before the first record of a run, at each new segment, every `Log.anchor_every_s` while records
arrive, and at a clean stop. Never runs ahead of what is durable.
"""

from pathlib import Path

from navlog.daemon.journal.catalog import Catalog
from navlog.daemon.journal.layout import anchor_path
from navlog.daemon.journal.storage import Readable, Storage, write_whole
from navlog.schemas.envelope import Anchor, seal, unseal_as


def read_anchor(storage: Readable, folder: Path, log: str) -> Anchor | None:
    """The anchor, None before the first record; raises `LineDamaged`."""
    path = anchor_path(folder, log)
    if path.name not in storage.listdir(folder):
        return None
    return unseal_as(Anchor, storage.read(path))


def write_anchor(storage: Storage, folder: Path, catalog: Catalog, *, at: str, closed: bool) -> Anchor:
    """Writes down how far ``catalog`` is durable; raises OSError, and the old anchor then still stands."""
    newest = catalog.segments[-1] if catalog.segments else None
    anchor = Anchor(
        anchor=catalog.log,
        position=catalog.position,
        segment=newest.number if newest else 0,
        bytes=newest.size if newest else 0,
        at=at,
        closed=closed,
        tail=catalog.tail,
    )
    write_whole(storage, anchor_path(folder, catalog.log), seal(anchor))
    return anchor


def was_closed_at(anchor: Anchor | None, number: int, size: int) -> bool:
    """Whether the log was stopped cleanly with this as its newest segment, at this length."""
    return anchor is not None and anchor.closed and (anchor.segment, anchor.bytes) == (number, size)
