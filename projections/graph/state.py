"""What the graph's fold remembers between batches: the files of each project, and who asks for whom.

A cache of the tables, no more; texts and outlines stay on disk.
"""

from collections import Counter

import msgspec

from navlog.projections.resolving.index import Index
from navlog.projections.resolving.manifests import Manifests
from navlog.projections.resolving.multimap import Multimap

Place = tuple[str, str]  # (project, path)


class File(msgspec.Struct, frozen=True, gc=False):
    """A path's present content; ``changed_at`` is the time of the event that first said so."""

    content: str
    size: int
    mtime_ns: int
    executable: bool
    changed_at: str


class Header(msgspec.Struct, frozen=True):
    """A project's row but its id; ``head`` is a commit, ``branch`` "" when detached."""

    root: str
    name: str
    kind: str
    common_dir: str | None = None
    head: str | None = None
    branch: str = ""


class Project:
    """One registered project. ``commits``: those that are in the tables."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.files: dict[str, File] = {}
        self.skipped: set[str] = set()
        self.commits: set[str] = set()
        self.index = Index()
        self.manifests = Manifests()


class State:
    """``holders``: who has a content now. ``unread``: events nobody here understands, by (type, version)."""

    def __init__(self) -> None:
        self.projects: dict[str, Project] = {}
        self.holders: Multimap[str, Place] = Multimap()
        self.unread: Counter[tuple[str, int]] = Counter()

    def file(self, place: Place) -> File | None:
        """What stands at ``place``."""
        project = self.projects.get(place[0])
        return project.files.get(place[1]) if project else None

    def put(self, place: Place, file: File) -> None:
        """``place`` has this content from now on."""
        self.take(place)
        self.projects[place[0]].files[place[1]] = file
        self.holders.add(file.content, place)

    def take(self, place: Place) -> File | None:
        """``place`` is empty from now on; what stood there."""
        file = self.projects[place[0]].files.pop(place[1], None)
        if file is not None:
            self.holders.discard(file.content, place)
        return file

    def drop(self, project: str) -> None:
        """The project and all its files are gone."""
        for path in list(self.projects[project].files):
            self.take((project, path))
        del self.projects[project]
