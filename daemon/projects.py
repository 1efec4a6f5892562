"""The registry: which folders are projects. Events say so; this keeps nothing the log does not have.

A project that is registered again is the same project: its id is made of its place (`identify`).
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from navlog.daemon.listener.identity import ProjectIdentity, identify
from navlog.schemas.envelope import Draft
from navlog.schemas.errors import ProjectRefused, TimedOut, UnknownProject, UsageError
from navlog.schemas.events import Event, ProjectMoved, ProjectRegistered, ProjectRemoved
from navlog.schemas.names import word

SOURCE = "person"
READY_S = 20.0  # less than a verb's time; a hook's client is long gone then, and its spool says it again


class Registered(Protocol):
    """What the graph knows of a project."""

    @property
    def root(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...


class Project(NamedTuple):
    """A registered project."""

    id: str
    root: Path
    name: str
    kind: str


class Projects:
    """``registered``: the graph's projects; ``append`` returns once the events are in its tables.

    ``ready`` waits so many seconds until the graph has what was in the log at the start: while derived files
    come back, a project that it does not know may be registered all the same.
    """

    def __init__(
        self,
        registered: Callable[[], Mapping[str, Registered]],
        append: Callable[[Sequence[Draft]], None],
        new_id: Callable[[], str],
        ready: Callable[[float], bool] = lambda _: True,
    ) -> None:
        self._registered = registered
        self._append = append
        self._new_id = new_id
        self._ready = ready

    def all(self) -> list[Project]:
        """Every registered project, by name."""
        found = [Project(id_, Path(p.root), p.name, p.kind) for id_, p in self._registered().items()]
        return sorted(found, key=lambda project: (project.name, project.id))

    def find(self, where: str | None) -> Project:
        """The project of an id, a name, a path inside it, or (None) the only one; raises `UnknownProject`.

        Raises `TimedOut` while the registry is not known whole.
        """
        try:
            return self._find(where)
        except UnknownProject:
            if self._ready(0.0):
                raise
        self._wait()
        return self._find(where)

    def _find(self, where: str | None) -> Project:
        projects = self.all()
        if where is None:
            if len(projects) == 1:
                return projects[0]
            raise UnknownProject("No project is named, and there is not exactly one.", hint=_known(projects))
        by_id = {project.id: project for project in projects}
        return by_id.get(where) or _called(where, projects) or self._around(where, projects)

    def register(self, path: str) -> Project:
        """The project of a folder, registered if it is not yet; raises `ProjectRefused`."""
        identity = _meant(_absolute(path))
        if identity.root not in {project.root for project in self.all()}:
            self._wait()
        known = {project.root: project for project in self.all()}
        if project := known.get(identity.root):
            return project
        id_ = self._free_id(identity.key)
        self._say(id_, _registered_now(identity))
        return Project(id_, identity.root, identity.name, identity.kind)

    def remove(self, where: str | None) -> Project:
        """Takes the project off the registry."""
        project = self.find(where)
        self._say(project.id, ProjectRemoved())
        return project

    def move(self, where: str, path: str) -> Project:
        """The project now lies at ``path``; its history stays."""
        project = self.find(where)
        identity = _meant(_absolute(path))
        if taken := next((other for other in self.all() if other.root == identity.root), None):
            raise UsageError(
                f"{identity.root} is the project {taken.id} already.",
                hint=f"Remove it first:  navlog project remove {taken.id}",
            )
        self._say(project.id, ProjectMoved(previous=str(project.root), root=str(identity.root)))
        return project._replace(root=identity.root)

    def _wait(self) -> None:
        if not self._ready(READY_S):
            raise TimedOut(
                "Which folders are projects is still being read from the log.", hint="Ask again in a moment."
            )

    def _around(self, where: str, projects: Sequence[Project]) -> Project:
        """The nearest boundary wins: a worktree inside another one is not answered for by its parent."""
        gone = next((project for project in projects if str(project.root) == where.rstrip("/")), None)
        if gone and not gone.root.exists():
            return gone  # so that it can be moved or removed
        if "/" in where or Path(where).exists():
            try:
                place = identify(_absolute(where))
            except ProjectRefused as fault:  # where none can be, none is: $HOME is where many shells begin
                raise UnknownProject(fault.message, hint=_known(projects)) from fault
            around = [one for one in projects if one.root == place.root or _is_within(place, one)]
            if around:
                return max(around, key=lambda project: len(project.root.parts))
            raise UnknownProject(
                f"No registered project is at {place.root}.",
                hint=f"Take it up:  navlog up {word(place.root)}",
            )
        raise UnknownProject(f"There is no project {where!r}.", hint=_known(projects))

    def _free_id(self, key: str) -> str:
        """``key``, numbered where a project that has moved away still bears it."""
        taken = {project.id for project in self.all()}
        names = (key if number == 1 else f"{key}-{number}" for number in count(1))
        return next(name for name in names if name not in taken)

    def _say(self, project: str, event: Event) -> None:
        self._append(
            [
                Draft(
                    id=self._new_id(),
                    project=project,
                    source=SOURCE,
                    type=event.TYPE,
                    version=event.VERSION,
                    data=msgspec.json.encode(event),
                )
            ]
        )


def _meant(path: Path) -> ProjectIdentity:
    """What a person calls a project. Outside git a file does not say how much around it is meant."""
    identity = identify(path)
    if identity.kind == "folder" and path.is_file():
        # A folder of the machine's (/etc) is hardly one of the person's projects: it is not proposed.
        theirs = identity.root.is_relative_to(Path.home().resolve())
        folder = word(identity.root) if theirs else "FOLDER"
        raise ProjectRefused(
            f"{path} is a file, and in no repository.", hint=f"Name the project's folder:  navlog up {folder}"
        )
    return identity


def _called(name: str, projects: Sequence[Project]) -> Project | None:
    """The one project of that name; several are for a person to choose from."""
    found = [project for project in projects if project.name == name]
    if len(found) > 1:
        raise UnknownProject(f"{len(found)} projects are called {name!r}.", hint=_known(found))
    return found[0] if found else None


def _is_within(place: ProjectIdentity, project: Project) -> bool:
    """Outside git a folder's project answers for the folders in it, but never for a repository in it."""
    return place.kind == project.kind == "folder" and place.root.is_relative_to(project.root)


def _registered_now(identity: ProjectIdentity) -> ProjectRegistered:
    return ProjectRegistered(
        root=str(identity.root),
        name=identity.name,
        kind=identity.kind,
        common_dir=str(identity.common_dir) if identity.common_dir else None,
    )


def _absolute(path: str) -> Path:
    """A client sends absolute paths: the daemon's own folder is nobody's business."""
    if not Path(path).is_absolute():
        raise UsageError(f"{path} is not an absolute path.", hint="Send the whole path.")
    return Path(path)


def _known(projects: Sequence[Project]) -> str:
    if not projects:
        return "Take one up first:  navlog up PATH"
    return "Registered: " + ", ".join(project.id for project in projects)
