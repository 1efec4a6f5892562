"""Hook calls that a client could not hand over: read in their order, said again, and deleted.

A file a call (`hook.py` writes them); its id is the call's, so one that was heard after all changes nothing.
What a client that was killed left under a hidden name is a call as well. A file that is no call is set aside
and named in `status`; while the log cannot be written everything stays.
"""

import os
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
import structlog

from navlog.schemas.errors import Degraded
from navlog.schemas.wire import HookArgs

EVERY_S = 5.0
FILE_BYTES = 8 * 1024 * 1024  # a redacted payload may be longer than it came
UNSETTLED_S = 2.0  # longer than any client lives
DAMAGED = 100  # files that are set aside; the oldest go first
log = structlog.get_logger()


class Spool:
    """``say`` hands over one call: raises `Degraded` where it has to wait, else what is wrong with it."""

    def __init__(self, folder: Path, say: Callable[[HookArgs], object]) -> None:
        self._folder = folder
        self._damaged = folder / "damaged"
        self._say = say
        self._turn = threading.Lock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Looks every `EVERY_S` in a thread of its own, until `stop`."""
        self._thread = threading.Thread(target=self._follow, name="spool", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends after the file it is at."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def waiting(self) -> int:
        """How many calls wait."""
        return sum(1 for _ in self._files(".json"))

    def damaged(self) -> list[str]:
        """The names of what was set aside."""
        return sorted(path.name for path in _listed(self._damaged))

    def drain(self) -> int:
        """Says what waits, the oldest first; how many calls that were."""
        with self._turn:
            done = 0
            self._settle()
            for path in sorted(self._files(".json")):
                if self._stopping.is_set() or not self._take(path):
                    break
                done += 1
            return done

    def _follow(self) -> None:
        while not self._stopping.is_set():
            try:
                if done := self.drain():
                    log.info("spool_drained", calls=done)
            except OSError as fault:
                log.warning("spool_unreadable", fault=str(fault))
            self._stopping.wait(EVERY_S)

    def _take(self, path: Path) -> bool:
        """Whether the file is done with: said, or set aside."""
        try:
            self._say(_read(path))
        except Degraded as fault:
            log.warning("spool_waits", fault=str(fault))
            return False
        except Exception as fault:  # noqa: BLE001 - one bad file must not hold up the others
            self._set_aside(path, fault)
            return True
        path.unlink(missing_ok=True)
        return True

    def _set_aside(self, path: Path, fault: Exception) -> None:
        log.warning("spool_file_damaged", file=path.name, fault=f"{type(fault).__name__}: {fault}")
        self._damaged.mkdir(mode=0o700, exist_ok=True)
        path.rename(self._damaged / path.name)
        for old in sorted(_listed(self._damaged))[:-DAMAGED]:
            old.unlink(missing_ok=True)

    def _settle(self) -> None:
        """What killed clients left: a call that was kept becomes one of those that wait, a draft goes."""
        for path in [*self._files(".open"), *self._files(".tmp")]:
            with suppress(FileNotFoundError):  # its client lives, and has settled it
                if time.time() - path.lstat().st_mtime < UNSETTLED_S:
                    continue
                if path.suffix == ".tmp":
                    path.unlink()
                else:
                    path.rename(path.with_name(f"{path.name.lstrip('.').removesuffix('.open')}.json"))

    def _files(self, end: str) -> Iterator[Path]:
        return (path for path in _listed(self._folder) if path.name.endswith(end))


def _listed(folder: Path) -> list[Path]:
    try:
        return [Path(entry.path) for entry in os.scandir(folder)]
    except FileNotFoundError:
        return []


def _read(path: Path) -> HookArgs:
    """The call in a file; raises `ValueError` or what msgspec raises. Follows no link, waits for no pipe."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError("not a regular file")
        data = file.read(FILE_BYTES + 1)
    if len(data) > FILE_BYTES:
        raise ValueError(f"longer than {FILE_BYTES} bytes")
    return msgspec.structs.replace(msgspec.json.decode(data, type=HookArgs), spooled=True)
