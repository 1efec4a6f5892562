"""Copies of a log that is being written, and back.

A backup is itself a log folder (segments up to a fence, anchors, quarantine) with a manifest of sizes and
SHA-256 sums: `verify` can look at it, and a restore is a checked copy. Never overwrites a log, and keeps no
older backup away.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from navlog.daemon.journal.fenced import Fenced
from navlog.daemon.journal.journal import utc_now
from navlog.daemon.journal.layout import LOGS, QUARANTINE, anchor_path, segment_name, segment_numbers
from navlog.daemon.journal.scan import BLOCK
from navlog.daemon.journal.shapes import Fence
from navlog.daemon.journal.storage import Readable, RealStorage, Storage, append_all, write_whole
from navlog.daemon.journal.survey import Survey
from navlog.daemon.journal.verify import Progress, verify
from navlog.schemas.envelope import Anchor, seal, seal_of
from navlog.schemas.errors import LogDamaged, UsageError

MANIFEST = "manifest.json"


class CopiedFile(msgspec.Struct, frozen=True, kw_only=True):
    """``name`` is relative to the backup's folder; ``sha256`` in hex."""

    name: str
    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup holds, and up to where."""

    navlog_backup: int
    at: str
    fences: tuple[Fence, ...]
    files: tuple[CopiedFile, ...]


def backup(
    folder: Path,
    out: Path,
    *,
    fences: Sequence[Fence] = (),
    storage: Storage | None = None,
    now: Callable[[], str] = utc_now,
    progress: Progress = lambda _done, _all: None,
) -> Manifest:
    """Copies both logs to ``out``, an empty folder, while a daemon may be writing.

    ``fences`` are those of its journals, the overlays' taken first, so that no judgement is ahead of its
    events; without any, nobody may be writing, and the logs are looked at first. Raises `UsageError` and
    `LogDamaged`: a damaged log is salvaged, not backed up.
    """
    storage = storage or RealStorage()
    _must_be_empty(storage, out)
    fences = tuple(fences) or _found_fences(storage, folder)
    seen = Fenced(storage, folder, fences)
    storage.make_folder(out / QUARANTINE)
    copier = _Copier(seen, storage, progress)
    names = [*_segments(seen, folder, fences), *_quarantined(seen, folder)]
    files = copier.copy(folder, out, names)
    for fence in fences:
        if fence.segment:
            files.append(_write_anchor(storage, out, fence, now()))
    manifest = Manifest(navlog_backup=1, at=now(), fences=fences, files=tuple(files))
    write_whole(storage, out / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    return manifest


def restore(
    copy: Path,
    folder: Path,
    *,
    storage: Storage | None = None,
    progress: Progress = lambda _done, _all: None,
) -> Manifest:
    """Proves the backup in ``copy``, then copies it to ``folder``, which must hold no log.

    Raises `LogDamaged` for a backup that is not what was written (nothing was restored), `UsageError` for a
    folder in use. Tables that are ahead of the restored log have to be deleted: they come back by replay.
    """
    storage = storage or RealStorage()
    if any(segment_numbers(log, storage.listdir(folder)) for log in LOGS):
        raise UsageError(
            f"There is a log in {folder}.", hint="Move it away first; nothing is ever overwritten."
        )
    manifest = _read_manifest(storage, copy)
    for file in manifest.files:
        if sum_of(storage, copy / file.name) != (file.bytes, file.sha256):
            raise LogDamaged(f"{file.name} in the backup is not what was copied.", segment=file.name)
    report = verify(copy, storage=storage)
    if not report.ok:
        fault = report.faults[0]
        raise LogDamaged(
            f"The backup was made of a damaged log: {fault.why}", segment=fault.file, offset=fault.offset
        )
    storage.make_folder(folder / QUARANTINE)
    # Anchors come last: before them, an interrupted restore is an ordinary log without a mark.
    names = sorted((file.name for file in manifest.files), key=lambda name: name.endswith(".anchor"))
    _Copier(storage, storage, progress).copy(copy, folder, names)
    return manifest


# --- what to copy -------------------------------------------------------------------------------------------


def _found_fences(storage: Storage, folder: Path) -> tuple[Fence, ...]:
    return tuple(_found_fence(Survey(storage, folder, log)) for log in LOGS)


def _found_fence(survey: Survey) -> Fence:
    catalog = survey.catalog
    if catalog.damage:
        first = catalog.damage[0]
        raise LogDamaged(
            f"The log {catalog.log} is damaged: {first.why}",
            segment=first.segment,
            offset=first.offset,
            hint="navlog salvage --out DIR copies what is good.",
        )
    return catalog.fence


def _segments(seen: Readable, folder: Path, fences: Sequence[Fence]) -> Iterator[str]:
    names = seen.listdir(folder)
    for fence in fences:
        yield from (segment_name(fence.log, number) for number in segment_numbers(fence.log, names))


def _quarantined(seen: Readable, folder: Path) -> Iterator[str]:
    names = seen.listdir(folder / QUARANTINE)
    yield from (f"{QUARANTINE}/{name}" for name in names if not name.endswith(".tmp"))


def _write_anchor(storage: Storage, out: Path, fence: Fence, at: str) -> CopiedFile:
    path = out / segment_name(fence.log, fence.segment)
    tail = seal_of(storage.read(path, max(fence.bytes - BLOCK, 0)))
    anchor = Anchor(
        anchor=fence.log,
        position=fence.position,
        segment=fence.segment,
        bytes=fence.bytes,
        at=at,
        closed=False,
        tail=tail,
    )
    target = anchor_path(out, fence.log)
    write_whole(storage, target, seal(anchor))
    size, sha256 = sum_of(storage, target)
    return CopiedFile(name=target.name, bytes=size, sha256=sha256)


# --- copying ------------------------------------------------------------------------------------------------


class _Copier:
    """Copies files block by block, summing up as it goes."""

    def __init__(self, source: Readable, target: Storage, progress: Progress) -> None:
        self._source = source
        self._target = target
        self._progress = progress

    def copy(self, folder: Path, out: Path, names: Sequence[str]) -> list[CopiedFile]:
        total = sum(self._source.size(folder / name) for name in names)
        done, files = 0, []
        for name in names:
            files.append(self._file(folder / name, out / name, name))
            done += files[-1].bytes
            self._progress(done, total)
        self._target.fsync_dir(out / QUARANTINE)
        self._target.fsync_dir(out)
        return files

    def _file(self, path: Path, target: Path, name: str) -> CopiedFile:
        file, digest, size = self._target.create(target), hashlib.sha256(), 0
        try:
            for block in _blocks(self._source, path):
                append_all(file, block)
                digest.update(block)
                size += len(block)
            file.fsync()
        finally:
            file.close()
        return CopiedFile(name=name, bytes=size, sha256=digest.hexdigest())


def _blocks(source: Readable, path: Path) -> Iterator[bytes]:
    offset = 0
    while block := source.read(path, offset, BLOCK):
        yield block
        offset += len(block)


def sum_of(source: Readable, path: Path) -> tuple[int, str]:
    """A file's length and SHA-256 in hex; (-1, "") where there is none."""
    digest, size = hashlib.sha256(), 0
    try:
        for block in _blocks(source, path):
            digest.update(block)
            size += len(block)
    except FileNotFoundError:
        return -1, ""
    return size, digest.hexdigest()


def _read_manifest(storage: Storage, copy: Path) -> Manifest:
    try:
        manifest = msgspec.json.decode(storage.read(copy / MANIFEST), type=Manifest)
    except FileNotFoundError:
        raise UsageError(f"There is no backup in {copy}.", hint="Name the folder that backup made.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise LogDamaged(f"The backup's manifest cannot be read: {fault}", segment=MANIFEST) from fault
    if any(Path(file.name).is_absolute() or ".." in Path(file.name).parts for file in manifest.files):
        raise LogDamaged("The backup's manifest names files outside of it.", segment=MANIFEST)
    return manifest


def _must_be_empty(storage: Storage, out: Path) -> None:
    if storage.listdir(out):
        raise UsageError(f"{out} is not empty.", hint="Each backup gets a folder of its own.")
