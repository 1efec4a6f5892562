"""Tasks, sessions and decisions as pages show them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from navlog.projections.pages.model import Decision, Session, Task
from navlog.projections.store import Store


class Work(NamedTuple):
    """What agents and people did in a project, the newest first."""

    tasks: Sequence[Task] = ()
    sessions: Sequence[Session] = ()
    decisions: Sequence[Decision] = ()

    @property
    def named(self) -> Iterator[str]:
        """The files that were changed or read."""
        for task in self.tasks:
            yield from task.modified
        for session in self.sessions:
            yield from session.modified


def no_work(_store: Store, _project: str) -> Work:
    """While no projection knows of any."""
    return Work()
