"""What the journal's tests build their worlds from: drafts, a journal without its thread, logs in a dict."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path

from navlog.daemon.journal import Journal
from navlog.daemon.journal.appender import Appender
from navlog.daemon.journal.group import Request
from navlog.daemon.journal.memory import MemoryStorage
from navlog.daemon.journal.quarantine import announcement, repairs
from navlog.daemon.journal.recovery import recover
from navlog.daemon.journal.storage import Storage, write_whole
from navlog.schemas.envelope import Draft, draft
from navlog.schemas.events import FileRemoved
from navlog.schemas.settings import Log

FOLDER = Path("/home/log")
AT = "2026-01-01T00:00:00.000Z"
DEFAULT = Log()
SMALL = Log(segment_bytes=2500)
Files = dict[str, bytes]


def gone(name: object, **fields: object) -> Draft:
    """The event that a file is gone; its id is made of the name."""
    return draft(
        FileRemoved(path=f"{name}"),
        project="p",
        source="test",
        id=f"id-{name}",
        **fields,  # type: ignore[arg-type]
    )


def open_journal(folder: Path, settings: Log = DEFAULT, **options: object) -> Journal:
    """The real thing, without redaction."""
    return Journal.open(
        folder,
        "events",
        settings=settings,
        redact=lambda draft: draft,
        **options,  # type: ignore[arg-type]
    )


class Process:
    """A run of the journal without its thread: the same recovery, the same appender, a clock one can move."""

    def __init__(
        self, storage: Storage, settings: Log = SMALL, clock: Sequence[float] = (0.0,), mark: int = 0
    ) -> None:
        storage.make_folder(FOLDER)
        self.lock = storage.lock(FOLDER)
        recovered = recover(storage, FOLDER, "events", mark)
        self.read_only = recovered.read_only
        self.catalog = recovered.catalog
        self.told: list[str] = []
        self.appender = Appender(
            storage,
            FOLDER,
            self.catalog,
            settings,
            now=lambda: AT,
            monotonic=lambda: clock[0],
            notify=lambda name, _fields: self.told.append(name),
            resume=recovered.resume,
            mark=recovered.mark,
        )
        if not self.read_only:
            self._announce(storage)

    def commit(self, *batches: Sequence[Draft]) -> list[Request]:
        """One group of atomic appends."""
        requests = [Request(tuple(drafts), None, Future()) for drafts in batches]
        self.appender.commit(requests)
        return requests

    def stop(self) -> None:
        """A clean end."""
        self.appender.close()
        self.lock.close()

    @property
    def ids(self) -> list[str]:
        return [record.id for record in self.catalog.read()]

    def _announce(self, storage: Storage) -> None:
        drafts = [announcement(repair) for repair in repairs(storage, FOLDER, "events")]
        if new := [draft for draft in drafts if self.catalog.find(draft.id) is None]:
            self.commit(new)


def files_of(storage: MemoryStorage) -> Files:
    """The files of the log's folder, by name; indexes and quarantine apart."""
    names = [name for name in storage.listdir(FOLDER) if "." in name]
    return {name: storage.read(FOLDER / name) for name in names}


def disk(files: Mapping[str, bytes]) -> MemoryStorage:
    """A storage with these files in the log's folder."""
    storage = MemoryStorage()
    storage.make_folder(FOLDER)
    for name, content in files.items():
        write_whole(storage, FOLDER / name, content)
    return storage


def written(count: int, settings: Log = DEFAULT, *, closed: bool = True) -> Files:
    """A log of ``count`` records, stopped cleanly, or as a killed writer leaves it (its anchor says 0)."""
    storage = MemoryStorage()
    process = Process(storage, settings)
    for number in range(1, count + 1):
        process.commit([gone(number)])
    if closed:
        process.stop()
    return files_of(storage)
