"""The reactor that keeps the vault: waits for news of the projections, lets it settle, writes what differs.

One thread; it follows the projectors and never holds one up. A page is made anew from the whole model and put
down only where its text is another one than last time, so what a person sees is a function of the log alone.
"""

import hashlib
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import structlog

from navlog.daemon.journal import Item, Journal
from navlog.daemon.vault.folder import VaultFolder
from navlog.projections.pages import Memo, Page, Vault, pages
from navlog.projections.projector import Projector
from navlog.projections.vault.reading import Reader
from navlog.projections.vault.trail import TYPES, Trail
from navlog.schemas.errors import Degraded, UsageError

IDLE_S = 0.5  # how often the overlays are looked at
SETTLE_S = 0.2  # an editor's save is several events
SHARE = 4  # a pass is followed by a pause this many times as long: at most a fifth of one core
LONGEST_S = 10.0
BURST = 500  # events; a projector that is further behind is not hurried
WAIT_S = 2.0
BACK_OFF_S = (1.0, 5.0, 15.0, 60.0)
log = structlog.get_logger()


class Written(NamedTuple):
    """What one pass did; ``theirs``: pages whose place somebody else's file has."""

    pages: int
    written: int
    removed: int
    theirs: tuple[str, ...]


class Keeper:
    """``folder`` None: no vault is wanted. ``roots`` are the projects' folders, which must not lie in it."""

    def __init__(
        self,
        folder: VaultFolder | None,
        vault: Vault,
        reader: Reader,
        logs: tuple[Journal, Journal],
        projectors: Sequence[Projector],
        roots: Callable[[], Iterable[Path]],
    ) -> None:
        self.folder = folder
        self.theirs: tuple[str, ...] = ()
        self.error = ""
        self._vault = vault
        self._reader = reader
        self._events, self._overlays = logs
        self._projectors = projectors
        self._roots = roots
        self._there = self._events.position  # until the tables have it again, what is missing is not gone
        self._trail = Trail()
        self._memo = Memo()
        self._known: dict[str, bytes] = {}  # path -> digest of the text that lies there
        self._shown = (0, 0)  # events and overlays that the pages show
        self._turn = threading.Lock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def position(self) -> int:
        """The event that the pages show."""
        return self._shown[0]

    @property
    def overlays(self) -> int:
        """The overlay that the pages show."""
        return self._shown[1]

    @property
    def lag(self) -> int:
        """How many events the log is ahead."""
        return max(0, self._events.position - self.position)

    def write(self) -> Written:
        """Compares every page with the disk; raises `UsageError` without a vault, `Degraded`, OSError.

        `Degraded` also while the tables come back from the log: half of them would take pages away.
        """
        return self._pass(whole=True)

    def digest(self) -> str:
        """SHA-256 over all pages as they are shown now."""
        with self._turn:
            total = hashlib.sha256()
            for path, made in sorted(self._known.items()):
                total.update(path.encode() + b"\0" + made)
            return total.hexdigest()

    def start(self) -> None:
        """Follows the projectors in a thread of its own until `stop`; without a folder there is none."""
        if self.folder is not None:
            self._thread = threading.Thread(target=self._follow, name="vault", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Ends the thread after the pass it is in."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    # --- the thread -------------------------------------------------------------------------------------

    def _follow(self) -> None:
        whole, faults, pause = True, 0, 0.0
        while self._reach()[0] < self._there:
            if self._stopping.wait(IDLE_S):
                return
        while not self._stopping.wait(pause):
            try:
                pause = 0.0
                if not (whole or self._has_news()):
                    continue
                self._stopping.wait(SETTLE_S)
                self._let_projectors_catch_up()
                if not whole and self._reach() == self._shown:
                    continue
                began = monotonic()
                self._pass(whole=whole)
                whole, faults, self.error = False, 0, ""
                pause = min(LONGEST_S, max(0.0, SHARE * (monotonic() - began) - SETTLE_S))
            except Exception as fault:  # noqa: BLE001 - shown in `status`, tried again: a thread must not just end
                self.error = str(fault).partition("\n")[0] or type(fault).__name__
                log.warning("vault_not_written", fault=str(fault))
                whole, pause = True, BACK_OFF_S[min(faults, len(BACK_OFF_S) - 1)]
                faults += 1

    def _has_news(self) -> bool:
        self._events.wait(self._shown[0], IDLE_S)
        return (self._events.position, self._overlays.position) != self._shown

    def _let_projectors_catch_up(self) -> None:
        """A projector gathers records unless somebody waits; in a burst it is left to its own pace."""
        goal = self._events.position
        for projector in self._projectors:
            if goal - projector.position.events < BURST:
                projector.wait_for(goal, WAIT_S)

    # --- a pass -----------------------------------------------------------------------------------------

    def _pass(self, *, whole: bool) -> Written:
        if self.folder is None:
            raise UsageError("There is no vault.", hint="Name its folder in the settings:  [vault] path")
        with self._turn:
            self._refuse_projects_inside(self.folder.root)
            # Before anything is read: what comes meanwhile is news for the next pass.
            shown = self._reach()
            if shown[0] < self._there:
                raise Degraded(
                    "The tables come back from the log; the pages stay as they are until then.",
                    hint="Look how far they are:  navlog status",
                )
            if whole:
                self.folder.prepare()
                self._known.clear()
            done = self._put_all(self.folder, whole=whole)
            self._shown, self.theirs = shown, done.theirs
            return done

    def _reach(self) -> tuple[int, int]:
        positions = [projector.position for projector in self._projectors]
        return min(one.events for one in positions), min(one.overlays for one in positions)

    def _put_all(self, folder: VaultFolder, *, whole: bool) -> Written:
        before = set(folder.ours()) if whole else set(self._known)
        made, written, theirs = 0, 0, []
        for page in self._pages():
            made += 1
            before.discard(page.path)
            digest = hashlib.sha256(page.text.encode()).digest()
            if self._known.get(page.path) == digest:
                continue
            did = folder.put(page.path, page.text)
            written += did == "written"
            if did == "theirs":
                theirs.append(page.path)
            else:
                self._known[page.path] = digest
        for path in before:
            self._known.pop(path, None)
        removed = sum(folder.take(path) for path in sorted(before))
        return Written(made, written, removed, tuple(theirs))

    def _pages(self) -> Iterable[Page]:
        self._trail.follow(self._events.select([Item(types=TYPES)], after=self._trail.position))
        read = (self._reader.read(project, self._trail) for project in self._reader.projects())
        return pages([project for project in read if project is not None], self._vault, self._memo)

    def _refuse_projects_inside(self, root: Path) -> None:
        for project in self._roots():
            if project.is_relative_to(root):
                raise Degraded(
                    f"The vault's folder {root} holds the project {project}.",
                    hint="Name a folder of its own:  [vault] path in the settings",
                )
