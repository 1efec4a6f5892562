"""The listener: all projects on one inotify instance, in one thread, saying what to look at again.

A hint is never a fact, and nothing is read but names, stats and ignore rules. Writes nothing anywhere.
"""

import contextlib
import os
import select
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import structlog
from inotify_simple import flags

from navlog.daemon.listener.hints import Coverage, Hint
from navlog.daemon.listener.ignore import ignore_of, tracked_but_ignored
from navlog.daemon.listener.kernel import Inotify, Kernel, NoInotify, remote_kind
from navlog.daemon.listener.repository import repository_at
from navlog.daemon.listener.watched import Watched
from navlog.daemon.listener.watches import Parties
from navlog.schemas.errors import GitFailed
from navlog.schemas.settings import Listen

_SLICE = 256  # folders registered at a stretch; other projects' events are read in between
_DRAIN_S = 0.2  # how long an answer waits for the listener before it says that it may be stale
_log = structlog.get_logger()


class Listener:
    """``notify`` is called from the listener's thread or from `drain`, one at a time; it must be quick.

    So must ``stirred``, which is called when the first of several things happens, long before they are said.
    """

    def __init__(
        self,
        notify: Callable[[Hint], None],
        settings: Listen,
        *,
        stirred: Callable[[], None] = lambda: None,
        kernel: Kernel | None = None,
        now: Callable[[], float] = time.monotonic,
        threaded: bool = True,
    ) -> None:
        self._notify = notify
        self._stirred = stirred
        self._settings = settings
        self._kernel = kernel or _instance()
        self._now = now
        self._lock = threading.RLock()
        self._projects: dict[str, Watched] = {}
        self._parties: Parties = []
        self._told: dict[str, str] = {}
        self._closed = False
        self._wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True) if threaded else None
        if self._thread:
            self._thread.start()

    def add(self, project: str, root: Path) -> None:
        """Listens to ``root`` from now on; returns once every folder of it is registered."""
        kind = remote_kind(root)
        poll = f"{root} is on {kind}, where changes are not announced" if kind else ""
        watched = Watched(project, root, self._kernel, self._parties, self._settings, poll=poll)
        self.remove(project)
        with self._lock:
            self._projects[project] = watched
        self._build(watched)
        self._awake()

    def remove(self, project: str) -> None:
        """Listens no more; its watches and memory are given back."""
        with self._lock:
            watched = self._projects.pop(project, None)
            self._told.pop(project, None)
            if watched:
                watched.close()

    def drain(self, project: str | None = None) -> str:
        """Takes in what the kernel has queued now and says it (`notify`) before returning.

        The kernel queues an event before the write that caused it returns, so what is known afterwards shows
        every write finished before the call; where it may not, the reason comes back (else "").
        """
        if self._closed or not self._lock.acquire(timeout=_DRAIN_S):
            return "the listener is closed" if self._closed else "the listener is busy"
        stirred = True
        try:
            stirred = self._take_in(self._now()) or any(w.waiting for w in self._projects.values())
            chosen = [w for w in self._projects.values() if project in (None, w.project)]
            until = self._now() + _DRAIN_S
            while any(w.waiting for w in chosen) and self._now() < until:
                self._work(chosen)
            return "; ".join(filter(None, [self._settle(watched) for watched in chosen]))
        finally:
            self._lock.release()
            if stirred:  # else nothing is due earlier: the thread would only take the asker's turn
                self._awake()

    def coverage(self) -> dict[str, Coverage]:
        """By project."""
        with self._lock:
            return {name: watched.coverage() for name, watched in self._projects.items()}

    def overflows(self) -> int:
        """How often the kernel dropped events since the start, over all projects that are there."""
        with self._lock:
            return sum(watched.overflows for watched in self._projects.values())

    def close(self) -> None:
        """Ends the thread and gives everything back."""
        self._closed = True
        self._awake()
        if self._thread:
            self._thread.join()
        with self._lock:
            for project in list(self._projects):
                self.remove(project)
            self._kernel.close()
            os.close(self._wake)

    def turn(self) -> float | None:
        """One round: takes in, refreshes, says what is due. Returns the time by which to come back."""
        with self._lock:
            now = self._now()
            self._take_in(now)
            self._work(self._projects.values())
            for watched in self._projects.values():  # after the work: what that found has no event of its own
                watched.tick(now)
            late = [w for w in self._projects.values() if (w.outdated or w.index_changed) and _is_due(w, now)]
        for watched in late:
            self._refresh(watched)
        with self._lock:
            now = self._now()
            if late:  # git took its time to answer, and may have moved HEAD meanwhile
                self._take_in(now)
            for watched in self._projects.values():
                if _is_due(watched, now) and not (watched.outdated or watched.waiting):
                    self._say(watched)
                self._tell_coverage(watched)
            if any(watched.busy for watched in self._projects.values()):
                return now
            return min((watched.deadline() for watched in self._projects.values()), default=None)

    # --- the thread

    def _run(self) -> None:
        poller = select.poll()
        poller.register(self._kernel.fileno(), select.POLLIN)
        poller.register(self._wake, select.POLLIN)
        while not self._closed:
            deadline = self._guarded_turn()
            poller.poll(None if deadline is None else max(0.0, deadline - self._now()) * 1000 + 1)
            with contextlib.suppress(BlockingIOError):
                os.eventfd_read(self._wake)

    def _guarded_turn(self) -> float | None:
        """A fault must not end the listening: everything is looked at again instead."""
        try:
            return self.turn()
        except Exception:  # noqa: BLE001 - logged, shown, and made good by a whole look
            _log.exception("listener_fault")
            with self._lock:
                for watched in self._projects.values():
                    watched.overflowed(self._now())
            return self._now() + self._settings.poll_every_s

    def _awake(self) -> None:
        os.eventfd_write(self._wake, 1)

    # --- the parts of a round

    def _take_in(self, now: float) -> bool:
        """Whether there was anything; under the lock, like what follows."""
        events = list(self._kernel.read())
        quiet = not self._is_stirred()
        for event in events:
            if event.mask & flags.Q_OVERFLOW:
                for watched in self._projects.values():
                    watched.overflowed(now)
                continue
            for watched in self._projects.values():
                watched.handle(event, now)
        if quiet and self._is_stirred():
            self._stirred()
        return bool(events)

    def _is_stirred(self) -> bool:
        return any(watched.stirred for watched in self._projects.values())

    def _work(self, projects: Iterable[Watched]) -> None:
        """Folders that events brought, in pieces: whoever waits for the lock gets it in between."""
        for watched in projects:
            watched.work(_SLICE)

    def _refresh(self, watched: Watched) -> None:
        """Reads rules again; git is asked without the lock."""
        if watched.outdated:
            self._build(watched)
            return
        with contextlib.suppress(GitFailed):
            tracked = tracked_but_ignored(watched.root)
            with self._lock:
                watched.tracked(tracked, self._now())

    def _build(self, watched: Watched) -> None:
        repository = repository_at(watched.root)
        ignore, note = ignore_of(watched.root, repository)
        with self._lock:
            if watched.closed:
                return
            watched.build(repository, ignore, note, self._now())
        while watched.waiting and not watched.closed:
            with self._lock:
                watched.work(_SLICE)

    def _settle(self, watched: Watched) -> str:
        if reason := watched.held_back():
            return reason
        self._say(watched)
        return watched.unseen()

    def _say(self, watched: Watched) -> None:
        hint = watched.take()
        if hint is None:
            return
        try:
            self._notify(hint)
        except Exception:
            watched.overflowed(self._now())  # what was not heard is said again, as a whole look
            raise

    def _tell_coverage(self, watched: Watched) -> None:
        """Once per reason, not once per folder."""
        why = watched.coverage().why
        if why != self._told.get(watched.project, ""):
            self._told[watched.project] = why
            _log.warning("folders_polled", project=watched.project, why=why)


def _is_due(watched: Watched, now: float) -> bool:
    due = watched.due()
    return due is not None and due <= now


def _instance() -> Kernel:
    """Without an instance to be had (fs.inotify.max_user_instances) every project is polled."""
    try:
        return Inotify()
    except OSError as fault:
        _log.warning("inotify_unavailable", why=fault.strerror)
        return NoInotify()
