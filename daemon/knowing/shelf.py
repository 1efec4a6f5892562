"""The documents of a project as retrieval wants them: read from the tables, kept until they change.

Also what was chosen for a session and topic, for `keep_s`; neither outlives a change of its sources. The
hashed words look beside a configured embedder, and alone where it does not answer within `QUESTION_S` and
until `keep_warm` has had the documents embedded: a model needs seconds for those of a project.
"""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import accumulate
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import structlog

from navlog.projections.embedding import Embedder, Vectors
from navlog.projections.embedding.hashing import HashingEmbedder
from navlog.projections.graph.tables import Row
from navlog.projections.knowledge import tables
from navlog.projections.knowledge.configuring import Configuration
from navlog.projections.knowledge.elements import Elements
from navlog.projections.knowledge.retrieving import (
    Among,
    Chosen,
    Known,
    Question,
    among,
    calibrate,
    coarse,
    known,
    merged,
    names_of,
    question,
    rerank,
)
from navlog.projections.store import Store
from navlog.schemas.errors import NavlogError
from navlog.schemas.settings import Embed

HASHING = HashingEmbedder()  # its vectors know equal words only: it is given all that a word may stand for
KEPT = 512  # choices
QUESTION_S = 0.12  # for the vector of a prompt: a hook has 0.3 s for everything
log = structlog.get_logger()


Made = Mapping[tuple[str, int], tuple[Vectors, Vectors]]  # (document, version) -> its row, its sentences


class Look(NamedTuple):
    """The coarse look of one embedder: a vector a document, and the calibrated threshold.

    ``made`` has what was embedded of each version: (its row, one row for each of its sentences).
    """

    embedder: Embedder
    rows: Vectors
    least: float
    made: Made


class Shelf(NamedTuple):
    """``names``: what a prompt would call each pointer.

    ``looks``: the configured embedder's first, if it answered; hashing's is always there. ``is_whole``: the
    configured embedder was asked for every document. ``made`` by the model that made it, see `Look`.
    """

    changes: int
    documents: Sequence[Known]
    among: Among
    names: Sequence[set[str]]
    looks: Sequence[Look]
    is_whole: bool
    made: Mapping[tuple[str, str], Made]


class Shelves:
    """One shelf per project and variant. ``changes`` counts a project's changes of knowledge."""

    def __init__(
        self,
        store: Store,
        changes: Callable[[], Counter[str]],
        runs: Callable[[str, str], Configuration],
        embedder: Callable[[Embed], Embedder],
        keep_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._changes = changes
        self._runs = runs
        self._embedder = embedder
        self._keep_s = keep_s
        self._clock = clock
        self._shelves: dict[tuple[str, str], Shelf] = {}
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="embed")
        self._kept: OrderedDict[tuple[str, ...], tuple[float, int, list[Chosen]]] = OrderedDict()
        self._lock = Lock()
        self._warming: Future[Any] | None = None

    def close(self) -> None:
        """Waits for no model."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def keep_warm(self, projects: Iterable[str]) -> None:
        """Has the shelves of these projects made, where one is not the newest; returns at once."""
        wanted = dict.fromkeys([*((project, "") for project in projects), *self._shelves])
        cold = [key for key in wanted if self._is_cold(*key)]
        if cold and (self._warming is None or self._warming.done()):
            self._warming = self._pool.submit(lambda: [self.shelf(*key, whole=True) for key in cold])

    def version(self, project: str) -> int:
        """Another number after every change of the project's knowledge."""
        return self._changes()[project]

    def shelf(self, project: str, variant: str = "", *, whole: bool = False) -> Shelf:
        """The documents that are shown now; ``whole`` waits for the configured embedder."""
        changes = self.version(project)
        found = self._shelves.get((project, variant))
        if found is None or found.changes != changes or (whole and not found.is_whole):
            runs = self._runs(project, variant)
            with self._store.cursor() as db:
                rows = tables.shown(db, project, runs.summaries, runs.summariser)
            made = self._made(changes, rows, found, self._configured(runs.embed), whole=whole)
            found = self._put((project, variant), made)
        return found

    def choose(
        self, project: str, variant: str, session: str, task: str, least: float,
        fine: Callable[[list[Chosen]], list[Chosen]] = lambda found: found,
    ) -> list[Chosen]:  # fmt: skip
        """The documents that speak for a task, best first; ``least`` 0.0 takes the calibrated threshold.

        ``fine`` may put another order in the place of ours.
        """
        asked = question(task)
        topic = " ".join(sorted({word for voice in asked.voices for word in voice if voice[word] == 1.0}))
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
        named = [row for row, own in enumerate(shelf.names) if any(name in asked.text for name in own)]
        seen = [
            coarse(query, look.rows, least if least and look is shelf.looks[0] else look.least, named)
            for look in shelf.looks
            if (query := self._query(look.embedder, asked)) is not None
        ]
        near = merged(seen, named) if len(seen) > 1 else seen[0]
        return rerank(asked, [(shelf.documents[row], cosine) for row, cosine in near], shelf.among)

    def _put(self, key: tuple[str, str], made: Shelf) -> Shelf:
        """Keeps a shelf, unless a better one of the same moment was made meanwhile."""
        with self._lock:
            now = self._shelves.get(key)
            if now is None or (now.changes, now.is_whole) != (made.changes, True):
                self._shelves[key] = made
            return self._shelves[key]

    def _query(self, embedder: Embedder, asked: Question) -> Vectors | None:
        """The vector of a prompt; None if the embedder does not answer in time."""
        texts = [_question(embedder, asked)]
        if embedder.provider == HASHING.provider:
            return embedder.embed(texts)
        try:
            return self._pool.submit(embedder.embed, texts).result(QUESTION_S)
        except TimeoutError:
            log.warning("embedder_away", fault=f"{embedder.model} took more than {QUESTION_S} s")
        except NavlogError as fault:
            log.warning("embedder_away", fault=fault.message)
        return None

    def _is_cold(self, project: str, variant: str) -> bool:
        found = self._shelves.get((project, variant))
        return found is None or found.changes != self.version(project) or not found.is_whole

    def _made(
        self,
        changes: int,
        rows: Sequence[Row],
        before: Shelf | None,
        embedder: Embedder | None,
        *,
        whole: bool,
    ) -> Shelf:
        """A shelf; what is the same version as ``before`` is not looked up and embedded again."""
        same = {(one.document, one.version): one for one in before.documents} if before else {}
        documents = [
            same.get((document, version))
            or known(document, kind, version, title, Elements(problem, constraint, latest, pointer))
            for (_, document, _, version, kind, _, _, title, problem, constraint, latest, pointer, *_) in rows
        ]
        made = before.made if before else {}
        looks = [look(HASHING, documents, made.get(_model(HASHING), {}))]
        if embedder and (whole or _knows(made.get(_model(embedder), {}), documents)):
            looks[:0] = self._look_closer(embedder, documents, made.get(_model(embedder), {}))
            whole = True
        made = {**made, **{_model(one.embedder): one.made for one in looks}}
        names = [*map(names_of, documents)]
        return Shelf(changes, documents, among(documents), names, looks, whole or embedder is None, made)

    def _configured(self, embed: Embed) -> Embedder | None:
        """The embedder that is set, None for the hashed words; away is as good as none."""
        try:
            embedder = self._embedder(embed)
        except NavlogError as fault:
            log.warning("embedder_away", fault=fault.message)
            return None
        return None if embedder.provider == HASHING.provider else embedder

    def _look_closer(
        self,
        embedder: Embedder,
        documents: Sequence[Known],
        made: Made,
    ) -> list[Look]:
        try:
            return [look(embedder, documents, made)]
        except NavlogError as fault:
            log.warning("embedder_away", fault=fault.message)
            return []


def _knows(made: Made, documents: Sequence[Known]) -> bool:
    return all((one.document, one.version) in made for one in documents)


def look(
    embedder: Embedder,
    documents: Sequence[Known],
    made: Made,
) -> Look:
    """The documents as ``embedder`` sees them; ``made`` has what it has seen already."""
    new = [one for one in documents if (one.document, one.version) not in made]
    fresh = _embedded(embedder, new) if new else {}
    keys = ((one.document, one.version) for one in documents)
    kept = {key: fresh[key] if key in fresh else made[key] for key in keys}
    if not kept:
        return Look(embedder, HASHING.embed([]), 0.0, kept)
    rows = np.concatenate([row for row, _ in kept.values()])
    said = np.concatenate([sentences for _, sentences in kept.values()])
    owners = [row for row, (_, sentences) in enumerate(kept.values()) for _ in sentences]
    return Look(embedder, rows, calibrate(rows, said, owners), kept)


def _embedded(embedder: Embedder, new: Sequence[Known]) -> dict[tuple[str, int], tuple[Vectors, Vectors]]:
    lexical = embedder.provider == HASHING.provider
    rows = embedder.embed([one.words if lexical else one.text for one in new])
    said = [[_question(embedder, question(text)) for text in _sayings(one)] for one in new]
    sentences = embedder.embed([text for one in said for text in one])
    ends = list(accumulate(map(len, said), initial=0))
    return {
        (one.document, one.version): (rows[row : row + 1], sentences[ends[row] : ends[row + 1]])
        for row, one in enumerate(new)
    }


def _sayings(one: Known) -> list[str]:
    elements = one.elements
    return list(filter(None, (elements.core_problem, elements.key_constraint, elements.latest_decision)))


def _model(embedder: Embedder) -> tuple[str, str]:
    return embedder.provider, embedder.model


def _question(embedder: Embedder, asked: Question) -> str:
    return asked.words if embedder.provider == HASHING.provider else asked.text
