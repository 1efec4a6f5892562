"""The concepts as a projection of the second level: it reads the graph's views, once they hold the batch.

So it has no copy of what the graph knows. Between batches its tables may be ahead of its position, never
behind; at the log's end they are the same on any way there.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from navlog.projections.concepts import tables
from navlog.projections.concepts.fold import READS, Changes, Views, fold
from navlog.projections.concepts.moving import heirs
from navlog.projections.concepts.state import Shown, State
from navlog.projections.graph.tables import Row
from navlog.projections.store import Connection
from navlog.schemas.envelope import Record
from navlog.schemas.errors import Degraded
from navlog.schemas.overlays import OVERLAYS

GRAPH_S = 10.0  # how long the graph may take for what it has not folded yet


class ConceptsProjection:
    """``views``: the graph's; ``reached`` waits until they hold an event, at most so many seconds.

    ``shown`` is what others read, a `ConceptsView`.
    """

    name = "concepts"
    version = 2
    reads = READS

    def __init__(
        self,
        views: Views,
        reached: Callable[[int, float], bool] = lambda *_: True,
    ) -> None:
        self.shown = Shown()
        self.told: Callable[[], None] = lambda: None  # see `listen`
        self._views = views
        self._reached = reached
        self._state: State = {}

    def listen(self, told: Callable[[], None]) -> None:
        """``told`` is called after each transaction that found or showed something else; it must not wait."""
        self.told = told

    def create(self, db: Connection) -> None:
        """Tables in a new file."""
        tables.create(db)

    def load(self, db: Connection) -> None:
        """State and what is shown from the tables."""
        self._state = tables.load(db)
        self.shown.replace(self._state)

    def fold(self, batch: Sequence[Record]) -> Changes:
        """What ``batch`` changes; raises `Degraded` while the graph is behind it."""
        last = batch[-1]
        if last.type not in OVERLAYS and not self._reached(last.position, GRAPH_S):
            raise Degraded("the graph has not come so far", hint="navlog status")
        return fold(self._state, batch, self._views)

    def apply(self, db: Connection, changes: Changes) -> None:
        """Writes the changes, inside the caller's transaction."""
        tables.write(db, self._state, changes)

    def publish(self, changes: Changes) -> None:
        """Shows what changed."""
        for project, concepts in changes.concepts.items():
            self.shown.put(project, concepts)
        if changes.concepts or changes.found:
            self.told()

    def fresh(self) -> "ConceptsProjection":
        """One that shows nothing to anybody; it reads the same views."""
        return ConceptsProjection(self._views, self._reached)

    def succeed(self, previous: "ConceptsProjection") -> None:
        """From now on what ``previous`` showed is shown from here."""
        previous.shown.replace(self._state)
        self.shown, self.told = previous.shown, previous.told
        self.told()

    def export(self, db: Connection) -> Iterator[Row]:
        """What the tables say, in an order and in terms that depend on the facts alone."""
        return tables.export(db)

    @property
    def moved(self) -> Mapping[str, list[tuple[str, str]]]:
        """Project -> (previous, concept): identities that moved and of which no event speaks yet."""
        found = {
            name: list(heirs(project.lost, project.found)) for name, project in list(self._state.items())
        }
        return {name: pairs for name, pairs in found.items() if pairs}

    @property
    def state(self) -> State:
        """What is known of each project: read it, and nothing more."""
        return self._state
