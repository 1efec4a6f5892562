"""The graph as a projection: its fold, its tables and its views together.

Its state is a cache of its tables and can be taken back by `load` at any time.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import Any

from navlog.projections.graph import image, loading, showing, tables, writing
from navlog.projections.graph.changes import Changes
from navlog.projections.graph.fold import fold
from navlog.projections.graph.state import Header, State
from navlog.projections.store import Connection
from navlog.projections.views import ProjectView
from navlog.schemas.envelope import Record
from navlog.schemas.events import OutlineRecorded


class GraphProjection:
    """``views``: project id -> what answers are served from; kept up here, read elsewhere."""

    name = "graph"
    version = 6
    reads = None  # what is no file and no commit still moves the mark that the log is held against

    def __init__(self, views: dict[str, ProjectView] | None = None) -> None:
        self.views = {} if views is None else views
        self._state = State()
        self._db: Connection | None = None
        self._sound = False  # state and views say what the tables say

    @property
    def projects(self) -> Mapping[str, Header]:
        """The registered projects by id."""
        return {name: project.header for name, project in list(self._state.projects.items())}

    def create(self, db: Connection) -> None:
        """Tables and views in a new file."""
        tables.create(db)

    def load(self, db: Connection) -> None:
        """State and views as the tables say, in place of whatever they held.

        After a fault the tables themselves are asked, and so at the next start: they may be what is damaged.
        """
        if self._db is not None:
            image.forget(db)
        self._db, self._sound = db, False
        self._state, shown = image.read(db) or loading.load(db)
        showing.replace(self.views, shown)
        self._sound = True

    def rest(self, db: Connection) -> None:
        """Leaves an image of what the tables say for the next start; not to be able to is no fault.

        Whoever asks the views waits while it is taken, not while it is written.
        """
        if not self._sound or image.is_written(db):
            return
        with ExitStack() as stack:
            for view in self.views.values():
                stack.enter_context(view.lock)
            taken = image.take((self._state, self.views))
        with suppress(OSError):
            image.write(db, taken)

    def fold(self, batch: Sequence[Record]) -> Changes:
        """What ``batch`` changes; outlines of earlier batches are looked up in the tables."""
        self._sound = False
        return fold(self._state, batch, self._recall)

    def apply(self, db: Connection, changes: Changes) -> None:
        """Writes the changes, inside the caller's transaction."""
        writing.write(db, changes)

    def publish(self, changes: Changes) -> None:
        """Tells the views."""
        showing.show(self.views, changes)
        self._sound = True

    def fresh(self) -> "GraphProjection":
        """One with views of its own."""
        return GraphProjection()

    def succeed(self, previous: "GraphProjection") -> None:
        """From now on the views that ``previous`` kept are kept here, with what this one knows."""
        showing.replace(previous.views, self.views)
        self.views = previous.views

    def export(self, db: Connection) -> Iterator[tuple[Any, ...]]:
        """What the tables say, in an order and in terms that depend on the facts alone."""
        return tables.export(db)

    def _recall(self, contents: Iterable[str]) -> dict[str, OutlineRecorded]:
        return loading.recall(self._db, contents) if self._db else {}
