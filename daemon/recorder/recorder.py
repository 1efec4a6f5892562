"""Looks again where a hint points and appends what changed: one batch a look, so a checkout arrives whole.

One thread looks; hints only queue. It refuses to interpret: what a change means is the projections' business.
"""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import reduce
from itertools import islice
from pathlib import Path

import msgspec
import structlog

from navlog.daemon.listener.hints import Hint
from navlog.daemon.listener.scan import scan
from navlog.daemon.recorder.appending import Appending, Appends
from navlog.daemon.recorder.outlining import Extracts, Outlining
from navlog.daemon.recorder.plan import Known, Look, facts
from navlog.daemon.recorder.worktree import Said, Worktree, reason_of
from navlog.schemas.control import DegradedReason
from navlog.schemas.errors import GitFailed, NavlogError
from navlog.schemas.events import Event, FileSkipped, HeadMoved, ScanCompleted
from navlog.schemas.settings import Settings

PIECE = 500  # events of a first index appended at once: the answer grows while the rest is read
RETRY_S = (1.0, 5.0, 30.0)  # after the first, second, … look in a row that failed
LAST_LOOK_S = 10.0  # how long the end of a look is awaited when its project is removed
log = structlog.get_logger()


class Progress(msgspec.Struct, frozen=True):
    """``files`` known so far, ``pending`` outlines to come, ``looked``: the first whole look has ended."""

    files: int
    pending: int
    looked: bool


class Recorder:
    """``version`` names the extractor; ``new_id`` draws an id; ``recorded``: as in `Outlining`."""

    def __init__(
        self,
        journal: Appends,
        extractor: Extracts,
        version: str,
        settings: Settings,
        *,
        new_id: Callable[[], str],
        now_ns: Callable[[], int],
        recorded: Callable[[str], str] = lambda _content: "",
    ) -> None:
        self._settings = settings
        self._now_ns = now_ns
        self._appending = Appending(journal, new_id)
        self._outlining = Outlining(self._appending, extractor, version, self._read, recorded, self._in_use)
        self._worktrees: dict[str, Worktree] = {}
        self._waiting: dict[str, Hint] = {}
        self._missed: dict[str, tuple[float, Hint]] = {}  # of looks that failed: when to try again, and what
        self._looking = ""
        self._looked: set[str] = set()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    def add(self, project: str, root: Path, said: Said) -> None:
        """Take the project up from what the log says of it, and look everywhere once."""
        worktree = Worktree(project, root, said, self._settings, self._now_ns)
        with self._changed:
            self._worktrees[project] = worktree
        self._outlining.known(said.outlined)
        for path, file in said.files.items():
            if isinstance(file, Known):
                self._outlining.want(project, path, file.content)
        self.hint(Hint(project=project, rescan=True, head=True))

    def remove(self, project: str) -> None:
        """Forget the project; nothing of it is looked at any more, once the look that runs has ended."""
        with self._changed:
            for kept in (self._worktrees, self._waiting, self._missed):
                kept.pop(project, None)
            self._changed.wait_for(lambda: self._looking != project, LAST_LOOK_S)
            self._looked.discard(project)
            self._changed.notify_all()
        self._outlining.forget(project)

    def hint(self, hint: Hint) -> None:
        """Look there soon; returns at once."""
        with self._changed:
            if hint.project not in self._worktrees or self._closed:
                return
            before = self._waiting.pop(hint.project, None)
            self._waiting[hint.project] = merged(before, hint) if before else hint
            self._changed.notify_all()

    def settle(self, project: str, timeout: float) -> int | None:
        """The position by which every hint so far is in the log, with the saves' outlines; None: not yet."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._is_idle(project), timeout):
                return None
        if not self._outlining.wait(self._outlining.urgent(project), timeout):
            return None
        return self._appending.position

    def wait_for_first(self, project: str, timeout: float) -> bool:
        """Whether the project has been looked at as a whole since the start."""
        with self._changed:
            return self._changed.wait_for(lambda: project in self._looked, timeout)

    def progress(self, project: str) -> Progress:
        """How far the project's index is."""
        worktree = self._worktrees.get(project)
        files = len(worktree.known) if worktree else 0
        return Progress(files, self._outlining.pending(project), project in self._looked)

    @property
    def position(self) -> int:
        """The last position of what the recorder has appended since the start."""
        return self._appending.position

    def faults(self) -> dict[str, DegradedReason]:
        """Project -> what keeps the recorder from knowing it whole."""
        with self._changed:
            trees = list(self._worktrees.items())
        told = {project: tree.fault or self._outlining.fault(project) for project, tree in trees}
        return {project: why for project, why in told.items() if why}

    def close(self) -> None:
        """End after the look that runs."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()
        self._outlining.close()

    def _is_idle(self, project: str) -> bool:
        return project not in self._waiting and self._looking != project

    def _run(self) -> None:
        while hint := self._next():
            worktree = self._worktrees.get(hint.project)
            try:
                if worktree:
                    self._look(worktree, hint)
            except Exception as fault:  # noqa: BLE001 - shown in `faults`, tried again: the thread must go on
                self._failed(hint, fault)
            finally:
                with self._changed:
                    self._looking = ""
                    self._changed.notify_all()

    def _next(self) -> Hint | None:
        """The next hint, together with what an earlier look at its project failed at; None: closed."""
        with self._changed:
            while not self._closed:
                self._looking = self._overdue() or next(iter(self._waiting), "")
                if self._looking:
                    return self._taken(self._looking)
                self._changed.wait(self._until_due())
            return None

    def _taken(self, project: str) -> Hint:
        """A look that succeeds clears the fault, so it must not leave out what the one before it missed."""
        _, missed = self._missed.pop(project, (0.0, None))
        return reduce(merged, filter(None, (missed, self._waiting.pop(project, None))))

    def _overdue(self) -> str:
        now = time.monotonic()
        return next((project for project, (due, _) in self._missed.items() if due <= now), "")

    def _until_due(self) -> float | None:
        soonest = min((due for due, _ in self._missed.values()), default=None)
        return None if soonest is None else max(0.0, soonest - time.monotonic())

    def _failed(self, hint: Hint, fault: Exception) -> None:
        """Nothing is known that is not durable, so the same look finds the same again."""
        why, ours = reason_of(fault), not isinstance(fault, NavlogError)
        log.warning("look_failed", project=hint.project, fault=why.reason, exc_info=fault if ours else None)
        with self._changed:
            if worktree := self._worktrees.get(hint.project):
                worktree.fault = why
                worktree.failures += 1
                delay = RETRY_S[min(worktree.failures, len(RETRY_S)) - 1]
                self._missed[hint.project] = (time.monotonic() + delay, hint)

    def _look(self, worktree: Worktree, hint: Hint) -> None:
        if hint.rescan or worktree.failures:
            worktree.fault = None  # single paths mend nothing of what a whole look found
        head = worktree.head_now() if hint.head else worktree.head
        moved = worktree.head_moved(head)
        try:
            self._record_step(worktree, hint, moved)
            worktree.head = head
        except GitFailed as fault:  # HEAD stays where the log says, so the next look at it asks again
            worktree.fault = reason_of(fault)
        if hint.head:
            self._appending.append(worktree.project, worktree.tips())
        worktree.failures = 0
        with self._changed:
            if self._worktrees.get(worktree.project) is worktree:
                self._looked.add(worktree.project)

    def _record_step(self, worktree: Worktree, hint: Hint, moved: HeadMoved | None) -> None:
        """The files and, if HEAD moved, how; raises `GitFailed` with the files recorded."""
        if worktree.head and moved:
            try:
                events = [moved, *worktree.commits(worktree.head.commit)]
            except GitFailed:
                self._record_files(worktree, hint, [])
                raise
            self._record_files(worktree, hint, events)
            return
        self._record_files(worktree, hint, [])
        if moved:
            # The history is long and HEAD stands for all of it: it comes last, so a crash begins it again.
            commits = worktree.commits(None)
            while some := list(islice(commits, PIECE)):
                self._appending.append(worktree.project, some)
            self._appending.append(worktree.project, [moved])

    def _record_files(self, worktree: Worktree, hint: Hint, events: Sequence[Event]) -> None:
        many = bool(worktree.known) and (hint.rescan or len(hint.changed) > PIECE)
        with self._outlining.held() if many else nullcontext():
            if hint.rescan:
                self._record_all(worktree, hint, events)
            else:
                looks = [worktree.look(path) for path in sorted(hint.changed)]
                self._record(worktree, looks, events, hint.moved)

    def _record_all(self, worktree: Worktree, hint: Hint, events: Sequence[Event]) -> None:
        """A first look goes into the log piece by piece, any other as one batch."""
        found = scan(worktree.root)
        looks = worktree.look_everywhere(found, hint.changed)
        first = not worktree.known
        while first and (some := list(islice(looks, PIECE))):
            self._record(worktree, some, urgent=False)
        rest = list(looks)
        news = self._record(worktree, rest, events, hint.moved, urgent=not first and len(rest) <= PIECE)
        if found.note and not worktree.fault:
            what, *more = found.note.splitlines()
            worktree.fault = DegradedReason(reason=what, hint=more[-1] if more else "navlog doctor")
        if first or news:
            self._appending.append(worktree.project, [_completed(worktree, hint, found.note)])

    def _record(
        self,
        worktree: Worktree,
        looks: Sequence[Look],
        events: Sequence[Event] = (),
        moved: Sequence[tuple[str, str]] = (),
        *,
        urgent: bool = True,
    ) -> bool:
        """Whether there was anything to say."""
        changes = facts(worktree.known, looks, moved)
        self._appending.append(worktree.project, [*events, *changes])
        worktree.accept(looks)
        for look in looks:
            # Also where nothing changed: a file that was away when its outline was due may be back, and one
            # that was moved may speak another language under its new name.
            if look.known:
                self._outlining.want(worktree.project, look.path, look.known.content, urgent=urgent)
        return bool(events or changes)

    def _in_use(self) -> set[str]:
        """The contents that files have now, of all projects."""
        trees = list(self._worktrees.values())
        files = (file for tree in trees for file in list(tree.known.values()))
        return {file.content for file in files if isinstance(file, Known)}

    def _read(self, project: str, path: str, content: str) -> bytes | None:
        worktree = self._worktrees.get(project)
        return worktree.read(path, content) if worktree else None


def merged(before: Hint, after: Hint) -> Hint:
    """Two hints as one; what asks for more wins."""
    return Hint(
        project=after.project,
        changed=before.changed | after.changed,
        rescan=before.rescan or after.rescan,
        head=before.head or after.head,
        moved=(*before.moved, *after.moved),
        why=before.why or after.why,
    )


def _completed(worktree: Worktree, hint: Hint, note: str) -> ScanCompleted:
    skipped: dict[str, int] = {}
    for file in worktree.known.values():
        if isinstance(file, FileSkipped):
            skipped[file.reason] = skipped.get(file.reason, 0) + 1
    files = len(worktree.known) - sum(skipped.values())
    return ScanCompleted(why=hint.why or "start", files=files, skipped=skipped, note=note)
