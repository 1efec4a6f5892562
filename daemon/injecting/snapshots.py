"""What can be read without a socket: a small JSON file a project, for commands in a sandbox that forbids it.

Written whole or not at all, from the views, once a project has been still for a moment; it holds names and an
orientation, no text of files. It is derived: nothing reads it back.
"""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
import structlog

from navlog.daemon.answers import Answers
from navlog.daemon.hosts.heard import Ask
from navlog.daemon.injecting.sources import Source
from navlog.daemon.projects import Project, Projects
from navlog.projections.injecting.block import lines_of
from navlog.schemas.errors import NavlogError

EVERY_S = 5.0
LONGEST = 12  # looks: a project that never is still is written after a minute
PATHS, NAMES = 5_000, 4
FOLDER = "snapshots"
log = structlog.get_logger()


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """``about``: the orientation's lines; ``paths``: files, with the first names they define; ``more``: how
    many were left out."""

    project: str
    root: str
    position: int
    about: list[str]
    paths: dict[str, list[str]]
    more: int = 0


class Snapshots:
    """A thread that looks every `EVERY_S` whether a project has changed, and is so no more.

    ``source`` gives the orientation. A first index changes a project all the time: what was written
    meanwhile would be old at once.
    """

    def __init__(
        self, data: Path, projects: Projects, answers: Answers, source: Source, position: Callable[[], int]
    ) -> None:
        self._folder = data / FOLDER
        self._projects = projects
        self._answers = answers
        self._source = source
        self._position = position
        self._written: dict[str, object] = {}
        self._seen: dict[str, tuple[object, int]] = {}  # version at the last look, looks it has waited
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._live, name="snapshots", daemon=True)

    def start(self) -> None:
        """From now on."""
        self._thread.start()

    def stop(self) -> None:
        """Returns once nothing is written any more."""
        self._closing.set()
        self._thread.join()

    def look(self) -> None:
        """Writes what has changed, and takes away what is no project any more."""
        projects = self._projects.all()
        for project in projects:
            version = (str(project.root), self._answers.view(project).changes)
            if self._written.get(project.id) == version:
                continue
            before, looks = self._seen.pop(project.id, (None, 0))
            if before == version or looks >= LONGEST:
                self._write(project)
                self._written[project.id] = version
            else:
                self._seen[project.id] = (version, looks + 1)
        for gone in (self._written.keys() | self._seen.keys()) - {project.id for project in projects}:
            self._written.pop(gone, None)
            self._seen.pop(gone, None)
            self._path(gone).unlink(missing_ok=True)

    def _live(self) -> None:
        while not self._closing.wait(EVERY_S):
            try:
                self.look()
            except (OSError, NavlogError) as fault:
                log.warning("snapshot_failed", fault=str(fault))
            except Exception:
                log.exception("snapshot_failed")

    def _write(self, project: Project) -> None:
        view = self._answers.view(project)
        with view.lock:
            files = sorted(view.files)
            names = {path: [one.name for one in view.files[path].symbols[:NAMES]] for path in files[:PATHS]}
        found = self._source.offer(Ask("", "", "start"), project.id)
        snapshot = Snapshot(
            project=project.id,
            root=str(project.root),
            position=self._position(),
            about=[line for one in found for line in lines_of(one)],
            paths=names,
            more=max(0, len(files) - PATHS),
        )
        self._folder.mkdir(mode=0o700, exist_ok=True)
        path = self._path(project.id)
        beside = path.with_suffix(".new")
        with suppress(FileNotFoundError):
            beside.unlink()
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.encode(snapshot))
        beside.replace(path)

    def _path(self, project: str) -> Path:
        return self._folder / f"{project}.json"
