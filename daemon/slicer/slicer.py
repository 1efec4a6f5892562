"""Follows the log; forms the record of each change once the graph has applied it, and appends it.

What is due stands in the projection ``msu``, so it outlives a restart; a record's id is made of its cause's,
so a cause has one record. A small change is asked for at once; a large one (a checkout, a first index) comes
when the projectors come to it, and of more changes than `Slice.at_once` the rest is passed by, and said.
"""

import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import islice
from time import perf_counter
from typing import Literal, cast

import structlog

from navlog.daemon.journal import Item, Journal
from navlog.daemon.projects import Project, Projects
from navlog.daemon.slicer.forming import Former
from navlog.projections.msu.projection import MsuProjection
from navlog.projections.msu.state import Place, Standing
from navlog.projections.projector import Projector
from navlog.projections.ranking.kinds import KINDS, kind_of
from navlog.projections.slicing.forming import Sliced
from navlog.schemas.envelope import Draft, draft
from navlog.schemas.errors import IdReused, NavlogError
from navlog.schemas.events import FileMoved, FileObserved, FileRemoved, FileSkipped
from navlog.schemas.sessions import TextKept
from navlog.schemas.settings import Slice
from navlog.schemas.slices import ChangesPassed

SOURCE = "slicer"
SMALL = 32  # changes that are asked for at once; more come when they come
IDLE_S = 1.0
ASK_S = 2.0  # how long the projectors are waited for
GATHER_S = 0.5  # between two rounds while a large change goes on: the log, the tables and answers come first
PAUSE_S = 0.005  # between two records of one round: answers come first
BACK_OFF_S = 5.0
_FILES = (Item(types=(FileObserved.TYPE, FileMoved.TYPE, FileRemoved.TYPE, FileSkipped.TYPE), tags=()),)
log = structlog.get_logger()


class Slicer:
    """``now`` is in seconds since the epoch, ``measured`` is told the seconds of each record."""

    def __init__(
        self,
        events: Journal,
        graph: Projector,
        msu: Projector,
        projects: Projects,
        former: Former,
        settings: Slice,
        *,
        now: Callable[[], float],
        measured: Callable[[float], None] = lambda _: None,
    ) -> None:
        self._events = events
        self._graph = graph
        self._msu = msu
        self._projects = projects
        self._former = former
        self._settings = settings
        self._now = now
        self._measured = measured
        self._seen = events.position
        self._done: set[str] = set()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="slicer", daemon=True)

    def start(self) -> None:
        """In a thread of its own, until `close`."""
        self._thread.start()

    def close(self) -> None:
        """Ends after the record it is at."""
        self._closing.set()
        self._thread.join()

    def look(self) -> None:
        """Forms what is due and can be formed now."""
        due = self._due()
        for project in self._projects.all() if due else ():
            mine = {path: one for (owner, path), one in due.items() if owner == project.id}
            if mine and not self._closing.is_set():
                self._slice(project, mine)

    def _run(self) -> None:
        """What the log says is folded first: whether a cause has its record stands in the tables."""
        goal = self._events.position
        while not self._closing.is_set() and not self._msu.wait_for(goal, IDLE_S):
            pass
        while not self._closing.is_set():
            try:
                goal = self._events.wait(self._seen, IDLE_S)
                if not self._hurry(goal):
                    self._closing.wait(GATHER_S)
                self._seen = goal
                self.look()
            except Exception as fault:
                told = None if isinstance(fault, NavlogError) else fault
                log.warning("slicing_failed", fault=str(fault), exc_info=told)
                self._closing.wait(BACK_OFF_S)

    def _hurry(self, goal: int) -> bool:
        """Has a small change applied now: the projectors would gather company first. False: a large one."""
        if goal <= self._seen:
            return True
        waiting = len(self._due())
        if waiting <= SMALL:
            waiting += len(list(islice(self._events.select(_FILES, self._seen), SMALL + 1 - waiting)))
        if 0 < waiting <= SMALL:
            self._msu.wait_for(goal, ASK_S)
            self._graph.wait_for(goal, ASK_S)
        return waiting <= SMALL

    def _due(self) -> dict[Place, Standing]:
        """What waits for a record, but for what was appended and is not folded yet."""
        due = cast("MsuProjection", self._msu.projection).due
        self._done &= {one.cause for one in due.values()}
        return {place: one for place, one in due.items() if one.cause not in self._done}

    def _slice(self, project: Project, due: dict[str, Standing]) -> None:
        """One atomic append: what is passed by, and the records that can be formed now."""
        kept, passed = self._chosen(due)
        drafts = [_draft(project.id, event) for event in passed]
        formed: list[tuple[str, Sliced]] = []
        ready = self._former.ready(project, {path: due[path] for path in kept})
        for path in ready:
            if self._closing.is_set():
                break
            began = perf_counter()
            if (sliced := self._former.form(project, path, due[path])) is not None:
                self._measured(perf_counter() - began)
                formed.append((due[path].cause, sliced))
                self._closing.wait(PAUSE_S if len(ready) > 1 else 0)
        drafts += _drafts(project.id, formed)
        if drafts:
            self._append(drafts)
            self._done |= {cause for cause, _ in formed}

    def _append(self, drafts: Sequence[Draft]) -> None:
        try:
            self._events.append(drafts).result()
        except IdReused as fault:  # the cause has its record already, and a record is never another one
            log.warning("record_formed_twice", fault=str(fault))

    def _chosen(self, due: dict[str, Standing]) -> tuple[list[str], list[ChangesPassed]]:
        """The paths that get a record, oldest change first, and what is said of the others."""
        oldest = self._now() - self._settings.hours * 3600
        young = [path for path, one in due.items() if seconds(one.at) >= oldest]
        many = sorted(young, key=_worth)[: self._settings.at_once]
        kept = [path for path in young if path in set(many)] if len(young) > len(many) else young
        if len(kept) == len(due):
            return kept, []
        until = max(one.position for one in due.values())
        why: Literal["many", "old"] = "many" if len(young) > len(kept) else "old"
        passed = ChangesPassed(until=until, count=len(due) - len(kept), why=why, kept=kept)
        log.info("changes_passed", count=passed.count, why=why)
        return kept, [passed]


def _worth(path: str) -> tuple[int, int, str]:
    """Of too many, sources come first, then what lies near the root."""
    return KINDS.index(kind_of(path)), path.count("/"), path


def seconds(at: str) -> float:
    """The time of a record, since the epoch."""
    return datetime.fromisoformat(at).timestamp()


def _draft(project: str, event: ChangesPassed) -> Draft:
    return draft(event, project=project, source=SOURCE, id=f"passed:{project}:{event.until}:{event.count}")


def _drafts(project: str, formed: Sequence[tuple[str, Sliced]]) -> list[Draft]:
    """Each text once, then the records."""
    texts = {name: text for _, sliced in formed for name, text in sliced.texts.items()}
    kept = [
        draft(TextKept(hash=name, text=text), project=project, source=SOURCE, id=f"text:{name}")
        for name, text in texts.items()
    ]
    msus = [
        draft(sliced.msu, project=project, source=SOURCE, id=sliced.msu.msu, cause=cause)
        for cause, sliced in formed
    ]
    return [*kept, *msus]
