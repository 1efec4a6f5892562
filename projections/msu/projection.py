"""Which changes wait for a record, and the records: fold, tables and queue together."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import astuple

from navlog.projections.graph.tables import delete, insert
from navlog.projections.msu import tables as t
from navlog.projections.msu.fold import READS, Recall, fold
from navlog.projections.msu.queue import KEPT, Queue
from navlog.projections.msu.state import Changes, Entry, Place, Row, Standing, State
from navlog.projections.store import Connection
from navlog.schemas.envelope import Record
from navlog.schemas.slices import MsuFormed

_NEWEST = (
    "SELECT project, position, epoch(formed_at::TIMESTAMPTZ), record, vector FROM msus"
    " QUALIFY row_number() OVER (PARTITION BY project ORDER BY position DESC) <= ? ORDER BY position"
)
_records = msgspec.json.Decoder(MsuFormed)


class MsuProjection:
    """``queue``: what readers see."""

    name = "msu"
    version = 1
    reads = READS

    def __init__(self, queue: Queue | None = None) -> None:
        self.queue = queue or Queue()
        self._state = State()
        self._db: Connection | None = None

    @property
    def due(self) -> dict[Place, Standing]:
        """The places that a record is owed for, in the order in which that became so."""
        return dict(sorted(self._state.due.copy().items(), key=lambda one: one[1].position))

    def create(self, db: Connection) -> None:
        """Tables and views in a new file."""
        t.create(db)

    def load(self, db: Connection) -> None:
        """State and queue from the tables."""
        self._db = db
        self._state = State()
        for project, path, *row in db.execute("SELECT * FROM standing WHERE cause <> ''").fetchall():
            self._state.due[project, path] = Standing(*row)
        self._state.looked = {project for (project,) in db.execute("SELECT * FROM looked").fetchall()}
        fresh = Queue()
        for project, position, at, record, vector in db.execute(_NEWEST, [KEPT]).fetchall():
            entry = Entry(position, at, _records.decode(record), np.frombuffer(vector, np.float32))
            fresh.put(project, [entry])
        self.queue.replace(fresh)

    def fold(self, batch: Sequence[Record]) -> Changes:
        """What ``batch`` changes."""
        return fold(self._state, batch, Recall(self._standing, self._texts))

    def apply(self, db: Connection, changes: Changes) -> None:
        """Writes the changes, inside the caller's transaction."""
        gone = [(project,) for project in sorted(changes.purged)]
        for table, key in ((t.STANDING, "project"), (t.LOOKED, "project"), (t.MSUS, "project")):
            for row in gone:
                db.execute(f"DELETE FROM {table.name} WHERE {key} = ?", row)  # noqa: S608 - names of our own
        insert(db, t.LOOKED, [(project,) for project in sorted(changes.looked)])
        delete(db, t.STANDING, list(changes.standing))
        insert(
            db, t.STANDING,
            [(*place, *astuple(one)) for place, one in changes.standing.items() if one is not None],
        )  # fmt: skip
        delete(db, t.TEXTS, [(name,) for name in changes.texts])
        insert(db, t.TEXTS, list(changes.texts.items()))
        insert(
            db,
            t.MSUS,
            [_columns(row) for row in changes.formed],
        )

    def publish(self, changes: Changes) -> None:
        """Tells the readers, and whoever forms the records."""
        for project in changes.purged:
            self.queue.drop(project)
        for row in changes.formed:
            self.queue.put(row.project, [row.entry])

    def fresh(self) -> "MsuProjection":
        """One with a queue of its own."""
        return MsuProjection()

    def succeed(self, previous: "MsuProjection") -> None:
        """From now on the readers of ``previous`` see what this one knows."""
        previous.queue.replace(self.queue)
        self.queue = previous.queue

    def export(self, db: Connection) -> Iterator[tuple[Any, ...]]:
        """What the tables say, in an order and in terms that depend on the facts alone."""
        return t.export(db)

    def texts(self, db: Connection, hashes: Iterable[str]) -> dict[str, str]:
        """The kept texts with these hashes, read with a reader's own cursor."""
        return t.texts(db, hashes)

    def _standing(self, places: Iterable[Place]) -> dict[Place, Standing]:
        if self._db is None:
            return {}
        return {(project, path): Standing(*row) for project, path, *row in t.standing(self._db, places)}

    def _texts(self, hashes: Iterable[str]) -> dict[str, str]:
        return t.texts(self._db, hashes) if self._db else {}


def _columns(row: Row) -> tuple[Any, ...]:
    msu = row.entry.msu
    return (
        msu.msu, row.project, msu.path, row.at, row.entry.position, row.cause, msu.basis, msu.core_tokens,
        msu.radius_tokens, row.record.decode(), row.entry.vector.tobytes(),
    )  # fmt: skip
