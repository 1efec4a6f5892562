"""The projection `sessions`: who worked on what, with which result. Reads events alone, no overlay."""

from collections.abc import Iterator, Sequence
from typing import Any

from navlog.projections.sessions import keeping, tables
from navlog.projections.sessions.fold import READS, Changes, fold
from navlog.projections.sessions.past import Past
from navlog.projections.sessions.state import State
from navlog.projections.store import Connection
from navlog.schemas.envelope import Record


class SessionsProjection:
    """``past``: what readers are served from; kept up here, read elsewhere."""

    name = "sessions"
    version = 1
    reads = READS

    def __init__(self, past: Past | None = None) -> None:
        self.past = past or Past()
        self._state = State()

    def fresh(self) -> "SessionsProjection":
        """An empty one of its kind, for a replay."""
        return SessionsProjection()

    def create(self, db: Connection) -> None:
        """Tables in a new file."""
        tables.create(db)

    def load(self, db: Connection) -> None:
        """State and views from the tables, in place of whatever they held."""
        self._state = keeping.load(db)
        self.past.replace(Past(self._state))

    def fold(self, batch: Sequence[Record]) -> Changes:
        """What ``batch`` changes."""
        return fold(self._state, batch)

    def apply(self, db: Connection, changes: Changes) -> None:
        """Writes the changes, inside the caller's transaction."""
        keeping.write(db, changes)

    def publish(self, changes: Changes) -> None:
        """Tells the readers."""
        self.past.put(changes.sessions.values(), changes.tasks.values())

    def succeed(self, previous: "SessionsProjection") -> None:
        """From now on the views that ``previous`` kept are kept here, with what this one knows."""
        previous.past.replace(self.past)
        self.past = previous.past

    def export(self, db: Connection) -> Iterator[tuple[Any, ...]]:
        """What the tables say."""
        return tables.export(db)
