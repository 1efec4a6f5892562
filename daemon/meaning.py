"""The rooms of meaning, opened together: what concepts there are, what people judge, who proposes some."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from time import monotonic
from typing import cast

from navlog.daemon.awaiting import Awaiting
from navlog.daemon.concepts import Concepts
from navlog.daemon.journal import Journal
from navlog.daemon.journal.journal import utc_now
from navlog.daemon.judging import Judging
from navlog.daemon.projects import Project, Projects
from navlog.daemon.proposing import Proposing
from navlog.daemon.reacting import Reactor, say_moves
from navlog.daemon.verbs import Verbs
from navlog.projections.concepts.projection import ConceptsProjection
from navlog.projections.concepts.state import State
from navlog.projections.projector import Projector
from navlog.projections.views import ProjectView
from navlog.schemas.control import DegradedReason
from navlog.schemas.names import word
from navlog.schemas.settings import Settings


class Meaning:
    """``projector`` keeps the concepts; ``view`` and ``freshen`` are those that answers are made from."""

    def __init__(
        self,
        projector: Projector,
        projects: Projects,
        view: Callable[[Project], ProjectView],
        freshen: Callable[[Project], str],
        events: Journal,
        overlays: Journal,
        settings: Settings,
        new_id: Callable[[], str],
    ) -> None:
        self._projector = projector
        self._view = view
        self._events = events
        self._proposing = Proposing(settings.concepts, events, self.state, monotonic)
        self._judging = Judging(projects, self._paths, overlays, projector, self.state, utc_now)
        self.awaiting = Awaiting(projects, events, self._judging, new_id)
        self._concepts = Concepts(
            projects, freshen, self._judging, self.awaiting, self._proposing, self.state,
            lambda: projector.position.events,
        )  # fmt: skip
        self._reactors = [Reactor("concepts-move", self._say_moves)]
        if self._proposing.provider:
            self._reactors.append(Reactor("concepts-propose", self._proposing.react))

    @property
    def projection(self) -> ConceptsProjection:
        """The one that stands: a replay puts another in its place."""
        return cast("ConceptsProjection", self._projector.projection)

    def state(self) -> State:
        """What is known of each project."""
        return self.projection.state

    def start(self, stack: ExitStack) -> None:
        """From now on moves are said and providers asked; the stack ends it."""
        for reactor in self._reactors:
            stack.callback(reactor.close)
            reactor.start()
        self.projection.listen(self._tell)
        self._tell()

    def verbs(self) -> Verbs:
        """See `navlog.daemon.handlers`."""
        return {**self._concepts.verbs(), **self._judging.verbs(), **self.awaiting.verbs()}

    def degraded(self) -> Iterator[DegradedReason]:
        """Providers that gave no answer."""
        for name, project in list(self.state().items()):
            for provider, why in dict(project.failed).items():
                if provider == self._proposing.provider:
                    yield DegradedReason(
                        reason=f"{name}: {provider} proposed no concepts: {why}",
                        hint=f"navlog concept propose --project {word(name)}",
                    )

    def _tell(self) -> None:
        for reactor in self._reactors:
            reactor.tell()

    def _say_moves(self) -> None:
        say_moves(self._events, self.projection.moved, self.state())

    def _paths(self, project: Project) -> frozenset[str]:
        view = self._view(project)
        with view.lock:
            return frozenset(view.files)
