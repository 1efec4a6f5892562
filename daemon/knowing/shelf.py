"""The documents of a project as retrieval wants them: read from the tables, kept until they change.

Also what was chosen for a session and topic, for `keep_s`; neither outlives a change of its sources. Where
the configured embedder does not answer, the hashed words decide.
"""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from typing import NamedTuple

import structlog

from navlog.projections.embedding import Embedder, Vectors
from navlog.projections.embedding.hashing import HashingEmbedder
from navlog.projections.graph.tables import Row
from navlog.projections.knowledge import tables
from navlog.projections.knowledge.elements import Elements
from navlog.projections.knowledge.retrieving import (
    Chosen,
    Known,
    Question,
    calibrate,
    coarse,
    known,
    names_of,
    question,
    rerank,
)
from navlog.projections.store import Store
from navlog.schemas.errors import NavlogError

HASHING = HashingEmbedder()  # its vectors know equal words only: it is given all that a word may stand for
KEPT = 512  # choices
log = structlog.get_logger()


class Look(NamedTuple):
    """The coarse look of one embedder: a vector a document, and the calibrated threshold."""

    embedder: Embedder
    rows: Vectors
    least: float


class Shelf(NamedTuple):
    """``looks``: the configured embedder's first, if it answered; hashing's is always there."""

    changes: int
    documents: Sequence[Known]
    looks: Sequence[Look]


class Shelves:
    """One shelf per project and variant. ``changes`` counts a project's changes of knowledge."""

    def __init__(
        self,
        store: Store,
        changes: Callable[[], Counter[str]],
        embedder: Callable[[], Embedder],
        keep_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._changes = changes
        self._embedder = embedder
        self._keep_s = keep_s
        self._clock = clock
        self._shelves: dict[tuple[str, str], Shelf] = {}
        self._kept: OrderedDict[tuple[str, ...], tuple[float, int, list[Chosen]]] = OrderedDict()
        self._lock = Lock()

    def version(self, project: str) -> int:
        """Another number after every change of the project's knowledge."""
        return self._changes()[project]

    def shelf(self, project: str, variant: str = "") -> Shelf:
        """The documents that are shown now."""
        changes = self.version(project)
        found = self._shelves.get((project, variant))
        if found is None or found.changes != changes:
            with self._store.cursor() as db:
                rows = tables.shown(db, project, variant)
            found = self._shelves[project, variant] = self._made(changes, rows)
        return found

    def choose(
        self, project: str, variant: str, session: str, task: str, least: float,
        fine: Callable[[list[Chosen]], list[Chosen]] = lambda found: found,
    ) -> list[Chosen]:  # fmt: skip
        """The documents that speak for a task, best first; ``least`` 0.0 takes the calibrated threshold.

        ``fine`` may put another order in the place of ours.
        """
        asked = question(task)
        topic = " ".join(sorted({word for voice in asked.voices for word in list(voice)[-1:]}))
        key, shelf = (project, variant, session, topic), self.shelf(project, variant)
        with self._lock:
            kept = self._kept.get(key)
        if kept and kept[1] == shelf.changes and self._clock() - kept[0] <= self._keep_s:
            return kept[2]
        chosen = fine(self._choose(shelf, asked, least))
        with self._lock:
            self._kept[key] = (self._clock(), shelf.changes, chosen)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return chosen

    def _choose(self, shelf: Shelf, asked: Question, least: float) -> list[Chosen]:
        if not shelf.documents:
            return []
        names = enumerate(map(names_of, shelf.documents))
        named = [row for row, own in names if any(name in asked.text for name in own)]
        for look in shelf.looks:
            try:
                query = look.embedder.embed([_question(look.embedder, asked)])
            except NavlogError as fault:
                log.warning("embedder_away", fault=fault.message)
                continue
            near = coarse(query, look.rows, least or look.least, named)
            return rerank(asked, [(shelf.documents[row], cosine) for row, cosine in near], shelf.documents)
        return []

    def _made(self, changes: int, rows: Sequence[Row]) -> Shelf:
        documents = [
            known(document, kind, version, title, Elements(problem, constraint, latest, pointer))
            for (_, document, _, version, kind, _, _, title, problem, constraint, latest, pointer, *_) in rows
        ]
        return Shelf(changes, documents, list(self._looks(documents)))

    def _looks(self, documents: Sequence[Known]) -> Iterator[Look]:
        try:
            embedder = self._embedder()
            if embedder.provider != HASHING.provider:
                yield _look(embedder, documents)
        except NavlogError as fault:
            log.warning("embedder_away", fault=fault.message)
        yield _look(HASHING, documents)


def _look(embedder: Embedder, documents: Sequence[Known]) -> Look:
    lexical = embedder.provider == HASHING.provider
    said = [
        (row, question(text))
        for row, one in enumerate(documents)
        for text in (one.elements.core_problem, one.elements.key_constraint, one.elements.latest_decision)
        if text
    ]
    rows = embedder.embed([one.words if lexical else one.text for one in documents])
    sentences = embedder.embed([_question(embedder, one) for _, one in said])
    return Look(embedder, rows, calibrate(rows, sentences, [row for row, _ in said]))


def _question(embedder: Embedder, asked: Question) -> str:
    return asked.words if embedder.provider == HASHING.provider else asked.text
