"""Puts the rooms of nudging together."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from navlog.daemon.journal import Journal
from navlog.daemon.nudging.desk import Desk
from navlog.daemon.nudging.handing import Handing
from navlog.daemon.nudging.hearing import Hearing
from navlog.daemon.nudging.memory import Memory
from navlog.daemon.nudging.offers import Offers
from navlog.daemon.nudging.reducing import Reducing
from navlog.daemon.nudging.steps import Steps
from navlog.daemon.nudging.tails import Tails
from navlog.daemon.nudging.telling import Telling
from navlog.daemon.projects import Projects
from navlog.daemon.verbs import Verbs
from navlog.projections.tokens import ClassWeighted
from navlog.schemas.settings import Nudge


class Nudging(NamedTuple):
    """What other rooms see of it."""

    memory: Memory
    desk: Desk
    hearing: Hearing
    reducing: Reducing
    telling: Telling

    def used(self, session: str) -> int:
        """Tokens of its context, as last measured; 0 where nobody measured it."""
        measured = self.memory.of(session)[1].measured
        return measured.t if measured else 0

    def verbs(self) -> Verbs:
        """What the server answers."""
        return {**self.desk.verbs(), **self.reducing.verbs(), **self.telling.verbs()}


def open_nudging(
    events: Journal,
    projects: Projects,
    settings: Nudge,
    now: Callable[[], float],
    lately: Callable[[], list[str]],
    spool: Path,
    stack: ExitStack,
) -> Nudging:
    """``lately``: the sessions that hooks were heard of last, ``spool``: the folder of calls nobody heard.

    What is pushed on the stack ends with it.
    """
    counter = ClassWeighted()
    memory = Memory(events)
    steps, tails, offers = Steps(events, memory), Tails(counter.count, settings), Offers()
    desk = Desk(projects, steps, tails, settings, counter.name, now)
    hearing = Hearing(desk, steps, tails, offers, Handing(spool))
    stack.callback(hearing.close)
    return Nudging(memory, desk, hearing, Reducing(desk, offers), Telling(memory, settings, lately))
