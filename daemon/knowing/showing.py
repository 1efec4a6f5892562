"""What is shown of a project's knowledge: the tables are read once, then the log's events are folded on top.

A new version is seen as soon as it is durable: nobody waits for the transaction that writes it. Refuses to
know better than the tables: where a pin, a rollback or a promotion decides what is shown, they are read.
"""

from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

from navlog.daemon.journal import Journal
from navlog.daemon.journal.shapes import Item
from navlog.projections.graph.tables import Row
from navlog.projections.knowledge import tables
from navlog.projections.knowledge.configuring import Configuration
from navlog.projections.knowledge.projection import summary_row
from navlog.projections.projector import Projector
from navlog.projections.store import Store
from navlog.schemas.envelope import Record
from navlog.schemas.event import Event
from navlog.schemas.events import ProjectRemoved
from navlog.schemas.knowledge import (
    CandidateJudged,
    KnowledgePinned,
    KnowledgeRolledBack,
    SummaryDropped,
    SummaryMade,
)
from navlog.schemas.payloads import decode_payload

WAIT_S = 0.5  # for the tables, where they are read
_TYPES = tuple(
    one.TYPE
    for one in (
        SummaryMade, SummaryDropped, KnowledgePinned, KnowledgeRolledBack, CandidateJudged, ProjectRemoved,
    )
)  # fmt: skip


class Shown(NamedTuple):
    """As of the position ``at``. ``rows`` as those of the view `knowledge`, by their documents.

    ``newest``: the newest version there is; ``stands_at``: the one that was rolled back to, or 0.
    """

    at: int
    rows: dict[str, Row]
    pins: frozenset[str]
    stands_at: int
    newest: int


class Showing:
    """Thread-safe. ``running``: what counts for everybody in a project."""

    def __init__(
        self, store: Store, events: Journal, knowledge: Projector, running: Callable[[str], Configuration]
    ) -> None:
        self._store = store
        self._events = events
        self._knowledge = knowledge
        self._running = running
        self._kept: dict[str, Shown] = {}
        self._lock = Lock()

    def of(self, project: str) -> Shown:
        """What is shown now."""
        with self._lock:
            kept = self._kept.get(project)
        found = (self._folded(project, kept) if kept else None) or self._read(project)
        with self._lock:
            self._kept[project] = found
        return found

    def _folded(self, project: str, kept: Shown) -> Shown | None:
        """``kept`` with what came since; None where only the tables know what that means."""
        until = self._events.position
        decided = kept.stands_at or kept.pins or self._running(project).summariser
        rows, newest = dict(kept.rows), kept.newest
        for record in self._events.select([Item(types=_TYPES)], kept.at):
            if record.position > until:
                break
            if record.project != project:
                continue
            event = decode_payload(record)
            if decided or not isinstance(event, SummaryMade | SummaryDropped):
                return None
            newest = record.position
            if not event.variant:
                _put(rows, record, event)
        return kept._replace(at=until, rows=rows, newest=newest)

    def _read(self, project: str) -> Shown:
        self._knowledge.wait_for(self._events.position, WAIT_S)
        at = self._knowledge.position.events  # first: what the tables have beyond it is folded once more
        runs = self._running(project)
        with self._store.cursor() as db:
            rows = tables.shown(db, project, runs.summaries, runs.summariser)
            pins, stands_at, newest = tables.standing(db, project)
        return Shown(at, {row[1]: row for row in rows}, frozenset(pins), stands_at, newest)


def _put(rows: dict[str, Row], record: Record, event: Event) -> None:
    if isinstance(event, SummaryMade):
        rows[event.document] = summary_row(record, event)
    elif isinstance(event, SummaryDropped):
        rows.pop(event.document, None)
