"""Asks the trackers now and then, where a command or a token is configured: what is new becomes events."""

import threading
from collections.abc import Callable, Sequence

import structlog

from navlog.daemon.journal import Journal
from navlog.daemon.knowing.endpoint import Away
from navlog.daemon.knowing.fetching import Fetched, fetch, run, tracker_of
from navlog.daemon.knowing.trackers import event_id
from navlog.daemon.projects import Project, Projects
from navlog.projections.store import Store
from navlog.schemas.envelope import Draft, draft
from navlog.schemas.errors import NavlogError
from navlog.schemas.settings import Knowledge

SOURCE = "tracker"
FIRST_S = 5.0  # after the start: an index comes first
AT_ONCE = 200
_ETAG = "SELECT etag FROM issue_fetches WHERE project = ? AND tracker = ? AND page = ?"
log = structlog.get_logger()


class Polling:
    """Off unless the settings name a command, or an interface and a token. One thread; `close` ends it."""

    def __init__(
        self,
        projects: Projects,
        events: Journal,
        store: Store,
        settings: Knowledge,
        new_id: Callable[[], str],
    ) -> None:
        self._projects = projects
        self._events = events
        self._store = store
        self._settings = settings
        self._new_id = new_id
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="issues", daemon=True)

    @property
    def is_on(self) -> bool:
        """Whether anything is asked at all."""
        settings = self._settings
        return bool(settings.issues_command or (settings.issues_api and settings.issues_token_file))

    def start(self) -> None:
        """In a thread of its own, if anything is to be asked."""
        if self.is_on:
            self._thread.start()

    def close(self) -> None:
        """Asks no more; a question that is being asked is not waited for."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(1.0)

    def poll(self, project: Project) -> int:
        """Asks once; how many events were new. Raises `Away` and what the journal raises."""
        trace = self._new_id()
        structlog.contextvars.bind_contextvars(trace=trace)
        tracker = tracker_of(project.root)
        if self._settings.issues_command:
            found = run(self._settings.issues_command, project.root, tracker.name if tracker else "")
        elif tracker:
            found = fetch(tracker, self._settings, lambda name, page: self._etag(project.id, name, page))
        else:
            return 0
        return self._append(project.id, found, trace)

    def _run(self) -> None:
        pause = FIRST_S
        while not self._closing.wait(pause):
            pause = self._settings.issues_every_s
            for project in self._projects.all():
                try:
                    self.poll(project)
                except Away as fault:
                    log.warning("tracker_away", project=project.id, fault=fault.message)
                    pause = max(pause, fault.after_s)
                except Exception as fault:
                    told = not isinstance(fault, NavlogError)
                    log.warning("issues_not_fetched", project=project.id, fault=str(fault), exc_info=told)

    def _append(self, project: str, found: Fetched, trace: str) -> int:
        said = {
            (name := event_id(project, one)): draft(one, project=project, source=SOURCE, id=name, trace=trace)
            for one in found.said
        }
        new = [one for name, one in said.items() if self._events.find(name) is None]
        for start in range(0, len(new), AT_ONCE):
            self._events.append(new[start : start + AT_ONCE]).result()
        pages: Sequence[Draft] = [
            draft(page, project=project, source=SOURCE, id=self._new_id(), trace=trace)
            for page in found.pages
        ]
        if pages:  # last: a page counts as read once what stood on it is durable
            self._events.append(pages).result()
        if new or pages:
            log.info("issues_fetched", project=project, new=len(new))
        return len(new)

    def _etag(self, project: str, tracker: str, page: str) -> str:
        with self._store.cursor() as db:
            row = db.execute(_ETAG, [project, tracker, page]).fetchone()
        return str(row[0]) if row else ""
