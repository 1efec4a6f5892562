"""The queue's verbs: which records there are, what one says, what is new since a reader's position.

They look and change nothing; a reader keeps its position itself, so there can be any number of them.
"""

from collections.abc import Callable, Sequence
from datetime import tzinfo
from typing import cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from navlog.daemon.projects import Project, Projects
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.projections.embedding.hashing import HashingEmbedder
from navlog.projections.msu.projection import MsuProjection
from navlog.projections.msu.queue import HOURS, Hot, MsuQueue, heat
from navlog.projections.msu.state import Entry
from navlog.projections.projector import Projector
from navlog.projections.slicing.speaking import summary
from navlog.projections.store import Store
from navlog.schemas.errors import UsageError
from navlog.schemas.queue import (
    MsuLine,
    MsuListArgs,
    MsuListReply,
    MsuShowArgs,
    MsuShowReply,
    MsuTailArgs,
    MsuTailReply,
    MsuTakeArgs,
    MsuTakeReply,
)
from navlog.schemas.settings import Queue as QueueSettings

Lines = list[MsuLine]  # a method of that name stands in the way of the type
LOOK_S = 0.2  # how often a reader that waits looks again


class Queueing:
    """``freshen`` waits for the newest writes; ``now`` is in seconds since the epoch, ``zone`` the user's."""

    def __init__(
        self,
        projects: Projects,
        msu: Projector,
        store: Store,
        freshen: Callable[[Project], str],
        now: Callable[[], float],
        zone: tzinfo | None,
        queue: Callable[[], MsuQueue],
    ) -> None:
        self._projects = projects
        self._msu = msu
        self._store = store
        self._freshen = freshen
        self._now = now
        self._zone = zone
        self._of = queue
        self._embedder = HashingEmbedder()

    def verbs(self) -> Verbs:
        """What the server offers."""
        return {
            "msu-list": Verb(self.list, MsuListArgs),
            "msu-show": Verb(self.show, MsuShowArgs),
            "msu-tail": Verb(self.tail, MsuTailArgs, waits=True),
            "msu-take": Verb(self.take, MsuTakeArgs, looks=False, waits=True),
        }

    def list(self, args: MsuListArgs, _trace: str, _report: Report) -> MsuListReply:
        """The hottest records, or those nearest to a task."""
        project = self._projects.find(args.project)
        self._freshen(project)
        now = self._now()
        if args.task.strip():
            found = self._queue.near(project.id, self._embedder.embed([args.task])[0], now, args.limit)
        else:
            found = self._queue.hot(project.id, now, self._zone)[: args.limit]
        waiting = sum(owner == project.id for owner, _ in self._projection.due)
        return MsuListReply(
            project=project.id, position=self._msu.position.events, waiting=waiting,
            msus=[self._line(one, now) for one in found],
        )  # fmt: skip

    def show(self, args: MsuShowArgs, _trace: str, _report: Report) -> MsuShowReply:
        """One record; raises `UsageError` when there is none of that name."""
        project = self._projects.find(args.project)
        now = self._now()
        hot = self._queue.hot(project.id, now, self._zone)
        named = [one for one in hot if _is_named(one.entry, args.msu)]
        if not named:
            raise UsageError(f"No record of the last day is called {args.msu!r}.", hint="navlog msu list")
        newest = max(named, key=lambda one: one.entry.position)
        record = newest.entry.msu
        hashes = {member.text for member in (*record.core, *record.radius) if member.text}
        with self._store.cursor() as db:
            texts = {**self._queue.texts(project.id, hashes), **self._projection.texts(db, hashes)}
        return MsuShowReply(line=self._line(newest, now), record=record, texts=texts)

    def tail(self, args: MsuTailArgs, _trace: str, report: Report) -> MsuTailReply:
        """What is new for a reader."""
        project = self._projects.find(args.project)
        after = self._queue.version(project.id) if args.after is None else args.after
        found = self._waited(
            lambda: self._queue.after(project.id, after, self._now(), args.limit), args.wait_s, report
        )
        lines = self._lines(project, found)
        return MsuTailReply(after=found[-1].position if found else after, msus=lines)

    def take(self, args: MsuTakeArgs, _trace: str, report: Report) -> MsuTakeReply:
        """What is next for a reader whose place the queue keeps."""
        project = self._projects.find(args.project)
        self._queue.confirm(project.id, args.reader, args.done)
        found = self._waited(
            lambda: self._queue.take(project.id, args.reader, self._now(), args.limit), args.wait_s, report
        )
        return MsuTakeReply(msus=self._lines(project, found))

    def heat(self, project: str, msus: set[str]) -> Sequence[float]:
        """The hot scores now of the records with these ids that are of the last day."""
        now = self._now()
        return heat(self._queue.since(project, now - HOURS * 3600), msus, now, self._zone)

    @property
    def _projection(self) -> MsuProjection:
        return cast("MsuProjection", self._msu.projection)

    @property
    def _queue(self) -> MsuQueue:
        return self._of()

    def _waited(self, look: Callable[[], Sequence[Entry]], wait_s: float, report: Report) -> Sequence[Entry]:
        """What there is to see, at the latest after ``wait_s``."""
        until = self._now() + wait_s
        while not (found := look()):
            left = until - self._now()
            if left <= 0:
                break
            report("waiting", 0)
            self._msu.wait_for(self._msu.goal + 1, min(LOOK_S, left))
        return found

    def _lines(self, project: Project, found: Sequence[Entry]) -> Lines:
        now = self._now()
        heat = {one.entry.msu.msu: one.score for one in self._queue.hot(project.id, now, self._zone)}
        return [self._line(Hot(one, heat.get(one.msu.msu, 0.0)), now) for one in found]

    def _line(self, hot: Hot, now: float) -> MsuLine:
        entry, msu = hot.entry, hot.entry.msu
        return MsuLine(
            msu=msu.msu, position=entry.position, path=msu.path, summary=summary(msu),
            score=round(hot.score, 3), age_s=round(max(0.0, now - entry.at), 1),
            tokens=msu.core_tokens + msu.radius_tokens, members=len(msu.core) + len(msu.radius),
            machine=entry.machine,
        )  # fmt: skip


def zone_of(settings: QueueSettings) -> tzinfo | None:
    """The user's, None for the machine's own; raises `UsageError` for one that nobody knows."""
    if not settings.zone:
        return None
    try:
        return ZoneInfo(settings.zone)
    except (ZoneInfoNotFoundError, ValueError):
        raise UsageError(f"There is no time zone {settings.zone!r}.", hint="See [queue] zone.") from None


def _is_named(entry: Entry, name: str) -> bool:
    return entry.msu.path == name or entry.msu.msu.removeprefix("msu:").startswith(name.removeprefix("msu:"))
