"""The composition root: the one place that knows every room and opens them in order."""

import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from typing import cast

import structlog

from navlog.daemon import memory
from navlog.daemon.answers import Answers
from navlog.daemon.elsewhere import Elsewhere
from navlog.daemon.extract import EXTRACTOR, Extractor
from navlog.daemon.handlers import verbs
from navlog.daemon.home import Home
from navlog.daemon.house import House
from navlog.daemon.impacts import Impacts
from navlog.daemon.journal import Held, Journal
from navlog.daemon.knowing.opening import Ground, open_knowing
from navlog.daemon.listener import Listener
from navlog.daemon.projects import Projects, Registered
from navlog.daemon.recorder.recorder import Recorder
from navlog.daemon.redact import Redactor
from navlog.daemon.reporting import fatal, state
from navlog.daemon.rooms import Rooms, new_id, say
from navlog.daemon.sql import Sql
from navlog.projections.embedding.hashing import HashingEmbedder
from navlog.projections.graph.projection import GraphProjection
from navlog.projections.knowledge.projection import KnowledgeProjection
from navlog.projections.projector import Projection, Projector, Sources
from navlog.projections.store import Store
from navlog.projections.views import ProjectView
from navlog.schemas.envelope import Draft
from navlog.schemas.events import OutlineRecorded
from navlog.schemas.settings import Settings

log = structlog.get_logger()


def open_house(home: Home, settings: Settings, lock: Held, stack: ExitStack) -> House:
    """Opens the rooms; each is pushed on the stack, which closes them in the opposite order."""
    memory.settle()
    rooms = open_rooms(home, settings, lock, stack)
    resuming = threading.Thread(target=rooms.resume, name="resume", daemon=True)
    stack.callback(resuming.join)
    stack.callback(rooms.closing.set)
    resuming.start()
    return House(verbs=verbs(rooms), state=partial(state, rooms), fatal=partial(fatal, rooms))


def open_rooms(home: Home, settings: Settings, lock: Held, stack: ExitStack) -> Rooms:
    """Ground first: the logs, then what is derived from them, then what listens, then what answers."""
    redactor = Redactor(settings.security)
    store = Store(home.data, settings.store)
    stack.callback(store.close)
    events, overlays = (
        Journal.open(
            home.log, name, settings=settings.log, redact=partial(_redacted, redactor), lock=lock,
            mark=store.marks.get(name, 0), notify=_said_by_the_log,
        )
        for name in ("events", "overlays")
    )  # fmt: skip
    stack.callback(overlays.close)
    stack.callback(events.close)
    views: dict[str, ProjectView] = {}
    follow = partial(_follow, store, {"events": events, "overlays": overlays}, settings.store.batch, stack)
    graph = follow(GraphProjection(views))
    knowledge = follow(KnowledgeProjection())
    projectors = (graph, knowledge)  # one line each, above: docs/architecture.md, "How a projection is added"
    extractor = Extractor(settings.extract, settings.security)
    recorder = Recorder(events, extractor, EXTRACTOR, settings, new_id=new_id, now_ns=time.time_ns)
    stack.callback(recorder.close)
    stack.callback(extractor.close)
    listener = Listener(recorder.hint, settings.listen)
    stack.callback(listener.close)
    projects = Projects(partial(_registered, graph), partial(say, events, graph), new_id)
    answers = Answers(
        projects, views, listener, recorder, graph, settings,
        redact=lambda text: redactor.text(text).text, now=time.time,
    )  # fmt: skip
    impacts = Impacts(projects, answers.view, answers.freshen, store, lambda: graph.position.events)
    elsewhere = Elsewhere(
        projects, answers.view, answers.freshen, store, lambda: graph.position.events,
        redact=lambda text: redactor.text(text).text, now=time.time,
    )  # fmt: skip
    sql = Sql(store, home.log, events, settings.store)
    knowing = open_knowing(
        Ground(
            events, store, graph, knowledge, recorder, projects, answers, settings,
            lambda text: redactor.text(text).text, HashingEmbedder(), new_id, time.time,
        ),
        stack,
    )  # fmt: skip
    return Rooms(
        home,
        settings,
        store,
        events,
        overlays,
        {one.name: one for one in projectors},
        extractor,
        listener,
        recorder,
        projects,
        answers,
        impacts,
        elsewhere,
        sql,
        knowing,
    )


def _follow(store: Store, logs: Sources, size: int, stack: ExitStack, projection: Projection) -> Projector:
    """The projection is kept up to date from now on, by a projector in a thread of its own."""
    told = partial(_said_by_a_projector, projection.name)
    projector = Projector(projection, store, logs, size=size, on_fault=told)
    stack.callback(projector.stop)
    projector.start()
    return projector


def _redacted(redactor: Redactor, draft: Draft) -> Draft:
    """An outline is made of text that was redacted in the worker, where it costs no answer any time."""
    return draft if draft.type == OutlineRecorded.TYPE else redactor.draft(draft)


def _registered(graph: Projector) -> Mapping[str, Registered]:
    """A replay puts another projection in the place of the one opened here: ask the projector."""
    return cast("GraphProjection", graph.projection).projects


def _said_by_a_projector(name: str, fault: Exception) -> None:
    log.error("projector_failed", projection=name, fault=str(fault), exc_info=fault)


def _said_by_the_log(event: str, fields: dict[str, object]) -> None:
    log.warning(event, **fields)
