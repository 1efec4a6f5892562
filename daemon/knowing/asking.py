"""Configured summarisers at work: a queue of documents, one asked at a time, in a thread of its own.

An answer is an event, so it is never asked for again on a replay; so is one that was refused. A service that
is away is asked again after a pause, `TRIES` times, and then left until the document changes. Nothing waits
for any of this: the default summary stands from the first moment.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from navlog.daemon.journal import Journal
from navlog.daemon.knowing.documents import Documents, Standing
from navlog.daemon.knowing.endpoint import Away
from navlog.daemon.knowing.refreshing import SOURCE, made
from navlog.daemon.knowing.summarisers import Asks, Refused, asked
from navlog.daemon.projects import Project
from navlog.projections.knowledge import tables
from navlog.projections.knowledge.elements import SHARE, TOKENS
from navlog.projections.store import Store
from navlog.schemas.envelope import draft
from navlog.schemas.errors import NavlogError
from navlog.schemas.event import Event
from navlog.schemas.knowledge import SummaryRefused

TRIES = 3
PAUSES_S = (5.0, 60.0, 600.0)
IDLE_S = 1.0
WAITING = 500  # documents; the oldest wishes go first
log = structlog.get_logger()


@dataclass
class _Wish:
    project: Project
    standing: Standing
    tries: int = 0
    not_before: float = 0.0


class Asking:
    """``variant`` is "" or the candidate this summariser belongs to. `want` returns at once."""

    def __init__(
        self,
        summariser: Asks,
        variant: str,
        events: Journal,
        store: Store,
        documents: Documents,
        new_id: Callable[[], str],
        pauses_s: tuple[float, ...] = PAUSES_S,
    ) -> None:
        self.fault = ""
        self._summariser = summariser
        self._variant = variant
        self._events = events
        self._store = store
        self._documents = documents
        self._new_id = new_id
        self._pauses_s = pauses_s
        self._wishes: OrderedDict[tuple[str, str], _Wish] = OrderedDict()
        self._changed = threading.Condition()
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="asking", daemon=True)

    def start(self) -> None:
        """In a thread of its own, until `close`."""
        self._thread.start()

    def close(self) -> None:
        """Asks nothing more. An answer that is being waited for is not waited for any longer."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(IDLE_S)

    def want(self, project: Project, standing: Standing) -> None:
        """Has the document summarised; the newest text of a document replaces the one that waits."""
        with self._changed:
            self._wishes[project.id, standing.document.name] = _Wish(project, standing)
            while len(self._wishes) > WAITING:
                self._wishes.popitem(last=False)
            self._changed.notify_all()

    @property
    def waiting(self) -> int:
        """How many documents are still to be asked about."""
        return len(self._wishes)

    def _run(self) -> None:
        while (wish := self._next()) is not None:
            try:
                self._answer(wish)
            except Away as fault:
                self._postpone(wish, fault)
            except Exception as fault:
                known = isinstance(fault, NavlogError)
                log.warning("summariser_failed", fault=str(fault), exc_info=not known)
                self.fault = str(fault).partition("\n")[0]

    def _next(self) -> _Wish | None:
        with self._changed:
            while not self._closing:
                now = time.monotonic()
                due = next((key for key, wish in self._wishes.items() if wish.not_before <= now), None)
                if due is not None:
                    return self._wishes.pop(due)
                self._changed.wait(IDLE_S)
        return None

    def _answer(self, wish: _Wish) -> None:
        project, standing = wish.project, wish.standing
        name, source = standing.document.name, standing.source
        if self._is_said(project.id, name, source):
            return
        trace, began = self._new_id(), time.perf_counter()
        structlog.contextvars.bind_contextvars(trace=trace)
        places = self._documents.places(project)
        pointers = [pointer for pointer in [self._documents.entry(project, standing.document)] if pointer]
        tokens = SHARE if standing.document.kind in ("readme", "decision") else TOKENS
        try:
            elements = asked(self._summariser, standing.text, pointers, places.exists, tokens)
        except Refused as fault:
            self._say(project, self._refusal(name, source, fault), trace)
            log.warning("summary_refused", document=name, faults=fault.faults)
        else:
            self._say(project, made(standing, elements, self._summariser.name, self._variant), trace)
            log.info("summary_asked", document=name, s=round(time.perf_counter() - began, 2))
        self.fault = ""

    def _is_said(self, project: str, document: str, source: str) -> bool:
        with self._store.cursor() as db:
            if (document, source, self._summariser.name) in tables.refused(db, project):
                return True
            rows = tables.newest(db, project, self._variant)
        return any(
            row[1] == document and row[5] == source and row[6] == self._summariser.name for row in rows
        )

    def _refusal(self, document: str, source: str, fault: Refused) -> SummaryRefused:
        return SummaryRefused(
            document=document, source=source, summariser=self._summariser.name, faults=fault.faults,
            variant=self._variant,
        )  # fmt: skip

    def _say(self, project: Project, event: Event, trace: str) -> None:
        one = draft(event, project=project.id, source=SOURCE, id=self._new_id(), trace=trace)
        self._events.append([one]).result()

    def _postpone(self, wish: _Wish, fault: Away) -> None:
        self.fault = fault.message
        log.warning(
            "summariser_away", fault=fault.message, document=wish.standing.document.name, tries=wish.tries + 1
        )
        if wish.tries + 1 >= TRIES:
            return
        pause = max(fault.after_s, self._pauses_s[min(wish.tries, len(self._pauses_s) - 1)])
        key = wish.project.id, wish.standing.document.name
        with self._changed:
            again = _Wish(wish.project, wish.standing, wish.tries + 1, time.monotonic() + pause)
            self._wishes.setdefault(key, again)
