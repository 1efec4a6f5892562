"""Who is asked for better summaries: what is set, a candidate on trial, and what a project promoted.

A promotion is an event, so what it promoted goes on being asked when `[candidate]` has left the settings, as
long as these still say where to ask. Refuses to ask anybody for a project that did not promote it.
"""

from collections.abc import Callable, Iterator
from threading import Lock

from navlog.daemon.knowing.asking import Asking
from navlog.daemon.knowing.documents import Standing
from navlog.daemon.knowing.summarisers import Asks, configured, is_set
from navlog.daemon.projects import Project
from navlog.projections.knowledge.configuring import Configuration
from navlog.schemas.settings import Settings

Kind = tuple[str, str]  # (variant, kind of summariser)


class Improving:
    """``running``: what counts for everybody in a project; ``start`` has one asked under a variant's name."""

    def __init__(
        self,
        settings: Settings,
        running: Callable[[str], Configuration],
        start: Callable[[Asks, str], Asking],
    ) -> None:
        self._settings = settings
        self._running = running
        self._start = start
        self._started: dict[Kind, Asking | None] = {}
        self._lock = Lock()

    def want(self, project: Project, standing: Standing) -> None:
        """Has the document summarised by all of them; returns at once."""
        for asking in self._askings(project.id):
            asking.want(project, standing)

    def waiting(self, project: str) -> int:
        """How many documents are still to be asked about, of all projects."""
        return sum(asking.waiting for asking in self._askings(project))

    def fault(self, project: str) -> str:
        """Why nobody answers, "" if nothing is wrong."""
        runs = self._running(project)
        if runs.summariser and not is_set(runs.summariser, self._settings.knowledge):
            return (
                f"{runs.summaries} was promoted with the summariser {runs.summariser!r}, and"
                f" knowledge.{runs.summariser} is not set any more: what changes is summarised by rules."
            )
        return next((asking.fault for asking in self._askings(project) if asking.fault), "")

    def _askings(self, project: str) -> list[Asking]:
        kinds = dict.fromkeys(self._kinds(project))
        return [asking for kind in kinds if (asking := self._asking(kind)) is not None]

    def _kinds(self, project: str) -> Iterator[Kind]:
        knowledge, candidate = self._settings.knowledge, self._settings.candidate
        yield "", knowledge.summariser
        if candidate.name and candidate.summariser not in ("", knowledge.summariser):
            yield candidate.name, candidate.summariser
        runs = self._running(project)
        if runs.summariser and is_set(runs.summariser, knowledge):
            yield runs.summaries, runs.summariser

    def _asking(self, kind: Kind) -> Asking | None:
        """Started when it is wanted first."""
        variant, summariser = kind
        with self._lock:
            if kind not in self._started:
                asks = configured(summariser, self._settings.knowledge)
                self._started[kind] = self._start(asks, variant) if asks else None
            return self._started[kind]
