"""Has the outlines made that the log does not hold yet, newest wish first, a bounded number at a time."""

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial

import msgspec

IN_FLIGHT = 8  # enough to keep a worker fed, little enough that a save is not kept waiting behind an index


class Wanted(msgspec.Struct, frozen=True):
    """A content whose outline is missing and a place to read it from."""

    content: str
    project: str
    path: str


class Outliner:
    """``make`` starts one outline and returns a future that ends when it is in the log (or cannot be had).

    Thread-safe; ``make`` is called in a thread of the outliner's own. `want` never blocks.
    """

    def __init__(self, make: Callable[[Wanted], Future[None]], in_flight: int = IN_FLIGHT) -> None:
        self._make = make
        self._in_flight = in_flight
        self._waiting: OrderedDict[str, Wanted] = OrderedDict()
        self._running: dict[str, Wanted] = {}
        self._missing: Counter[str] = Counter()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="outliner", daemon=True)
        self._thread.start()

    def want(self, wanted: Wanted, *, urgent: bool = False) -> None:
        """Ask for an outline; a save is ``urgent`` and goes first, a first index is not."""
        with self._changed:
            if wanted.content in self._running or self._closed:
                return
            if wanted.content not in self._waiting:
                self._missing[wanted.project] += 1
                self._waiting[wanted.content] = wanted
            if urgent:
                self._waiting.move_to_end(wanted.content, last=False)
            self._changed.notify_all()

    def pending(self, project: str) -> int:
        """How many outlines of the project are missing."""
        with self._changed:
            return self._missing[project]

    def forget(self, project: str) -> None:
        """Drop what the project still waits for."""
        with self._changed:
            for content in [c for c, w in self._waiting.items() if w.project == project]:
                del self._waiting[content]
                self._missing[project] -= 1
            self._changed.notify_all()

    def wait(self, contents: set[str], timeout: float) -> bool:
        """Whether none of ``contents`` is missing any more, after ``timeout`` seconds at most."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not any(c in self._waiting or c in self._running for c in contents), timeout
            )

    def close(self) -> None:
        """Start no more; what runs may end."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._missing.clear()
            self._changed.notify_all()
        self._thread.join()

    def _run(self) -> None:
        while wanted := self._next():
            self._make(wanted).add_done_callback(partial(self._ended, wanted.content))

    def _next(self) -> Wanted | None:
        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or (self._waiting and len(self._running) < self._in_flight)
            )
            if self._closed:
                return None
            content, wanted = self._waiting.popitem(last=False)
            self._running[content] = wanted
            return wanted

    def _ended(self, content: str, _done: Future[None]) -> None:
        with self._changed:
            self._missing[self._running.pop(content).project] -= 1
            self._changed.notify_all()
