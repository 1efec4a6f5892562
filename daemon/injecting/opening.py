"""Puts the rooms of injecting together. A new source is a line in ``sources``, placed by its worth."""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from navlog.daemon.answers import Answers
from navlog.daemon.injecting.giving import Giving
from navlog.daemon.injecting.injector import Injector
from navlog.daemon.injecting.looking_back import LookingBack
from navlog.daemon.injecting.memory import Memory
from navlog.daemon.injecting.metrics import Heat, InjectionMetrics
from navlog.daemon.injecting.orientation import Orientation
from navlog.daemon.injecting.recording import Recording
from navlog.daemon.injecting.snapshots import Snapshots
from navlog.daemon.injecting.sources import Recalled, Routing, Source
from navlog.daemon.journal import Journal
from navlog.daemon.projects import Projects
from navlog.daemon.redact import Redactor
from navlog.projections.projector import Projector
from navlog.projections.sessions.past import Past
from navlog.projections.store import Store
from navlog.schemas.settings import Inject


def open_giving(
    data: Path,
    events: Journal,
    projects: Projects,
    answers: Answers,
    store: Store,
    graph: Projector,
    sessions: Projector,
    past: Past,
    settings: Inject,
    redactor: Redactor,
    stack: ExitStack,
    *,
    changed: Source,
    more: Sequence[Source] = (),
    variant: Callable[[str, str], str] = lambda _project, _session: "",
    heat: Heat = lambda _project, _msus: (),
    tuned: Callable[[str, str], Inject] | None = None,
    degraded: Callable[[str], str] = lambda _session: "",
) -> Giving:
    """What is pushed on the stack ends with it. ``changed`` stands first, ``more`` before the routing.

    ``heat`` gives the hot scores of records now.
    """

    def redact(text: str) -> str:
        return redactor.text(text).text

    orientation = Orientation(answers, projects, store, settings, redact)
    sources: tuple[Source, ...] = (
        orientation,
        changed,
        Recalled(past, lambda: sessions.position.events),
        *more,
        Routing(answers, projects, settings),
    )
    recording = Recording(events)
    metrics = InjectionMetrics(heat, time.monotonic)
    injector = Injector(
        sources, projects, recording, Memory(events), settings,
        position=lambda: graph.position.events, redact=redact, variant=variant,
        tuned=tuned, degraded=degraded, measured=metrics.measured,
    )  # fmt: skip
    stack.callback(injector.close)
    snapshots = Snapshots(data, projects, answers, orientation, lambda: graph.position.events)
    stack.callback(snapshots.stop)
    snapshots.start()

    def name_of(project: str) -> str:
        return next((one.name for one in projects.all() if one.id == project), project)

    looking_back = LookingBack(events, name_of)
    return Giving(injector, looking_back, recording, projects, answers, metrics)
