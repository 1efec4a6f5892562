"""The master test: incremental == clean == replay, whatever was edited and however it came in batches."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from navlog.projections.graph import GraphProjection, tables
from navlog.projections.projector import Builder
from navlog.projections.store import Connection, Store
from navlog.projections.views import ProjectView
from navlog.schemas.events import (
    Event,
    FileMoved,
    FileRemoved,
    FileSkipped,
    ProjectRegistered,
    ProjectRemoved,
)
from support.graph import LIMITS, ListLog, content, observed, outlined

PATHS = st.sampled_from(
    ["a.py", "p/__init__.py", "p/a.py", "p/b.py", "src/q/__init__.py", "d.md", "p/d.md", "pyproject.toml"]
)
TEXTS = st.sampled_from(
    ["import a", "from p import a, b", "from . import b\ndef here", "from q import x\nx()", "[see](p/a.py)",
     "[up](../a.py)", "import p.b\ndef other", "", "import x.b", "alias x = p", "alias x = src/q"]
)  # fmt: skip
STEPS = st.one_of(
    st.tuples(st.just("write"), PATHS, TEXTS),
    st.tuples(st.just("pending"), PATHS, TEXTS),
    st.tuples(st.just("remove"), PATHS),
    st.tuples(st.just("move"), PATHS, PATHS),
    st.tuples(st.just("skip"), PATHS),
    st.tuples(st.just("forget")),
)
PROJECTS = st.sampled_from(["p", "q"])
SCRIPTS = st.lists(st.tuples(PROJECTS, STEPS), max_size=20)
REGISTERED = ProjectRegistered(root="/p", name="p", kind="folder")


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    store = Store(tmp_path_factory.mktemp("home"), LIMITS)
    made, _ = store.open("graph", 1)
    tables.create(made)
    yield made
    store.close()


class Disk:
    """What the steps leave behind, by a model that knows nothing of batches."""

    def __init__(self) -> None:
        self.log = ListLog()
        self.files: dict[tuple[str, str], str] = {}
        self.skipped: set[tuple[str, str]] = set()
        self.outlined: set[str] = set()
        for project in "pq":
            self.log.add(REGISTERED, project=project)

    def do(self, project: str, step: tuple[Any, ...]) -> None:
        self.log.add(*getattr(self, step[0])(project, *step[1:]), project=project)

    def write(self, project: str, path: str, text: str) -> list[Event]:
        return [*self.pending(project, path, text), *self.outline(text)]

    def outline(self, text: str) -> list[Event]:
        """Once for all files of these bytes, whosever they are."""
        if text in self.outlined:
            return []
        self.outlined.add(text)
        return [outlined(text, language_of(text))]

    def pending(self, project: str, path: str, text: str) -> list[Event]:
        self.files[project, path] = text
        self.skipped.discard((project, path))
        return [observed(path, text)]

    def remove(self, project: str, path: str) -> list[Event]:
        self.files.pop((project, path), None)
        self.skipped.discard((project, path))
        return [FileRemoved(path=path)]

    def move(self, project: str, previous: str, path: str) -> list[Event]:
        if (project, previous) in self.files and previous != path:
            self.files[project, path] = self.files.pop((project, previous))
            self.skipped.discard((project, path))
        return [FileMoved(previous=previous, path=path)]

    def skip(self, project: str, path: str) -> list[Event]:
        self.files.pop((project, path), None)
        self.skipped.add((project, path))
        return [FileSkipped(path=path, reason="link")]

    def forget(self, project: str) -> list[Event]:
        self.files = {place: text for place, text in self.files.items() if place[0] != project}
        self.skipped = {place for place in self.skipped if place[0] != project}
        return [ProjectRemoved(), REGISTERED]

    def clean(self) -> ListLog:
        """A log that only knows the end."""
        log = ListLog()
        for project in "pq":
            log.add(REGISTERED, project=project)
        for text in self.outlined & set(self.files.values()):
            log.add(outlined(text, language_of(text)))
        for (project, path), text in self.files.items():
            log.add(observed(path, text), project=project)
        for project, path in self.skipped:
            log.add(FileSkipped(path=path, reason="link"), project=project)
        return log


def language_of(text: str) -> str:
    return {"[": "markdown", "al": "toml"}.get(text[: 1 if text.startswith("[") else 2], "python")


class Built:
    """A projection filled from a log in batches of ``size``, its export and what its views show."""

    def __init__(self, db: Connection, log: ListLog, size: int, restart_at: int = -1) -> None:
        empty(db)
        graph = GraphProjection()
        builder = Builder(graph, db, new=False)
        while builder.position.events < log.position:
            builder.catch_up({"events": log}, builder.position.events + size, size)
            if builder.position.events == restart_at:
                graph.load(db)
        self.rows = list(graph.export(db))
        self.shown = {name: look(view) for name, view in graph.views.items()}
        graph.load(db)
        self.loaded = {name: look(view) for name, view in graph.views.items()}


def empty(db: Connection) -> None:
    for table in tables.TABLES:
        db.execute(f"DELETE FROM {table.name}")  # noqa: S608 - names of our own
    db.execute("DELETE FROM positions")


def look(view: ProjectView) -> dict[str, tuple[Any, ...]]:
    return {
        path: (file.content, file.language, [one.name for one in file.symbols], view.neighbours(path))
        for path, file in view.files.items()
    }


@pytest.mark.timeout(60)
@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(SCRIPTS, st.integers(1, 7), st.integers(0, 30))
def test_incremental_equals_clean_equals_replay(
    db: Connection, script: list[tuple[str, tuple[Any, ...]]], size: int, restart_at: int
) -> None:
    disk = Disk()
    for project, step in script:
        disk.do(project, step)
    incremental = Built(db, disk.log, size, restart_at)
    replay = Built(db, disk.log, 2000)
    clean = Built(db, disk.clean(), 2000)
    assert incremental.rows == replay.rows == clean.rows
    assert incremental.shown == incremental.loaded == replay.shown == clean.shown == clean.loaded
    there = {(row[1], row[2]): row[3] for row in clean.rows if row[0] == "files"}
    assert there == {place: content(text) for place, text in disk.files.items()}


@pytest.mark.timeout(60)
@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(SCRIPTS, st.integers(1, 7))
def test_nothing_of_another_project_appears(
    db: Connection, script: list[tuple[str, tuple[Any, ...]]], size: int
) -> None:
    """What one project shows, and what its tables say of it, is the same whatever happens in the other.

    What the other one outlined is known of the same bytes here, for an outline is a fact of a content.
    """
    both, alone = Disk(), Disk()
    for project, step in script:
        both.do(project, step)
        if project == "p":
            alone.do(project, step)
        elif step[0] == "write":
            alone.log.add(*alone.outline(step[2]), project=project)
    beside, single = Built(db, both.log, size), Built(db, alone.log, size)
    assert beside.shown["p"] == single.shown["p"]
    assert rows_of(beside, "p") == rows_of(single, "p")


def rows_of(built: Built, project: str) -> list[tuple[Any, ...]]:
    return [row for row in built.rows if row[1] == project]
