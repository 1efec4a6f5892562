"""The rooms of knowledge, opened together: the composition root needs one line for all of them."""

from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple, cast

from navlog.daemon.answers import Answers
from navlog.daemon.hosts.replies import Reply
from navlog.daemon.journal import Journal
from navlog.daemon.knowing.alarms import Alarms
from navlog.daemon.knowing.asking import Asking
from navlog.daemon.knowing.documents import Documents
from navlog.daemon.knowing.improving import Improving
from navlog.daemon.knowing.polling import Polling
from navlog.daemon.knowing.refreshing import Refresher
from navlog.daemon.knowing.room import Knowing
from navlog.daemon.knowing.shelf import Shelves
from navlog.daemon.knowing.source import KnowledgeSource
from navlog.daemon.knowing.summarisers import Asks
from navlog.daemon.knowing.verbs import Verbal
from navlog.daemon.knowing.versions import Versions
from navlog.daemon.projects import Project, Projects
from navlog.daemon.recorder.recorder import Recorder
from navlog.daemon.verbs import Verbs
from navlog.projections.embedding import Embedder
from navlog.projections.knowledge.pointing import Places
from navlog.projections.knowledge.projection import KnowledgeProjection
from navlog.projections.projector import Projector
from navlog.projections.store import Store
from navlog.schemas.settings import Embed, Inject, Settings


class Ground(NamedTuple):
    """What the rooms of knowledge stand on."""

    events: Journal
    store: Store
    graph: Projector
    knowledge: Projector
    recorder: Recorder
    projects: Projects
    answers: Answers
    settings: Settings
    redact: Callable[[str], str]
    embedder: Callable[[Embed], Embedder]
    used: Callable[[str], int]
    new_id: Callable[[], str]
    now: Callable[[], float]


class Opened(NamedTuple):
    """``knowing`` and ``source`` are what other rooms ask; ``verbs`` what the socket offers."""

    knowing: Knowing
    source: KnowledgeSource
    verbs: Verbs
    alarms: Alarms

    def variant(self, project: str, session: str) -> str:
        """The candidate on trial in a session, "" for none."""
        return self.knowing.configuration(project, session).variant

    def tuned(self, project: str, session: str) -> Inject:
        """How the session is given what it is given."""
        return self.knowing.configuration(project, session).inject

    def replied(self, project: Project, reply: Reply, trace: str) -> str:
        """See `navlog.daemon.hosts.replies.Replied`."""
        return self.knowing.replied(
            project, reply.session, reply.text, turn=reply.turn, trace=trace, active=reply.active
        )


def open_knowing(ground: Ground, stack: ExitStack) -> Opened:
    """Opens the rooms and starts what runs by itself."""
    settings, store, events = ground.settings, ground.store, ground.events
    documents = Documents(ground.answers.view, ground.redact, settings.extract.file_bytes)
    versions = Versions(
        store, events, ground.knowledge, settings, partial(_exists, ground), ground.new_id, ground.now
    )
    improving = Improving(settings, versions.running, partial(_asking, ground, documents, stack))
    shelves = Shelves(
        store, lambda: _changes(ground.knowledge), versions.running, ground.embedder,
        settings.knowledge.keep_s,
    )  # fmt: skip
    stack.callback(shelves.close)
    knowing = Knowing(shelves, versions, ground.answers.view, settings, events, ground.new_id)
    alarms = Alarms(knowing)
    refresher = Refresher(
        events, ground.graph, ground.knowledge, ground.recorder, ground.projects, store, documents, improving,
        ground.new_id, heard=alarms.heard, each_round=partial(_each_round, ground, shelves, alarms),
    )  # fmt: skip
    stack.callback(refresher.close)
    refresher.start()
    polling = Polling(ground.projects, events, store, settings.knowledge, ground.new_id)
    stack.callback(polling.close)
    polling.start()
    verbal = Verbal(knowing, ground.projects, events, ground.knowledge, improving, settings)
    source = KnowledgeSource(knowing, ground.projects, partial(_changed, ground), ground.used)
    return Opened(knowing, source, verbal.verbs(), alarms)


def _asking(ground: Ground, documents: Documents, stack: ExitStack, asks: Asks, variant: str) -> Asking:
    asking = Asking(asks, variant, ground.events, ground.store, documents, ground.new_id)
    stack.callback(asking.close)
    asking.start()
    return asking


def _each_round(ground: Ground, shelves: Shelves, alarms: Alarms) -> None:
    alarms.look()
    shelves.keep_warm([project.id for project in ground.projects.all()])


def _exists(ground: Ground, project: str, pointer: str) -> bool:
    return Places(ground.answers.view(ground.projects.find(project))).exists(pointer)


def _changed(ground: Ground, project: str) -> int:
    return ground.answers.view(ground.projects.find(project)).changes


def _changes(knowledge: Projector) -> Counter[str]:
    """A replay puts another projection in the place of the one opened here: ask the projector."""
    return cast("KnowledgeProjection", knowledge.projection).changes
