"""One project that is listened to, and when its next hint is due.

Times are seconds of one monotonic clock and always arguments. Refuses to decide what a change means.
"""

import os
from pathlib import Path

from navlog.daemon.listener.folders import Folders
from navlog.daemon.listener.gitwatch import GitWatch, Place, Signal
from navlog.daemon.listener.hints import Coverage, Hint, Pending
from navlog.daemon.listener.ignore import Folder, Ignore
from navlog.daemon.listener.kernel import Kernel, KernelEvent
from navlog.daemon.listener.repository import Repository
from navlog.daemon.listener.tree import Tree
from navlog.daemon.listener.watches import Parties, Watches
from navlog.schemas.counting import counted
from navlog.schemas.settings import Listen

STREAM_S = 0.25  # while changes keep coming, a hint goes out at least this often
CALM_S = 0.1  # after lost events or changed rules: no new ones for so long, then one whole look
GIT_QUIET_S = 0.06  # git moves HEAD right after it gave the index back
LARGE, LARGE_QUIET_S = 100, 0.5  # paths; after that many it may have to wait for the machine first
SERIES_QUIET_S = 0.5  # between two commits of a rebase; when it stopped, a save still waits for nothing
PLAIN = 4  # a save that brings or takes no names waits a quarter of the settling time
POLL_PAUSE_S = 0.02  # per polled folder: looking into it should take a twentieth of that, at most


class Watched:
    """``overflows`` counts how often the kernel dropped events since the start."""

    def __init__(
        self, project: str, root: Path, kernel: Kernel, parties: Parties, settings: Listen, *, poll: str = ""
    ) -> None:
        self.project = project
        self.root = root
        self.closed = False
        self.overflows = 0
        self.index_changed = False
        self.note = ""
        self._kernel = kernel
        self._parties = parties
        self._settings = settings
        self._pending = Pending()
        self._folders = Folders(root, Watches[Folder](kernel, parties), self._pending, poll=poll)
        self._tree = Tree(self._folders, self._pending)
        self._git: GitWatch | None = None
        self._first: float | None = None  # since when something is pending
        self._last = 0.0
        self._git_at = 0.0
        self._in_series = False
        self._locked = False
        self._worn = False  # a lock that outlasted the wait: left behind, or a very long checkout
        self._poll_at: float | None = None
        self._reconcile_at = 0.0

    # --- building

    def build(self, repository: Repository | None, ignore: Ignore, note: str, now: float) -> None:
        """Registers everything (again); `work` has to be called until it is done."""
        self.note = note
        self._watch_git(repository)
        self._folders.build(ignore)
        self._tree = Tree(self._folders, self._pending)
        self.index_changed = False
        self._reconcile_at = now + self._settings.reconcile_every_s

    def _watch_git(self, repository: Repository | None) -> None:
        """The same repository keeps its watches: no move of a ref falls between two of them."""
        if self._git and self._git.repository != repository:
            self._git.close()
            self._git = None
        if repository and not self._git:
            self._git = GitWatch(repository, Watches[Place](self._kernel, self._parties))
        if self._git:
            self._git.build()

    def work(self, limit: int) -> None:
        """Registers, or compares, up to ``limit`` folders that wait for it."""
        self._folders.work(limit)

    def close(self) -> None:
        """Gives every watch back."""
        self.closed = True
        self._folders.close()
        if self._git:
            self._git.close()

    def coverage(self) -> Coverage:
        """How much of it the kernel watches."""
        return self._folders.coverage(self.note)

    @property
    def ignore(self) -> Ignore:
        """The rules it goes by."""
        return self._folders.ignore

    @property
    def waiting(self) -> bool:
        """Whether folders wait to be registered: until then nothing is said."""
        return self._folders.waiting

    @property
    def busy(self) -> bool:
        """Whether `work` has anything to do."""
        return self._folders.busy

    @property
    def outdated(self) -> bool:
        """Whether its rules or folders have to be read again."""
        return self._folders.outdated

    @property
    def stirred(self) -> bool:
        """Whether something happened that was not said yet."""
        return self._first is not None

    # --- what happens

    def handle(self, event: KernelEvent, now: float) -> None:
        """Takes in an event, if it is one of this project's."""
        signal = self._git.handle(event) if self._git else None
        if signal:
            self._git_event(signal, now)
        self._tree.handle(event, now)
        if self._pending or self.outdated or self.index_changed:
            self._stir(now)

    def overflowed(self, now: float) -> None:
        """The kernel dropped events, nobody knows which."""
        self.overflows += 1
        self._folders.outdate("overflow")
        self._pending.head_moved()
        self._stir(now)

    def tracked(self, tracked: frozenset[bytes], now: float) -> None:
        """Which ignored files are tracked: where that changed, the rules are read again."""
        self.index_changed = False
        if tracked != self.ignore.tracked:
            self._folders.outdate("rules")
            self._stir(now)

    def tick(self, now: float) -> None:
        """What time alone brings: reconciling, polling, renames that led out."""
        self._tree.expire(now - self._settings.settle_s)
        if now >= self._reconcile_at:
            self._reconcile_at = now + self._settings.reconcile_every_s
            self._folders.outdate("periodic")
        self._poll(now)
        if (self._pending or self.outdated) and self._first is None:
            self._stir(now)

    def _poll(self, now: float) -> None:
        blind = self._git is not None and not self._git.covered
        pause = max(self._settings.poll_every_s, self.coverage().polled * POLL_PAUSE_S)
        if not self._folders.polled and not blind:
            self._poll_at = None
        elif self._poll_at is None:
            self._poll_at = now + pause
        elif now >= self._poll_at:
            self._poll_at = now + pause
            self._folders.poll()
            if blind:
                self._pending.head_moved()

    def _git_event(self, signal: Signal, now: float) -> None:
        self._git_at = now
        if signal & Signal.SERIES:
            self._in_series = self._git is not None and self._git.in_series()
        if signal & Signal.REF:
            self._pending.head_moved()
        if signal & Signal.RULES:
            self._folders.outdate("rules")
        self.index_changed |= bool(signal & Signal.INDEX)
        if signal & (Signal.LOCKED | Signal.UNLOCKED):
            self._locked, self._worn = bool(signal & Signal.LOCKED), False

    # --- when it is said

    def deadline(self) -> float:
        """When this project has to be seen to next, whatever happens."""
        half = self._tree.oldest_half
        times = (
            self.due(),
            self._poll_at,
            self._reconcile_at,
            None if half is None else half + self._settings.settle_s,
        )
        return min(time for time in times if time is not None)

    def due(self) -> float | None:
        """When the next hint goes out; None while there is nothing to say."""
        if self._first is None:
            return None
        hold = self._first + self._settings.index_hold_s
        if self.git_is_writing():  # a checkout that goes on is one; a lock left behind is not waited for
            return min(self._last + self._settings.index_lock_s, hold)
        limit = hold if self._in_series else self._first + self._settings.index_lock_s
        if self.outdated:
            return min(self._last + CALM_S, limit)
        if self._worn:
            return min(self._last + STREAM_S, limit)
        settle = self._settings.settle_s if self._pending.delicate else self._settings.settle_s / PLAIN
        settled = min(self._last + settle, self._first + STREAM_S)
        return min(max(settled, self._git_at + self._git_quiet_s()), limit)

    def _git_quiet_s(self) -> float:
        if self._in_series:
            return SERIES_QUIET_S
        return LARGE_QUIET_S if self._pending.paths > LARGE else GIT_QUIET_S

    def git_is_writing(self) -> bool:
        """Whether git holds the index: what is on disk is half of what it will be."""
        self._locked = self._locked and self._git is not None and os.path.lexists(self._git.lock)
        self._worn = self._worn and self._locked
        return self._locked and not self._worn

    def held_back(self) -> str:
        """Why nothing may be said yet; "" when it may."""
        if self.git_is_writing():
            return "git is writing the worktree"
        return "the project's folders are being registered" if self.outdated or self.waiting else ""

    def unseen(self) -> str:
        """Why some finished writes are not known at once; "" when all are."""
        coverage = self.coverage()
        polled = counted(coverage.polled, "folder")
        return f"{polled} polled, not watched: {coverage.why}" if coverage.polled else ""

    def take(self) -> Hint | None:
        """The hint, if there is anything to say; a lock that outlasted the wait holds back no more."""
        self._first = None
        self._worn = self._locked
        return self._pending.take(self.project) if self._pending else None

    def _stir(self, now: float) -> None:
        if self._first is None:
            self._first = now
        self._last = now
