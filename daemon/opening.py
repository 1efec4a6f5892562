"""The composition root: the one place that knows every room and opens them in order."""

import os
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import ExitStack
from functools import cache, partial
from typing import cast

import structlog

from navlog.daemon import memory
from navlog.daemon.answers import Answers
from navlog.daemon.elsewhere import Elsewhere
from navlog.daemon.embedding import embedder_of
from navlog.daemon.embedding.thresholds import Thresholds
from navlog.daemon.extract import EXTRACTOR, Extractor
from navlog.daemon.handlers import verbs
from navlog.daemon.home import Home
from navlog.daemon.hosts.hooking import Hooking
from navlog.daemon.hosts.spool import Spool
from navlog.daemon.hosts.tasks import Tasks
from navlog.daemon.house import House
from navlog.daemon.impacts import Impacts
from navlog.daemon.importing.importing import Importing
from navlog.daemon.injecting.changes import Changed
from navlog.daemon.injecting.degrading import Degrading
from navlog.daemon.injecting.opening import open_giving
from navlog.daemon.journal import Held, Journal
from navlog.daemon.knowing.opening import Ground, open_knowing
from navlog.daemon.listener import Listener
from navlog.daemon.mcp.tooling import Tooling
from navlog.daemon.meaning import Meaning
from navlog.daemon.metrics import LogMetrics
from navlog.daemon.nudging.opening import open_nudging
from navlog.daemon.projects import Projects, Registered
from navlog.daemon.recorder.recorder import Recorder
from navlog.daemon.recorder.resuming import outlined_as
from navlog.daemon.redact import Redactor
from navlog.daemon.reporting import fatal, state
from navlog.daemon.rooms import Rooms, new_id, say
from navlog.daemon.slicer.opening import open_slicing
from navlog.daemon.sql import Sql
from navlog.daemon.vault.opening import open_vault
from navlog.projections.concepts.projection import ConceptsProjection
from navlog.projections.graph.projection import GraphProjection
from navlog.projections.knowledge.projection import KnowledgeProjection
from navlog.projections.msu.projection import MsuProjection
from navlog.projections.projector import Projection, Projector, Sources
from navlog.projections.sessions.past import Past
from navlog.projections.sessions.projection import SessionsProjection
from navlog.projections.store import Store
from navlog.projections.views import ProjectView
from navlog.schemas.envelope import Draft
from navlog.schemas.events import OutlineRecorded
from navlog.schemas.settings import Settings

LATELY = 20  # sessions whose tails are looked for in the log after a start
# A look for concepts costs the same for one file as for all, and no answer waits for it.
LOOKING = 50.0
# How long a thread that computes keeps the interpreter from one that has just read a file or woken up. An
# answer does so some forty times, and behind a look for concepts it waited the usual 5 ms each time.
TURN_S = 0.0005
log = structlog.get_logger()


def open_house(home: Home, settings: Settings, lock: Held, stack: ExitStack) -> House:
    """Opens the rooms; each is pushed on the stack, which closes them in the opposite order."""
    memory.settle()
    sys.setswitchinterval(TURN_S)
    rooms = open_rooms(home, settings, lock, stack)
    resuming = threading.Thread(target=rooms.resume, name="resume", daemon=True)
    stack.callback(resuming.join)
    stack.callback(rooms.closing.set)
    resuming.start()
    return House(
        verbs=verbs(rooms),
        state=partial(state, rooms),
        fatal=partial(fatal, rooms),
        collectors=(
            rooms.slicing.metrics,
            rooms.slicing.sharing,
            rooms.giving.metrics,
            rooms.degrading.metrics,
            rooms.fsyncs,
        ),
    )


def open_rooms(home: Home, settings: Settings, lock: Held, stack: ExitStack) -> Rooms:
    """Ground first: the logs, then what is derived from them, then what listens, then what answers."""
    redactor = Redactor(settings.security)
    store = Store(home.data, settings.store, home.derived)
    stack.callback(store.close)
    fsyncs = LogMetrics()
    events, overlays = (
        Journal.open(
            home.log, name, settings=settings.log, redact=partial(_redacted, redactor), lock=lock,
            mark=store.marks.get(name, 0), notify=_said_by_the_log,
            fsynced=fsyncs.of(name),
        )
        for name in ("events", "overlays")
    )  # fmt: skip
    stack.callback(overlays.close)
    stack.callback(events.close)
    views: dict[str, ProjectView] = {}
    follow = partial(_follow, store, {"events": events, "overlays": overlays}, settings.store.batch, stack)
    graph = follow(GraphProjection(views))
    past = Past()
    sessions = follow(SessionsProjection(past))
    msu = follow(MsuProjection())
    known = ConceptsProjection(views, graph.wait_for)
    concepts = follow(known, rest=LOOKING)
    knowledge = follow(KnowledgeProjection())
    # One line each, above: docs/architecture.md, "How a projection is added".
    projectors = (graph, sessions, msu, concepts, knowledge)
    extractor = Extractor(settings.extract, settings.security)
    recorder = Recorder(
        events, extractor, EXTRACTOR, settings, new_id=new_id, now_ns=time.time_ns,
        recorded=partial(_recorded, store),
    )  # fmt: skip
    stack.callback(recorder.close)
    stack.callback(extractor.close)
    listener = Listener(recorder.hint, settings.listen, stirred=extractor.expect)
    stack.callback(listener.close)
    begun = events.position
    projects = Projects(
        partial(_registered, graph), partial(say, events, graph), new_id,
        ready=partial(graph.wait_for, begun),
    )  # fmt: skip

    def redact(text: str) -> str:
        return redactor.text(text).text

    answers = Answers(
        projects, views, past, listener, recorder, graph, settings, known.shown,
        redact=redact, now=time.time,
    )  # fmt: skip
    impacts = Impacts(
        projects, answers.view, answers.freshen, store, lambda: graph.position.events, known.shown.concepts_of
    )
    elsewhere = Elsewhere(
        projects, answers.view, answers.freshen, store, lambda: graph.position.events,
        redact=redact, now=time.time,
    )  # fmt: skip
    meaning = Meaning(concepts, projects, answers.view, answers.freshen, events, overlays, settings, new_id)
    meaning.start(stack)
    sql = Sql(store, home.log, events, settings.store)
    embedder = cache(partial(embedder_of, derived=home.derived, environ=os.environ))
    slicing = open_slicing(
        home, settings, store, events, graph, msu, projects, answers, views.get,
        partial(embedder, settings.embed), redact, new_id, stack,
    )  # fmt: skip
    vault = open_vault(settings.vault, home, (events, overlays), projectors, store, views, known.shown)
    stack.callback(vault.stop)
    vault.start()
    tasks = Tasks(events, projects, sessions, past, new_id, known.shown)
    nudging = open_nudging(
        events, projects, settings.nudge, time.time,
        lambda: [one.session for one in past.sessions()[:LATELY]], home.spool, stack,
    )  # fmt: skip
    knowing = open_knowing(
        Ground(
            events, store, graph, knowledge, recorder, projects, answers, settings, redact,
            embedder, nudging.used, new_id, time.time,
        ),
        stack,
    )  # fmt: skip
    changed = Changed(
        lambda: cast("MsuProjection", msu.projection), slicing.queue, Thresholds(events), answers,
        projects, store, knowing.tuned, time.time,
    )  # fmt: skip
    degrading = Degrading(events, answers, settings.inject, knowing.variant, new_id)
    stack.callback(degrading.close)
    giving = open_giving(
        home.data, events, projects, answers, store, graph, sessions, past, settings.inject, redactor, stack,
        changed=changed, more=(knowing.source,), variant=knowing.variant, heat=slicing.queueing.heat,
        tuned=knowing.tuned, degraded=degrading.why,
    )  # fmt: skip
    hooking = Hooking(
        events, projects, giving.injector, redact, tasks, replied=knowing.replied,
        nudged=nudging.hearing.hear, heeded=degrading.heard, stirred=extractor.expect,
    )  # fmt: skip
    spool = Spool(home.spool, hooking.again)
    stack.callback(spool.stop)
    tooling = Tooling(
        projects, answers, impacts, tasks, past, store, meaning.awaiting, giving.injector, nudging.reducing
    )
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
        slicing,
        vault,
        hooking,
        tasks,
        past,
        spool,
        giving,
        degrading,
        tooling,
        Importing(events, overlays, projects, hooking, time.time),
        meaning,
        knowing,
        fsyncs,
        nudging,
    )


def _follow(
    store: Store, logs: Sources, size: int, stack: ExitStack, projection: Projection, rest: float = 0.0
) -> Projector:
    """The projection is kept up to date from now on, by a projector in a thread of its own."""
    told = partial(_said_by_a_projector, projection.name)
    projector = Projector(projection, store, logs, size=size, rest=rest, on_fault=told)
    stack.callback(projector.stop)
    projector.start()
    return projector


def _redacted(redactor: Redactor, draft: Draft) -> Draft:
    """An outline is made of text that was redacted in the worker, where it costs no answer any time."""
    return draft if draft.type == OutlineRecorded.TYPE else redactor.draft(draft)


def _recorded(store: Store, content: str) -> str:
    with store.cursor() as db:
        return outlined_as(db, content, EXTRACTOR)


def _registered(graph: Projector) -> Mapping[str, Registered]:
    """A replay puts another projection in the place of the one opened here: ask the projector."""
    return cast("GraphProjection", graph.projection).projects


def _said_by_a_projector(name: str, fault: Exception) -> None:
    log.error("projector_failed", projection=name, fault=str(fault), exc_info=fault)


def _said_by_the_log(event: str, fields: dict[str, object]) -> None:
    log.warning(event, **fields)
