"""The composition root: the one place that knows every room and opens them in order."""

import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import cache, partial
from typing import Any, NamedTuple, cast

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
from navlog.daemon.injecting.giving import Giving
from navlog.daemon.injecting.opening import open_giving
from navlog.daemon.journal import Held, Journal
from navlog.daemon.knowing.opening import Ground, Opened, open_knowing
from navlog.daemon.listener import Listener
from navlog.daemon.mcp.tooling import Tooling
from navlog.daemon.meaning import Meaning
from navlog.daemon.metrics import LogMetrics
from navlog.daemon.nudging.opening import Nudging, open_nudging
from navlog.daemon.projects import Projects, Registered
from navlog.daemon.recorder.recorder import Recorder
from navlog.daemon.recorder.resuming import outlined_as
from navlog.daemon.redact import Redactor
from navlog.daemon.reporting import fatal, state
from navlog.daemon.rooms import Rooms, new_id, say
from navlog.daemon.slicer.opening import Slicing, open_slicing
from navlog.daemon.sql import Sql
from navlog.daemon.vault.keeper import Keeper
from navlog.daemon.vault.opening import open_vault
from navlog.projections.concepts.projection import ConceptsProjection
from navlog.projections.concepts.state import Shown
from navlog.projections.embedding import Embedder
from navlog.projections.graph.projection import GraphProjection
from navlog.projections.knowledge.projection import KnowledgeProjection
from navlog.projections.msu.projection import MsuProjection
from navlog.projections.projector import Projection, Projector, Sources
from navlog.projections.sessions.past import Past
from navlog.projections.sessions.projection import SessionsProjection
from navlog.projections.store import Connection, Store
from navlog.projections.views import ProjectView
from navlog.schemas.envelope import Draft
from navlog.schemas.events import OutlineRecorded
from navlog.schemas.settings import Embed, Settings

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
    base = _open_base(home, settings, lock, stack)
    derived = _open_derived(base)
    listening = _open_listening(base, derived)
    answering = _open_answering(base, derived, listening)
    kept = _open_kept(base, derived, answering, listening.projects)
    given = _open_given(base, derived, listening, answering, kept)
    return Rooms(
        home=home,
        settings=settings,
        store=base.store,
        events=base.events,
        overlays=base.overlays,
        fsyncs=base.fsyncs,
        projectors={one.name: one for one in derived.projectors},
        past=derived.past,
        extractor=listening.extractor,
        recorder=listening.recorder,
        listener=listening.listener,
        projects=listening.projects,
        answers=answering.answers,
        impacts=answering.impacts,
        elsewhere=answering.elsewhere,
        meaning=answering.meaning,
        sql=Sql(base.store, home.log, base.events, settings.store),
        slicing=kept.slicing,
        vault=kept.vault,
        nudging=given.nudging,
        knowing=given.knowing,
        degrading=given.degrading,
        giving=given.giving,
        tasks=given.tasks,
        hooking=given.hooking,
        spool=given.spool,
        tooling=given.tooling,
        importing=Importing(base.events, base.overlays, listening.projects, given.hooking, time.time),
    )


class _Base(NamedTuple):
    """The logs, the files of what is derived from them, and what every opener needs."""

    home: Home
    settings: Settings
    stack: ExitStack
    redactor: Redactor
    store: Store
    events: Journal
    overlays: Journal
    fsyncs: LogMetrics

    def redact(self, text: str) -> str:
        """``text`` without secrets."""
        return self.redactor.text(text).text


def _open_base(home: Home, settings: Settings, lock: Held, stack: ExitStack) -> _Base:
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
    return _Base(home, settings, stack, redactor, store, events, overlays, fsyncs)


class _Derived(NamedTuple):
    """The projectors, and what their projections show to others: ``views``, ``past``, ``concepts_view``."""

    views: dict[str, ProjectView]
    past: Past
    concepts_view: Shown
    graph: Projector
    sessions: Projector
    msu: Projector
    concepts: Projector
    knowledge: Projector

    @property
    def projectors(self) -> tuple[Projector, ...]:
        """In the order they are replayed in."""
        return self.graph, self.sessions, self.msu, self.concepts, self.knowledge


def _open_derived(base: _Base) -> _Derived:
    """A projection is a line here and a field above: docs/architecture.md, "How a projection is added"."""
    views: dict[str, ProjectView] = {}
    past = Past()
    graph = _follow(base, GraphProjection(views), at_rest=GraphProjection.rest)
    named = ConceptsProjection(views, graph.wait_for)
    return _Derived(
        views=views,
        past=past,
        concepts_view=named.shown,
        graph=graph,
        sessions=_follow(base, SessionsProjection(past)),
        msu=_follow(base, MsuProjection()),
        concepts=_follow(base, named, rest=LOOKING),
        knowledge=_follow(base, KnowledgeProjection()),
    )


class _Listening(NamedTuple):
    """What watches the worktrees, and the registry of which there are."""

    extractor: Extractor
    recorder: Recorder
    listener: Listener
    projects: Projects


def _open_listening(base: _Base, derived: _Derived) -> _Listening:
    settings, events, graph = base.settings, base.events, derived.graph
    extractor = Extractor(settings.extract, settings.security)
    recorder = Recorder(
        events, extractor, EXTRACTOR, settings, new_id=new_id, now_ns=time.time_ns,
        recorded=partial(_recorded, base.store),
    )  # fmt: skip
    base.stack.callback(recorder.close)
    base.stack.callback(extractor.close)
    listener = Listener(recorder.hint, settings.listen, stirred=extractor.expect)
    base.stack.callback(listener.close)
    projects = Projects(
        partial(_registered, graph), partial(say, events, graph), new_id,
        ready=partial(graph.wait_for, events.position),
    )  # fmt: skip
    return _Listening(extractor, recorder, listener, projects)


class _Answering(NamedTuple):
    """What is asked of the views and tables, and what people say of them."""

    answers: Answers
    impacts: Impacts
    elsewhere: Elsewhere
    meaning: Meaning


def _open_answering(base: _Base, derived: _Derived, listening: _Listening) -> _Answering:
    settings, store, graph = base.settings, base.store, derived.graph
    projects, named = listening.projects, derived.concepts_view
    answers = Answers(
        projects, derived.views, derived.past, listening.listener, listening.recorder, graph, settings, named,
        redact=base.redact, now=time.time,
    )  # fmt: skip

    def position() -> int:
        return graph.position.events

    impacts = Impacts(projects, answers.view, answers.freshen, store, position, named.concepts_of)
    elsewhere = Elsewhere(
        projects, answers.view, answers.freshen, store, position, redact=base.redact, now=time.time
    )
    meaning = Meaning(
        derived.concepts, projects, answers.view, answers.freshen, base.events, base.overlays, settings,
        new_id,
    )  # fmt: skip
    meaning.start(base.stack)
    return _Answering(answers, impacts, elsewhere, meaning)


class _Kept(NamedTuple):
    """What is kept up beside the tables: the records of changes, the pages for people."""

    embedder: Callable[[Embed], Embedder]
    slicing: Slicing
    vault: Keeper


def _open_kept(base: _Base, derived: _Derived, answering: _Answering, projects: Projects) -> _Kept:
    home, settings, stack = base.home, base.settings, base.stack
    embedder = cache(partial(embedder_of, derived=home.derived, environ=os.environ))
    slicing = open_slicing(
        home, settings, base.store, base.events, derived.graph, derived.msu, projects, answering.answers,
        derived.views.get, partial(embedder, settings.embed), base.redact, new_id, stack,
    )  # fmt: skip
    vault = open_vault(
        settings.vault, home, (base.events, base.overlays), derived.projectors, base.store,
        derived.views, derived.concepts_view,
    )  # fmt: skip
    stack.callback(vault.stop)
    vault.start()
    return _Kept(embedder, slicing, vault)


class _Given(NamedTuple):
    """What agents say at their hooks, and what they are given."""

    nudging: Nudging
    knowing: Opened
    degrading: Degrading
    giving: Giving
    tasks: Tasks
    hooking: Hooking
    spool: Spool
    tooling: Tooling


def _open_given(
    base: _Base, derived: _Derived, listening: _Listening, answering: _Answering, kept: _Kept
) -> _Given:
    home, settings, events, stack = base.home, base.settings, base.events, base.stack
    projects, past, answers, slicing = listening.projects, derived.past, answering.answers, kept.slicing
    tasks = Tasks(events, projects, derived.sessions, past, new_id, derived.concepts_view)
    nudging = open_nudging(
        events, projects, settings.nudge, time.time,
        lambda: [one.session for one in past.sessions()[:LATELY]], home.spool, stack,
    )  # fmt: skip
    knowing = open_knowing(
        Ground(
            events, base.store, derived.graph, derived.knowledge, listening.recorder, projects, answers,
            settings, base.redact, kept.embedder, nudging.used, new_id, time.time,
        ),
        stack,
    )  # fmt: skip
    changed = Changed(
        lambda: cast("MsuProjection", derived.msu.projection), slicing.queue, Thresholds(events), answers,
        projects, base.store, knowing.tuned, time.time,
    )  # fmt: skip
    degrading = Degrading(events, answers, settings.inject, knowing.variant, new_id)
    stack.callback(degrading.close)
    giving = open_giving(
        home.data, events, projects, answers, base.store, derived.graph, derived.sessions, past,
        settings.inject, base.redactor, stack, changed=changed, more=(knowing.source,),
        variant=knowing.variant, heat=slicing.queueing.heat, tuned=knowing.tuned, degraded=degrading.why,
    )  # fmt: skip
    hooking = Hooking(
        events, projects, giving.injector, base.redact, tasks, replied=knowing.replied,
        nudged=nudging.hearing.hear, heeded=degrading.heard, stirred=listening.extractor.expect,
    )  # fmt: skip
    spool = Spool(home.spool, hooking.again)
    stack.callback(spool.stop)
    tooling = Tooling(
        projects, answers, answering.impacts, tasks, past, base.store, answering.meaning.awaiting,
        giving.injector, nudging.reducing,
    )  # fmt: skip
    return _Given(nudging, knowing, degrading, giving, tasks, hooking, spool, tooling)


def _follow(
    base: _Base,
    projection: Projection,
    *,
    rest: float = 0.0,
    at_rest: Callable[[Any, Connection], None] = lambda *_: None,
) -> Projector:
    """The projection is kept up to date from now on, by a projector in a thread of its own."""
    told = partial(_said_by_a_projector, projection.name)
    logs: Sources = {"events": base.events, "overlays": base.overlays}
    projector = Projector(
        projection, base.store, logs,
        size=base.settings.store.batch, rest=rest, at_rest=at_rest, on_fault=told,
    )  # fmt: skip
    base.stack.callback(projector.stop)
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
