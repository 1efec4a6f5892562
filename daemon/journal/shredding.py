"""Takes a secret out of a log's folder: the one exception to "stored bytes are never rewritten".

A new folder is made beside the log and proven; then the two change places in one step. A crash leaves the
old log or the new one, never a mixture, and running it again ends what was begun. Nobody may be writing.
What a disk keeps of deleted blocks is beyond its reach.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from navlog.daemon.journal.anchor import read_anchor, was_closed_at, write_anchor
from navlog.daemon.journal.backup import MANIFEST, CopiedFile, Manifest, sum_of
from navlog.daemon.journal.exchange import exchange
from navlog.daemon.journal.layout import INDEX, LOGS, QUARANTINE, anchor_path, segment_name, segment_numbers
from navlog.daemon.journal.scan import pieces
from navlog.daemon.journal.storage import RealStorage, Storage, append_all, write_whole
from navlog.daemon.journal.survey import Survey
from navlog.daemon.journal.verify import verify
from navlog.daemon.redact.shred import Secret, Shredded, relink, shred
from navlog.schemas.envelope import GENESIS, LINE_BYTES, digest_of
from navlog.schemas.errors import Internal, LogDamaged, UsageError

BESIDE = (
    ".shredding"  # behind the folder's name: the new log in the making, then the old one until it is gone
)


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """What held the secret: how many events, and the files by name, relative to the folder."""

    records: int = 0
    files: tuple[str, ...] = ()


def shred_folder(
    folder: Path,
    secret: Secret,
    *,
    storage: Storage | None = None,
    before: Callable[[], None] = lambda: None,
) -> Taken:
    """Takes ``secret`` out of the log, or the backup, in ``folder``.

    ``before`` runs when the secret was found, before anything is put in its place. Raises `LogDamaged` for a
    log that has to be salvaged first, `UsageError` where the folder holds what is not ours; nothing was
    changed then.
    """
    storage = storage or RealStorage()
    folder = folder.resolve()
    beside = folder.with_name(folder.name + BESIDE)
    shutil.rmtree(beside, ignore_errors=True)  # of a run that was interrupted, before or after the exchange
    _must_be_sound(storage, folder)
    _must_be_ours(storage, folder)
    taken = _Rewriter(storage, folder, beside, secret).run()
    if taken.files:
        _must_be_clean(storage, beside, secret)
        before()
        exchange(beside, folder)
        storage.fsync_dir(folder.parent)
    shutil.rmtree(beside)
    return taken


class _Rewriter:
    """Makes the new folder, file by file."""

    def __init__(self, storage: Storage, folder: Path, out: Path, secret: Secret) -> None:
        self._storage = storage
        self._folder = folder
        self._out = out
        self._secret = secret
        self._records = 0
        self._files: list[str] = []

    def run(self) -> Taken:
        """Everything but the indexes, which are built again."""
        self._storage.make_folder(self._out / QUARANTINE)
        for log in LOGS:
            self._log(log)
        for name in self._storage.listdir(self._folder / QUARANTINE):
            self._kept(f"{QUARANTINE}/{name}")
        if MANIFEST in self._storage.listdir(self._folder):
            self._manifest()
        self._storage.fsync_dir(self._out / QUARANTINE)
        self._storage.fsync_dir(self._out)
        return Taken(records=self._records, files=tuple(self._files))

    def _log(self, log: str) -> None:
        prev, size = GENESIS, 0
        for number in segment_numbers(log, self._storage.listdir(self._folder)):
            prev, size = self._segment(segment_name(log, number), prev, size)
        anchor = read_anchor(self._storage, self._folder, log)
        if anchor is not None:
            catalog = Survey(self._storage, self._out, log).catalog
            newest = catalog.segments[-1].number if catalog.segments else 0
            before = self._storage.size(self._folder / segment_name(log, newest)) if newest else 0
            closed = was_closed_at(anchor, newest, before)
            write_anchor(self._storage, self._out, catalog, at=anchor.at, closed=closed)

    def _segment(self, name: str, prev: str, previous_bytes: int) -> tuple[str, int]:
        """Writes one segment behind another; gives the seal it ends with and its length."""
        size = taken = 0
        file = self._storage.create(self._out / name)
        try:
            for one in shred(self._lines(name, previous_bytes), self._secret, prev, _digest):
                append_all(file, _fitting(one))
                prev, size, taken = one.seal, size + len(one.line), taken + one.taken
            file.fsync()
        finally:
            file.close()
        self._count(name, taken)
        return prev, size

    def _lines(self, name: str, previous_bytes: int) -> Iterator[bytes]:
        """The segment's lines; its header gives the new length of the segment before."""
        path = self._folder / name
        for offset, line in pieces(
            lambda at, size: self._storage.read(path, at, size), 0, self._storage.size(path)
        ):
            given = msgspec.json.decode(line)["previous_bytes"] if offset == 0 else previous_bytes
            yield line if given == previous_bytes else relink(line, _digest, previous_bytes=previous_bytes)

    def _kept(self, name: str) -> None:
        """Bytes in quarantine keep their name: an event refers to it."""
        before = self._storage.read(self._folder / name)
        after = self._secret.without_bytes(before)
        write_whole(self._storage, self._out / name, after)
        self._count(name, 0, changed=before != after)

    def _manifest(self) -> None:
        """A backup's sums are those of the new files."""
        old = msgspec.json.decode(self._storage.read(self._folder / MANIFEST), type=Manifest)
        files = []
        for file in old.files:
            size, sha256 = sum_of(self._storage, self._out / file.name)
            files.append(CopiedFile(name=file.name, bytes=size, sha256=sha256))
        sizes = {file.name: file.bytes for file in files}
        fences = tuple(
            msgspec.structs.replace(fence, bytes=sizes.get(segment_name(fence.log, fence.segment), 0))
            for fence in old.fences
        )
        new = msgspec.structs.replace(old, files=tuple(files), fences=fences)
        write_whole(
            self._storage, self._out / MANIFEST, msgspec.json.format(msgspec.json.encode(new)) + b"\n"
        )

    def _count(self, name: str, records: int, *, changed: bool = False) -> None:
        self._records += records
        if records or changed:
            self._files.append(name)


def _digest(body: bytes) -> str:
    return digest_of(body).decode()


def _fitting(one: Shredded) -> bytes:
    if len(one.line) > LINE_BYTES:
        raise UsageError(
            "A line would grow beyond what a reader holds: the marks are longer than what they replace.",
            hint="Give a longer part of the secret.",
        )
    return one.line


# --- what has to hold ---------------------------------------------------------------------------------------


def _must_be_sound(storage: Storage, folder: Path) -> None:
    report = verify(folder, storage=storage)
    if not report.ok:
        fault = report.faults[0]
        raise LogDamaged(
            f"The log is damaged: {fault.why}",
            segment=fault.file,
            offset=fault.offset,
            hint="navlog salvage --out DIR copies what is good; put that in its place, then shred.",
        )


def _must_be_ours(storage: Storage, folder: Path) -> None:
    """What is not carried over would be gone."""
    names = storage.listdir(folder)
    ours = {segment_name(log, number) for log in LOGS for number in segment_numbers(log, names)}
    ours |= {anchor_path(folder, log).name for log in LOGS} | {MANIFEST, INDEX, QUARANTINE}
    if strange := [name for name in names if name not in ours and not name.endswith(".tmp")]:
        raise UsageError(f"{folder / strange[0]} is not navlog's.", hint="Move it away first.")


def _must_be_clean(storage: Storage, out: Path, secret: Secret) -> None:
    """The new log is proven before it takes the old one's place."""
    names = [*storage.listdir(out), *(f"{QUARANTINE}/{name}" for name in storage.listdir(out / QUARANTINE))]
    left = [name for name in names if name != QUARANTINE and _holds(storage, out / name, secret)]
    report = verify(out, storage=storage)
    if left or not report.ok:
        raise Internal(f"The new log is not clean: {left or report.faults[0].why}", safe="The old one stays.")


def _holds(storage: Storage, path: Path, secret: Secret) -> bool:
    lines = pieces(lambda at, size: storage.read(path, at, size), 0, storage.size(path))
    return any(secret.within(line) for _, line in lines)
