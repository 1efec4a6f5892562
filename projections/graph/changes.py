"""What a batch changes in the graph, as the end of the batch against its beginning."""

from typing import Any

import msgspec

from navlog.projections.graph.state import File, Header, Place
from navlog.projections.resolving import Need
from navlog.schemas.events import BranchSeen, CommitRecorded, FileSkipped, OutlineRecorded

Resolved = list[tuple[Need, str | None]]


class Changes(msgspec.Struct):
    """``purged`` projects lose everything first. ``added`` places had no file: no row is replaced.

    Then, by key, what stands there now (None: nothing): ``projects``, ``files``, ``skipped``, ``branches``.
    ``outlines`` are the contents' new ones, ``commits`` the new ones in the order of the log. ``shown``: the
    places whose look changed, with their outline if there is one yet. ``resolved``: the places whose imports
    and links are to be written again, with the path each of them means; ``unresolved`` are those of them that
    have no such row yet.
    """

    purged: set[str] = msgspec.field(default_factory=set)
    projects: dict[str, Header] = msgspec.field(default_factory=dict)
    added: set[Place] = msgspec.field(default_factory=set)
    files: dict[Place, File | None] = msgspec.field(default_factory=dict)
    skipped: dict[Place, FileSkipped | None] = msgspec.field(default_factory=dict)
    outlines: dict[str, OutlineRecorded] = msgspec.field(default_factory=dict)
    shown: dict[Place, tuple[File, OutlineRecorded | None]] = msgspec.field(default_factory=dict)
    resolved: dict[Place, Resolved] = msgspec.field(default_factory=dict)
    unresolved: set[Place] = msgspec.field(default_factory=set)
    commits: dict[Place, CommitRecorded] = msgspec.field(default_factory=dict)
    branches: dict[tuple[str, str, str], BranchSeen | None] = msgspec.field(default_factory=dict)
    unread: dict[tuple[str, int], int] = msgspec.field(default_factory=dict)

    def purge(self, project: str) -> None:
        """Forgets what the batch has said about the project so far."""
        self.purged.add(project)
        self.projects.pop(project, None)
        for told in (self.files, self.skipped, self.commits, self.branches):
            _forget(told, project)


def _forget(told: dict[Any, Any], project: str) -> None:
    for key in [key for key in told if key[0] == project]:
        del told[key]
