"""Has the outlines made that the log does not hold yet, newest wish first, a bounded number at a time."""

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial

import msgspec

IN_FLIGHT = 16  # being made: enough to keep a worker fed, little enough that a save need not wait for long
UNWRITTEN = 160  # not in the log yet, made or not: `journal.UNHURRIED` of them are fsynced together
Key = tuple[str, str]


class Wanted(msgspec.Struct, frozen=True):
    """A content whose outline is missing and a place where it was seen; ``language`` as that name has it."""

    content: str
    project: str
    path: str
    language: str = ""

    @property
    def key(self) -> Key:
        """What is made once."""
        return self.content, self.language


class Outliner:
    """``make`` starts one outline; its future says whether the text still stood at that place.

    Where it did not, the next place is tried that asked for the same content. An outline that is `made`
    leaves room for another one before it is in the log. Thread-safe; ``make`` is called in a thread of the
    outliner's own. `want` never blocks.
    """

    def __init__(self, make: Callable[[Wanted], Future[bool]], in_flight: int = IN_FLIGHT) -> None:
        self._make = make
        self._in_flight = in_flight
        self._places: dict[Key, list[Wanted]] = {}  # of everything that is missing, the newest last
        self._waiting: OrderedDict[Key, None] = OrderedDict()
        self._running: set[Key] = set()
        self._making: set[Key] = set()  # those of them that a worker still has
        self._urgent: set[Key] = set()
        self._missing: defaultdict[str, set[Key]] = defaultdict(set)  # by project
        turn = threading.RLock()
        self._changed = threading.Condition(turn)  # whoever waits for outlines
        self._room = threading.Condition(turn)  # the thread, which waits until it may start some
        self._held = False
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="outliner", daemon=True)
        self._thread.start()

    def want(self, wanted: Wanted, *, urgent: bool = False) -> None:
        """Ask for an outline; a save is ``urgent`` and goes first, a first index is not."""
        key = wanted.key
        with self._changed:
            if self._closed:
                return
            self._missing[wanted.project].add(key)
            places = self._places.setdefault(key, [])
            if key in self._running or wanted not in places:
                places.append(wanted)  # what runs may have read this very place before it had the content
            if key not in self._running:
                self._waiting.setdefault(key)
                if urgent:
                    self._waiting.move_to_end(key, last=False)
            if urgent:
                self._urgent.add(key)
            self._wake(urgent=urgent)

    @property
    def is_busy(self) -> bool:
        """Whether so many wait that nobody waits for a single one: a first index."""
        return len(self._waiting) > self._in_flight

    def made(self, key: Key) -> None:
        """The worker has answered; what is left is the log's."""
        with self._changed:
            self._making.discard(key)
            self._wake()

    def pending(self, project: str) -> int:
        """How many outlines of the project are missing."""
        with self._changed:
            return len(self._missing.get(project, ()))

    def urgent(self, project: str) -> set[Key]:
        """Which saves' outlines of the project are missing."""
        with self._changed:
            return self._urgent & self._missing.get(project, set())

    def forget(self, project: str) -> None:
        """Drop what the project alone still waits for."""
        with self._changed:
            for key in self._missing.pop(project, ()):
                places = self._places[key]
                places[:] = [place for place in places if place.project != project]
                if not places and key in self._waiting:
                    del self._waiting[key], self._places[key]
                    self._urgent.discard(key)
            self._changed.notify_all()

    def wait(self, keys: set[Key], timeout: float) -> bool:
        """Whether none of ``keys`` is missing any more, after ``timeout`` seconds at most."""
        with self._changed:
            return self._changed.wait_for(lambda: self._closed or keys.isdisjoint(self._places), timeout)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Starts none meanwhile. Outlines made beside a look share the interpreter's lock with it, which it
        gives up at every system call: 10,000 files took 5 s instead of 0.6 s.
        """
        self._hold(held=True)
        try:
            yield
        finally:
            self._hold(held=False)

    def close(self) -> None:
        """Start no more; what runs may end."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._places.clear()
            self._missing.clear()
            self._urgent.clear()
            self._changed.notify_all()
            self._room.notify()
        self._thread.join()

    def _run(self) -> None:
        while wanted := self._next():
            self._make(wanted).add_done_callback(partial(self._ended, wanted.key))

    def _hold(self, *, held: bool) -> None:
        with self._changed:
            self._held = held
            self._wake(urgent=True)

    def _wake(self, *, urgent: bool = False) -> None:
        """For one that is urgent, else for several at once: each waking takes another thread's turn."""
        if self._waiting and (urgent or 2 * len(self._making) <= self._in_flight):
            self._room.notify()

    def _may_start(self) -> bool:
        room = len(self._making) < self._in_flight and len(self._running) < UNWRITTEN
        return bool(self._waiting) and not self._held and room

    def _next(self) -> Wanted | None:
        with self._changed:
            self._room.wait_for(lambda: self._closed or self._may_start())
            if self._closed:
                return None
            key, _ = self._waiting.popitem(last=False)
            self._running.add(key)
            self._making.add(key)
            return self._places[key].pop()

    def _ended(self, key: Key, done: Future[bool]) -> None:
        with self._changed:
            self._running.discard(key)
            self._making.discard(key)
            gone = not done.cancelled() and not done.exception() and not done.result()
            if gone and self._places.get(key):
                self._waiting[key] = None
                self._waiting.move_to_end(key, last=False)
            else:
                self._places.pop(key, None)
                self._urgent.discard(key)
                for missing in self._missing.values():
                    missing.discard(key)
            self._changed.notify_all()
            self._wake()
