"""Knowledge as a source of the injector: three documents for a task, an overview at a session's start.

After the pieces it says how they are to be quoted, as the settings want it.
"""

from collections.abc import Callable, Hashable, Sequence

from navlog.daemon.hosts.heard import Ask
from navlog.daemon.knowing.quoting import PREFIX
from navlog.daemon.knowing.room import Knowing, Offered
from navlog.daemon.projects import Projects
from navlog.projections.injecting.block import Found
from navlog.schemas.sessions import Moment
from navlog.schemas.settings import Inject


class KnowledgeSource:
    """See `navlog.daemon.injecting.sources.Source`.

    ``changes`` is a project's graph in one number, ``used`` the tokens that a session's context holds.
    """

    name = "knowledge"
    moments: frozenset[Moment] = frozenset(("start", "compact", "prompt", "asked"))

    def __init__(
        self,
        knowing: Knowing,
        projects: Projects,
        changes: Callable[[str], Hashable],
        used: Callable[[str], int],
    ) -> None:
        self._knowing = knowing
        self._projects = projects
        self._changes = changes
        self._used = used

    def share(self, settings: Inject) -> float:
        """See `Source`."""
        return settings.knowledge_share

    def version(self, project: str) -> Hashable:
        """Another one as soon as a summary is, or a file that a pointer may name."""
        return self._knowing.shelves.version(project), self._changes(project)

    def offer(self, ask: Ask, project: str) -> Sequence[Found]:
        """See `Source`."""
        place = self._projects.find(project)
        if ask.task:
            offered = self._knowing.pieces(place, ask.session, ask.task, used=self._used(ask.session))
        else:
            offered = self._knowing.overview(place, ask.session)
        rule = self._knowing.rule(place, ask.session, offered)
        said = [Found(f"{PREFIX}citation", "knowledge", "", "", rule)] if rule else []
        return [*map(_found, offered), *said]


def _found(one: Offered) -> Found:
    return Found(one.id, "knowledge", one.pointer, one.text, one.reason)
