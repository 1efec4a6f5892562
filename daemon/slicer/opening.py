"""The rooms of slicing, opened together: what forms records, shows their queue, exports and calibrates."""

import os
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import cast

from navlog.daemon.answers import Answers
from navlog.daemon.embedding.calibrating import Calibrating
from navlog.daemon.exporting import Exporting
from navlog.daemon.home import Home
from navlog.daemon.journal import Journal
from navlog.daemon.projects import Project, Projects
from navlog.daemon.queueing import Queueing, zone_of
from navlog.daemon.sharing.metrics import SharingMetrics
from navlog.daemon.sharing.opening import open_sharing
from navlog.daemon.slicer.forming import Former
from navlog.daemon.slicer.metrics import SlicingMetrics
from navlog.daemon.slicer.slicer import Slicer
from navlog.daemon.slicer.texts import Texts
from navlog.daemon.verbs import Verbs
from navlog.projections.embedding import Embedder
from navlog.projections.msu.projection import MsuProjection
from navlog.projections.msu.queue import MsuQueue, Queue
from navlog.projections.msu.tables import texts
from navlog.projections.projector import Projector
from navlog.projections.store import Store
from navlog.projections.views import ProjectView
from navlog.schemas.control import DegradedReason
from navlog.schemas.settings import Settings


@dataclass(frozen=True)
class Slicing:
    """What others see of them."""

    queueing: Queueing
    calibrating: Calibrating
    exporting: Exporting
    metrics: SlicingMetrics
    queue: Callable[[], MsuQueue]
    sharing: SharingMetrics
    degraded: Callable[[], Iterable[DegradedReason]]

    def verbs(self) -> Verbs:
        """See `navlog.daemon.handlers`."""
        return {**self.queueing.verbs(), **self.calibrating.verbs(), **self.exporting.verbs()}


def open_slicing(
    home: Home,
    settings: Settings,
    store: Store,
    events: Journal,
    graph: Projector,
    msu: Projector,
    projects: Projects,
    answers: Answers,
    view: Callable[[str], ProjectView | None],
    embedder: Callable[[], Embedder],
    redact: Callable[[str], str],
    new_id: Callable[[], str],
    stack: ExitStack,
) -> Slicing:
    """Records are formed from now on; the stack ends it. Raises `UsageError` for a zone nobody knows."""
    zone = zone_of(settings.queue)
    reading = Texts(redact, settings.extract.file_bytes)
    metrics = SlicingMetrics(lambda: cast("MsuProjection", msu.projection), time.time, zone)
    slicer = Slicer(
        events, graph, msu, projects, Former(store, view, reading, settings.slice), settings.slice,
        now=time.time, measured=metrics.measured,
    )  # fmt: skip
    stack.callback(slicer.close)
    slicer.start()
    calibrating = Calibrating(
        projects, answers.view, partial(_read, answers, reading),
        embedder, lambda drafts: events.append(drafts).result().last, new_id,
    )  # fmt: skip

    def local() -> Queue:
        return cast("MsuProjection", msu.projection).queue

    shared, sharing = open_sharing(
        settings.queue, os.environ, home.data, projects, local, partial(_texts, store), redact, stack
    )

    def queue() -> MsuQueue:
        return shared or local()

    queueing = Queueing(projects, msu, store, answers.freshen, time.time, zone, queue)
    exporting = Exporting(store, msu, home.derived)
    degraded = shared.degraded if shared else tuple
    return Slicing(queueing, calibrating, exporting, metrics, queue, sharing, degraded)


def _texts(store: Store, hashes: set[str]) -> dict[str, str]:
    """The kept texts with these hashes."""
    with store.cursor() as db:
        return texts(db, hashes)


def _read(answers: Answers, texts: Texts, project: Project, path: str) -> Sequence[str] | None:
    """A file's lines while it is what was indexed."""
    file = answers.view(project).files.get(path)
    return texts.now(project.root, path, file.content) if file else None
