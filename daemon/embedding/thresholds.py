"""Which cosine means "alike" for an embedder in a project: what was calibrated last, else its default.

Read from the log, each event once; asked for on the answering path, so nothing is computed here.
"""

from threading import Lock

from navlog.daemon.journal import Journal
from navlog.daemon.journal.shapes import Item
from navlog.projections.embedding import Embedder
from navlog.schemas.payloads import decode_payload
from navlog.schemas.slices import EmbeddingCalibrated

# Measured with `benchmarks/recalling.py`: 0.25 passes 0.3 to 0.5% of the records of other commits than the
# one whose subject is the prompt, most of them about the same matter. A model that was never calibrated
# passes nothing but what a prompt calls by its name.
DEFAULTS = {"hashing": 0.25}
UNKNOWN = 1.01
_CALIBRATED = Item(types=(EmbeddingCalibrated.TYPE,))


class Thresholds:
    """Thread-safe."""

    def __init__(self, events: Journal) -> None:
        self._events = events
        self._read = 0
        self._fold: dict[tuple[str, str, str], float] = {}
        self._lock = Lock()

    def of(self, project: str, embedder: Embedder) -> float:
        """The cosine that one of a hundred unrelated pairs of the project's chunks passes (``fold``).

        Not the looser ``alike`` (five of a hundred): there are many records a day, and an unrelated prompt
        should be given none.
        """
        with self._lock:
            self._catch_up()
            found = self._fold.get((project, embedder.provider, embedder.model))
        return DEFAULTS.get(embedder.provider, UNKNOWN) if found is None else found

    def _catch_up(self) -> None:
        goal = self._events.position
        if goal == self._read:
            return
        for record in self._events.select([_CALIBRATED], self._read):
            event = decode_payload(record)
            if isinstance(event, EmbeddingCalibrated):
                self._fold[record.project, event.provider, event.model] = event.fold
        self._read = goal
