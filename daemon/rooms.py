"""The rooms of one daemon, and the paths between them that no single room can know.

Opened in order by `navlog.daemon.compose`; shown to people by `navlog.daemon.reporting`.
"""

import threading
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from navlog.daemon.answers import Answers
from navlog.daemon.elsewhere import Elsewhere
from navlog.daemon.extract import EXTRACTOR, Extractor
from navlog.daemon.home import Home
from navlog.daemon.hosts.hooking import Hooking
from navlog.daemon.hosts.spool import Spool
from navlog.daemon.hosts.tasks import Tasks
from navlog.daemon.impacts import Impacts
from navlog.daemon.importing.importing import Importing
from navlog.daemon.injecting.degrading import Degrading
from navlog.daemon.injecting.giving import Giving
from navlog.daemon.journal import Journal
from navlog.daemon.knowing.opening import Opened
from navlog.daemon.listener import Listener
from navlog.daemon.mcp.tooling import Tooling
from navlog.daemon.meaning import Meaning
from navlog.daemon.metrics import LogMetrics
from navlog.daemon.nudging.opening import Nudging
from navlog.daemon.projects import Project, Projects
from navlog.daemon.recorder.recorder import Recorder
from navlog.daemon.recorder.resuming import said_of
from navlog.daemon.slicer.opening import Slicing
from navlog.daemon.sql import Sql
from navlog.daemon.vault.keeper import Keeper
from navlog.projections.projector import Projector
from navlog.projections.sessions.past import Past
from navlog.projections.store import Store
from navlog.schemas.envelope import Draft
from navlog.schemas.errors import NavlogError, TimedOut
from navlog.schemas.settings import Settings
from navlog.schemas.wire import ContextArgs

SHOWN_S = 10.0  # how long a registration waits for the tables
LOOK_S = 0.5  # how often the start looks whether it should end
log = structlog.get_logger()


def new_id() -> str:
    """An id for an event that nothing else names."""
    return uuid.uuid4().hex


@dataclass(frozen=True)
class Rooms:
    """``projectors`` by the names of their projections, in the order they are replayed in.

    ``taken_up``: ids of the projects that are listened to; ``refused``: id -> why one is not.
    """

    home: Home
    settings: Settings
    store: Store
    events: Journal
    overlays: Journal
    projectors: Mapping[str, Projector]
    extractor: Extractor
    listener: Listener
    recorder: Recorder
    projects: Projects
    answers: Answers
    impacts: Impacts
    elsewhere: Elsewhere
    sql: Sql
    slicing: Slicing
    vault: Keeper
    hooking: Hooking
    tasks: Tasks
    past: Past
    spool: Spool
    giving: Giving
    degrading: Degrading
    tooling: Tooling
    importing: Importing
    meaning: Meaning
    knowing: Opened
    fsyncs: LogMetrics
    nudging: Nudging
    taken_up: set[str] = field(default_factory=set)
    refused: dict[str, str] = field(default_factory=dict)
    closing: threading.Event = field(default_factory=threading.Event)
    turn: threading.Lock = field(default_factory=threading.Lock)

    @property
    def graph(self) -> Projector:
        """The one that knows which projects there are; the others may lag behind it."""
        return self.projectors["graph"]

    @property
    def unwritable(self) -> str:
        """Why nothing will be written for as long as this process lives, or ""."""
        return f"{self.home.data} is read-only" if self.home.read_only else self.events.read_only

    def take_up(self, project: Project) -> None:
        """Listens first and looks then, so that nothing falls between the two; once per project."""
        if not self._is_caught_up():
            return
        with self.turn:
            if project.id not in self.taken_up:
                self._take_up(project)

    def _is_caught_up(self) -> bool:
        """Whether the tables say all that the log says: what is known of a project is read from them."""
        goal = self.events.position
        while not self.graph.wait_for(goal, LOOK_S):
            if self.closing.is_set():
                return False
        return True

    def _take_up(self, project: Project) -> None:
        try:
            with self.store.cursor() as db:
                said = said_of(db, project.id, EXTRACTOR)
            self.listener.add(project.id, project.root)
        except Exception as fault:  # noqa: BLE001 - shown in `status`; the other projects are taken up all the same
            self.refused[project.id] = str(fault).partition("\n")[0]  # of three lines what happened
            log.warning("project_not_taken_up", project=project.id, fault=str(fault))
            return
        self.refused.pop(project.id, None)
        self.recorder.add(project.id, project.root, said)
        self.taken_up.add(project.id)

    def let_go(self, project: Project) -> None:
        """Neither listens nor looks any more."""
        with self.turn:
            self.taken_up.discard(project.id)
            self.refused.pop(project.id, None)
            self.listener.remove(project.id)
            self.recorder.remove(project.id)

    def resume(self) -> None:
        """Takes up every registered project before any is warmed: until then nothing is answered.

        What hooks said meanwhile comes before both, for it names projects.
        """
        if not self._is_caught_up():
            return
        self.spool.start()
        for begin in (self.take_up, self.warm):
            for project in self.projects.all():
                if not self.closing.is_set():
                    begin(project)

    def warm(self, project: Project) -> None:
        """The first question sorts what was put into the index; an agent's prompt has no time for that."""
        if project.id not in self.taken_up:  # nobody asks where no folder is
            return
        with suppress(NavlogError):
            self.answers.context(ContextArgs(task=project.name, project=project.id), "")


def say(events: Journal, graph: Projector, drafts: Sequence[Draft]) -> None:
    """Appends and returns once the tables show it; raises what the journal raises, and `TimedOut`."""
    position = events.append(drafts).result().last
    if not graph.wait_for(position, SHOWN_S):
        raise TimedOut("It is in the log, but not in the tables yet.", hint="Look at:  navlog status")
