"""Follows the log and keeps every summary as new as its document: reads, summarises, appends `summary_made`.

A reactor: what it makes are facts, so a replay does not run it. It compares hashes, so a restart, a lost hint
or the same save twice make nothing twice. The default summariser answers at once; what a configured one says
later takes its place if it passes (`navlog.daemon.knowing.asking`). Refuses to look before a project's first
index stands: a pointer that is not in the graph yet would be taken for one that is gone.
"""

import threading
from collections.abc import Callable, Iterable
from typing import Protocol

import structlog

from navlog.daemon.journal import Journal
from navlog.daemon.knowing.documents import Documents, Standing
from navlog.daemon.projects import Project, Projects
from navlog.daemon.recorder.recorder import Recorder
from navlog.projections.graph.tables import Row
from navlog.projections.knowledge import issues as recent
from navlog.projections.knowledge import recognising, tables
from navlog.projections.knowledge.elements import Elements, as_yaml
from navlog.projections.knowledge.pointing import entry
from navlog.projections.knowledge.summarising import SUMMARISER
from navlog.projections.projector import Projector
from navlog.projections.store import Store
from navlog.projections.tokens import count_tokens
from navlog.schemas.envelope import Record, draft
from navlog.schemas.errors import NavlogError
from navlog.schemas.event import Event
from navlog.schemas.events import FileMoved, FileObserved, FileRemoved, ProjectRegistered, ScanCompleted
from navlog.schemas.knowledge import (
    CommentRecorded,
    DocumentKind,
    IssueRecorded,
    SummaryDropped,
    SummaryMade,
)
from navlog.schemas.payloads import decode_payload

SOURCE = "knowledge"
IDLE_S = 1.0
APPLIED_S = 0.05  # how long outlines, and then the graph, are waited for after a change of a document
BACK_OFF_S = 5.0
BATCH = 2000
_FILES = frozenset({FileObserved.TYPE, FileMoved.TYPE, FileRemoved.TYPE})
_ISSUES = frozenset({IssueRecorded.TYPE, CommentRecorded.TYPE})
log = structlog.get_logger()


class Improves(Protocol):
    """The configured summarisers: told of new texts, they answer when they can."""

    def want(self, project: Project, standing: Standing) -> None: ...


class Known(dict[str, tuple[str, str, str]]):
    """document -> (source, summariser, entry pointer) of its newest version."""


class Refresher:
    """``heard`` is told every record, for whoever else follows the log.

    ``each_round`` is called once a second at least, for whoever waits for time to pass. One thread; `close`
    ends it.
    """

    def __init__(
        self,
        events: Journal,
        graph: Projector,
        knowledge: Projector,
        recorder: Recorder,
        projects: Projects,
        store: Store,
        documents: Documents,
        improver: Improves,
        new_id: Callable[[], str],
        heard: Callable[[Record], None] = lambda _: None,
        each_round: Callable[[], object] = lambda: None,
    ) -> None:
        self._events = events
        self._graph = graph
        self._knowledge = knowledge
        self._recorder = recorder
        self._projects = projects
        self._store = store
        self._documents = documents
        self._improver = improver
        self._new_id = new_id
        self._heard = heard
        self._each_round = each_round
        self._seen = events.position
        self._known: dict[str, Known] = {}
        self._kinds: dict[str, dict[str, DocumentKind]] = {}
        self._whole: set[str] = set()  # projects that are to be looked at as a whole
        self._touched: dict[
            str, dict[str, str]
        ] = {}  # project -> path -> the id of the event that touched it
        self._later: dict[str, dict[str, str]] = {}  # looked at before their outlines were there
        self._issues: dict[str, str] = {}
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="knowledge", daemon=True)

    def start(self) -> None:
        """In a thread of its own, until `close`."""
        self._thread.start()

    def close(self) -> None:
        """Ends after the document it is at."""
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        goal = self._events.position
        while not self._closing.is_set() and not self._graph.wait_for(goal, IDLE_S):
            pass
        self._whole.update(project.id for project in self._projects.all())
        while not self._closing.is_set():
            structlog.contextvars.bind_contextvars(trace=self._new_id())
            try:
                self._round(self._events.wait(self._seen, IDLE_S))
            except Exception as fault:
                log.warning(
                    "knowledge_not_refreshed", fault=str(fault), exc_info=not isinstance(fault, NavlogError)
                )
                self._closing.wait(BACK_OFF_S)

    def _round(self, goal: int) -> None:
        while self._seen < goal:
            for record in self._events.read(self._seen, BATCH):
                self._note(record)
                self._seen = record.position
            if self._closing.is_set():
                return
        for project in self._projects.all():
            self._attend(project)
        self._each_round()

    def _attend(self, project: Project) -> None:
        """One project's turn: as a whole, or what was touched, or what was looked at too early."""
        if self._closing.is_set():
            return
        if project.id in self._whole and self._is_indexed(project.id):
            self._look_everywhere(project)
        elif project.id in self._kinds and (touched := self._touched.pop(project.id, None)):
            self._look(project, touched)
        elif project.id in self._later and self._is_indexed(project.id):
            self._look(project, self._later.pop(project.id))
        if cause := self._issues.pop(project.id, ""):
            self._look_at_issues(project, cause)

    def _note(self, record: Record) -> None:
        self._heard(record)
        if record.type == SummaryMade.TYPE and record.project in self._known:
            self._learn(record.project, decode_payload(record))
        elif record.type in _ISSUES:
            self._issues[record.project] = record.id
        elif record.type in (ScanCompleted.TYPE, ProjectRegistered.TYPE):
            self._whole.add(record.project)
        elif record.type in _FILES:
            event = decode_payload(record)
            for path in filter(None, (getattr(event, "path", ""), getattr(event, "previous", ""))):
                self._touched.setdefault(record.project, {})[path] = record.id

    def _is_indexed(self, project: str) -> bool:
        now = self._recorder.progress(project)
        return now.looked and not now.pending

    def _look_everywhere(self, project: Project) -> None:
        """Every document against what the log says of it; what is the same costs a hash."""
        if not self._graph.wait_for(self._events.position, IDLE_S):
            return  # still to be looked at as a whole: the next round does
        self._whole.discard(project.id)
        self._touched.pop(project.id, None)
        self._kinds[project.id] = kinds = self._documents.kinds(project)
        known = self._recall(project.id)
        there = list(self._documents.read(project, kinds))
        names = {one.document.name for one in there} | {recent.NAME}
        self._append(project, [*self._made(project, there), *_gone(known, names)], "")
        self._look_at_issues(project, "")

    def _look(self, project: Project, touched: dict[str, str]) -> None:
        """The documents among the touched paths, and those whose pointer may be gone with one."""
        kinds, known = self._kinds[project.id], self._recall(project.id)
        pointing = {
            name.partition("#")[0] for name, row in known.items() if row[2].partition(":")[0] in touched
        }
        if not pointing and not any(path in kinds or may_be_document(path) for path in touched):
            return
        self._settle(project, touched)
        if any(self._is_news(project, path) for path in touched):
            self._whole.add(project.id)
            self._look_everywhere(project)
            return
        paths = {path: kinds[path] for path in kinds if path in touched or path in pointing}
        there = list(self._documents.read(project, paths))
        mine = {name: row for name, row in known.items() if name.partition("#")[0] in paths}
        cause = next((touched[path] for path in paths if path in touched), "")
        names = {one.document.name for one in there}
        self._append(project, [*self._made(project, there), *_gone(mine, names)], cause)

    def _settle(self, project: Project, touched: dict[str, str]) -> None:
        """Waits a little for the graph; what it does not show by then is looked at once more.

        Documents alone need not wait: what they point at has not changed.
        """
        if touched.keys() <= self._kinds[project.id].keys():
            return
        settled = self._recorder.settle(project.id, APPLIED_S)
        # Every outline is in the log once none is pending: so the position is taken after that is known.
        outlined = settled is not None and self._is_indexed(project.id)
        if not (outlined and self._graph.wait_for(self._events.position, APPLIED_S)):
            self._later.setdefault(project.id, {}).update(touched)

    def _is_news(self, project: Project, path: str) -> bool:
        """Whether a path became, or is no longer, a document: then all of them have to be looked at."""
        return (path in self._kinds[project.id]) != self._documents.is_document(project, path)

    def _made(self, project: Project, there: Iterable[Standing]) -> Iterable[Event]:
        known, places = self._recall(project.id), self._documents.places(project)
        for one in there:
            self._improver.want(project, one)
            source, by, pointer = known.get(one.document.name, ("", "", ""))
            if source != one.source or is_outdated(by) or (pointer and not places.exists(pointer)):
                yield made(one, self._documents.summarise(project, one), SUMMARISER)

    def _look_at_issues(self, project: Project, cause: str) -> None:
        self._knowledge.wait_for(self._seen, APPLIED_S)
        with self._store.cursor() as db:
            found = issues_of(*tables.recent_issues(db, project.id, recent.RECENT))
        source = recent.source_of(found)
        before, by, _ = self._recall(project.id).get(recent.NAME, ("", "", ""))
        if not found or (before == source and not is_outdated(by)):
            return
        places = self._documents.places(project)
        elements = recent.summarise(found, lambda read: entry("", project.name, read, places))
        event = SummaryMade(
            document=recent.NAME, kind="issues", source=source, summariser=SUMMARISER,
            title=f"the {len(found)} most recent issues", tokens=count_tokens(as_yaml(elements)),
            **{name: getattr(elements, name) for name in elements.__struct_fields__},
        )  # fmt: skip
        self._append(project, [event], cause)

    def _append(self, project: Project, events: Iterable[Event], cause: str) -> None:
        said = list(events)
        if not said:
            return
        trace = self._new_id()
        drafts = [
            draft(one, project=project.id, source=SOURCE, id=self._new_id(), cause=cause or None, trace=trace)
            for one in said
        ]
        last = self._events.append(drafts).result().last
        log.info("knowledge_refreshed", project=project.id, documents=len(said), version=last, trace=trace)
        for one in said:
            self._learn(project.id, one)
        self._knowledge.wait_for(last, IDLE_S)

    def _learn(self, project: str, event: object) -> None:
        known = self._known[project]
        if isinstance(event, SummaryMade) and not event.variant:
            known[event.document] = (event.source, event.summariser, event.entry_pointer)
        elif isinstance(event, SummaryDropped):
            known.pop(event.document, None)

    def _recall(self, project: str) -> Known:
        """What the log says of a project's documents; read once, then kept up here."""
        if project not in self._known:
            self._knowledge.wait_for(self._seen, IDLE_S)
            with self._store.cursor() as db:
                rows = tables.newest(db, project)
            self._known[project] = Known({row[1]: (row[5], row[6], row[11]) for row in rows if not row[13]})
        return self._known[project]


def is_outdated(summariser: str) -> bool:
    """Whether a summary was made by an older set of our own rules; what a model said stays."""
    return summariser.startswith(SUMMARISER.partition("-")[0]) and summariser != SUMMARISER


def may_be_document(path: str) -> bool:
    """Whether a path is worth a look."""
    return recognising.kind_of(path) is not None or recognising.is_page(path)


def made(one: Standing, elements: Elements, summariser: str, variant: str = "") -> SummaryMade:
    """The event of a summary."""
    return SummaryMade(
        document=one.document.name,
        kind=one.document.kind,
        source=one.source,
        summariser=summariser,
        title=one.document.title[:200],
        tokens=count_tokens(as_yaml(elements)),
        variant=variant,
        **{name: getattr(elements, name) for name in elements.__struct_fields__},
    )


def issues_of(rows: Iterable[Row], commented: Iterable[Row]) -> list[recent.Issue]:
    """Rows of the tables as issues, those that changed last first."""
    talk = {(row[0], row[1]): row[2:] for row in commented}
    found = []
    for _, tracker, number, title, state, body, *_rest, updated, _url in rows:
        count, last, at = talk.get((tracker, number), (0, "", ""))
        found.append(
            recent.Issue(tracker, number, title, state, body, max(updated, at or ""), count, last or "")
        )
    return found


def _gone(known: Known | dict[str, tuple[str, str, str]], there: set[str]) -> list[SummaryDropped]:
    return [SummaryDropped(document=name) for name in known if name not in there]
