"""Knowledge as other rooms see it: what a task is given, what a reply did with it, versions, issues.

A source of pieces for the injector (`pieces`), a reader of replies (`replied`), and the verbs' answers.
Refuses to give a pointer without saying that what it points at is gone.
"""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import NamedTuple

import structlog

from navlog.daemon.journal import Journal
from navlog.daemon.knowing.quoting import PREFIX, Quoting
from navlog.daemon.knowing.reranking import reranked
from navlog.daemon.knowing.shelf import Shelves
from navlog.daemon.knowing.versions import Versions
from navlog.daemon.projects import Project
from navlog.projections.knowledge import citing, recognising
from navlog.projections.knowledge.citing import Given
from navlog.projections.knowledge.configuring import Configuration
from navlog.projections.knowledge.elements import Elements, fitted, spoken
from navlog.projections.knowledge.pointing import Places
from navlog.projections.knowledge.retrieving import Chosen
from navlog.projections.knowledge.watching import Measures
from navlog.projections.tokens import count_tokens
from navlog.projections.views import ProjectView
from navlog.schemas.envelope import draft
from navlog.schemas.event import Event
from navlog.schemas.knowledge import CitationMode
from navlog.schemas.settings import Settings

SOURCE = "knowledge"
SHARE = 0.75  # of the model's window that a whole round may take
LEAST_TOKENS = 60  # a piece that is cut below this says nothing
LOW = "low confidence: nothing that is known here speaks for this task"
log = structlog.get_logger()


class Offered(NamedTuple):
    """A piece for the injector, in the form that it takes."""

    id: str
    pointer: str
    text: str
    reason: str
    score: float
    tokens: int


class Knowing:
    """Thread-safe. ``view`` is a project's graph."""

    def __init__(
        self,
        shelves: Shelves,
        versions: Versions,
        view: Callable[[Project], ProjectView],
        settings: Settings,
        events: Journal,
        new_id: Callable[[], str],
    ) -> None:
        self.shelves = shelves
        self.versions = versions
        self.measures = Measures(settings.knowledge.window)
        self._view = view
        self._settings = settings
        self._events = events
        self._new_id = new_id
        self.quoting = Quoting(self._mode, settings.citation.retries, self.given, self._say)

    def configuration(self, project: str, session: str) -> Configuration:
        """What the session runs: as set, promoted, or on trial."""
        return self.versions.configuration(project, session)

    def pieces(
        self, project: Project, session: str, task: str, budget: int = 0, used: int = 0
    ) -> list[Offered]:
        """What the task has to know, best first: three documents at most, within ``budget`` tokens.

        ``used`` tokens of the model's window are taken already. Nothing is known: nothing; nothing of what is
        known speaks for the task: one line that says so.
        """
        began = perf_counter()
        runs = self.configuration(project.id, session)
        chosen = self.shelves.choose(
            project.id, runs.variant, session, task, runs.similarity,
            lambda found: reranked(task, found, runs.rerank, self._settings.knowledge.rerank_s),
        )  # fmt: skip
        best = [one for one in chosen if one.score >= runs.score][: self._settings.knowledge.pieces]
        found = self._within(project, best, self._room(budget, used))
        if not best and self.shelves.shelf(project.id, runs.variant).documents:
            found = [Offered(f"{PREFIX}none", "", "", LOW, 0.0, count_tokens(LOW))]
        log.info(
            "knowledge_chosen", project=project.id, pieces=[one.id for one in found], variant=runs.variant,
            ms=round((perf_counter() - began) * 1000, 1),
        )  # fmt: skip
        return found

    def overview(self, project: Project, session: str) -> list[Offered]:
        """What a session begins with: README, issues and the newest decision, as far as there are any."""
        runs = self.configuration(project.id, session)
        documents = self.shelves.shelf(project.id, runs.variant).documents
        decisions = [one for one in documents if one.kind == "decision"]
        first = [next((one for one in documents if one.kind == kind), None) for kind in ("readme", "issues")]
        newest = max(decisions, key=lambda one: recognising.newest(one.document), default=None)
        best = [Chosen(one, 0.0, 0.0) for one in (*first, newest) if one]
        return self._within(project, best, self._room(0, 0))

    def rule(self, project: Project, session: str, offered: Sequence[Offered]) -> str:
        """What a block with these pieces ends with, "" for nothing."""
        return citing.rule(self._mode(project.id, session), [one.pointer for one in offered])

    def replied(
        self,
        project: Project,
        session: str,
        reply: str,
        *,
        turn: str = "",
        trace: str = "",
        active: bool = False,
    ) -> str:
        """Reads a turn's whole reply; why the host should take the turn on, "" if it should not."""
        return self.quoting.replied(project.id, session, reply, turn=turn, trace=trace, active=active)

    def given(self, project: str, ids: Sequence[str]) -> list[Given]:
        """The elements behind the ids of pieces, as they were given."""
        found = []
        for one in ids:
            document, _, version = one.removeprefix(PREFIX).rpartition("@")
            if (
                document
                and version.isdecimal()
                and (row := self.versions.row(project, document, int(version)))
            ):
                found.append(Given(one, Elements(*row[8:12])))
        return found

    def _within(self, project: Project, best: Sequence[Chosen], room: int) -> list[Offered]:
        """The pieces that fit into ``room``; the last of them is cut if that lets it in."""
        places = Places(self._view(project))
        found: list[Offered] = []
        for one in best:
            offered = _offered(one, one.known.elements, places)
            if offered.tokens > room >= LEAST_TOKENS:
                offered = _offered(one, fitted(one.known.elements, room), places)
            if offered.tokens > room:
                break
            room -= offered.tokens
            found.append(offered)
        return found

    def _room(self, budget: int, used: int) -> int:
        knowledge = self._settings.knowledge
        least = min(budget or knowledge.budget, knowledge.budget)
        return max(0, min(least, int(SHARE * knowledge.window) - used))

    def _mode(self, project: str, session: str) -> CitationMode:
        return self.configuration(project, session).mode

    def _say(self, project: str, event: Event, trace: str) -> None:
        one = draft(event, project=project, source=SOURCE, id=self._new_id(), trace=trace or None)
        self._events.append([one])


def _offered(one: Chosen, elements: Elements, places: Places) -> Offered:
    known = one.known
    text = spoken(elements, known.title)
    pointer = elements.entry_pointer
    gone = "" if not pointer or places.exists(pointer) else "GONE"
    why = f"says {', '.join(one.why)}" if one.why else ""
    path, _, part = known.document.partition("#")
    line = places.section(path, known.title) if part else 0
    where = f"{known.kind} {known.document}" + (f", line {line}" if line else "")
    reason = "; ".join(part for part in (where, known.title, why, gone) if part)
    return Offered(
        f"{PREFIX}{known.document}@{known.version}", pointer or known.document.partition("#")[0], text,
        reason, one.score, count_tokens(text),
    )  # fmt: skip
