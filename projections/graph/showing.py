"""Changes of the graph, told to the views that answers are served from."""

import sys
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import datetime

from navlog.projections.graph.changes import Changes, Resolved
from navlog.projections.graph.state import File
from navlog.projections.views import FileView, ProjectView
from navlog.schemas.events import OutlineRecorded

Views = dict[str, ProjectView]


def show(views: Views, changes: Changes) -> None:
    """Brings ``views`` from the beginning of a batch to its end."""
    for project in changes.purged:
        views.pop(project, None)
    for project in changes.projects:
        views.setdefault(project, ProjectView())
    told = (changes.files, changes.shown, changes.resolved, changes.commits)
    with ExitStack() as stack:
        for project in sorted({place[0] for part in told for place in part}):
            stack.enter_context(views[project].lock)
        _tell(views, changes)


def replace(views: Views, fresh: Mapping[str, ProjectView]) -> None:
    """``views`` holds what ``fresh`` holds; whoever reads it meanwhile finds one or the other."""
    views.update(fresh)
    for gone in views.keys() - fresh.keys():
        del views[gone]


def put(view: ProjectView, path: str, file: File, outline: OutlineRecorded | None) -> None:
    """The file as it is now; without an outline yet it is found by its path alone."""
    outline = outline or OutlineRecorded(content=file.content, extractor="", language="", size=file.size)
    shown = FileView(
        path=path,
        content=file.content,
        language=outline.language,
        size=file.size,
        mtime_ns=file.mtime_ns,
        changed_at=datetime.fromisoformat(file.changed_at).timestamp(),
        lines=outline.lines,
        doc=outline.doc,
        symbols=outline.symbols,
        chunks=outline.chunks,
        clean=sys.intern(outline.clean),
    )
    view.put(shown, outline.words)


def edges(resolved: Resolved) -> list[tuple[str, str]]:
    """The (kind, target) that leave a file, each once, in the order of the text."""
    return list(dict.fromkeys((need.kind, target) for need, target in resolved if target is not None))


def _tell(views: Views, changes: Changes) -> None:
    for (project, path), there in changes.files.items():
        if there is None:
            views[project].drop(path)
    for (project, path), (file, outline) in changes.shown.items():
        put(views[project], path, file, outline)
    for (project, path), resolved in changes.resolved.items():
        views[project].relate(path, edges(resolved))
    for (project, _), commit in changes.commits.items():
        views[project].commit(commit)
