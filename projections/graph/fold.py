"""A batch of events folded into what changes in the graph.

Two passes: `navlog.projections.graph.walk` moves the state; here only the end of the batch is looked at. A
file that came and went within it costs nothing, and any split into batches ends in the same rows.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from navlog.projections.graph.changes import Changes, Resolved
from navlog.projections.graph.state import Place, Project, State
from navlog.projections.graph.walk import Walk
from navlog.projections.resolving import needs
from navlog.projections.resolving.manifests import is_manifest
from navlog.schemas.envelope import Record
from navlog.schemas.events import OutlineRecorded

Recall = Callable[[Iterable[str]], dict[str, OutlineRecorded]]


def fold(state: State, batch: Sequence[Record], recall: Recall) -> Changes:
    """Moves ``state`` over ``batch``; ``recall`` finds the outlines that earlier batches left."""
    walk = Walk(state)
    for record in batch:
        walk.read(record)
    return _settle(state, walk, recall)


def ask(project: Project, path: str, outline: OutlineRecorded | None) -> Resolved:
    """Keeps what the file asks for and finds what it means; without an outline it asks for nothing."""
    asked = list(needs(path, outline, project.manifests)) if outline else []
    project.index.ask(path, asked)
    return [(need, project.index.find(path, need)) for need in asked]


def _settle(state: State, walk: Walk, recall: Recall) -> Changes:
    changes = walk.changes
    changes.added = {place for place, there in walk.before.items() if not there}
    changes.files = {place: state.file(place) for place in walk.before}
    looked = {place for place, file in changes.files.items() if file}
    looked.update(place for content in changes.outlines for place in state.holders.get(content))
    asking = looked | set(_dirty(state, walk.before))
    asking |= set(_misled(state, walk.before, looked, changes.outlines, recall))
    outlines = _outlines(state, asking, changes.outlines, recall)
    for project, path in sorted(asking):
        file = state.projects[project].files[path]
        outline = outlines.get(file.content)
        if not state.projects[project].index.asks(path):
            changes.unresolved.add((project, path))
        if (project, path) in looked:
            changes.shown[project, path] = file, outline
        changes.resolved[project, path] = ask(state.projects[project], path, outline)
    return changes


def _dirty(state: State, before: dict[Place, bool]) -> Iterator[Place]:
    """The files whose imports and links may mean others, since files came and went."""
    for name in sorted({project for project, _ in before}):
        project = state.projects[name]
        touched = {path for owner, path in before if owner == name}
        had = {path for path in touched if before[name, path]}
        has = touched & project.files.keys()
        for path in had - has:
            project.index.forget(path)
        keys = project.index.update(has - had, had - has)
        yield from ((name, path) for path in project.index.askers(keys))


def _misled(
    state: State,
    before: dict[Place, bool],
    looked: set[Place],
    fresh: dict[str, OutlineRecorded],
    recall: Recall,
) -> Iterator[Place]:
    """The files whose imports may mean others, since manifests came, went or say something else."""
    told = {place for place in looked | before.keys() if is_manifest(place[1])}
    outlines = _outlines(state, told & looked, fresh, recall)
    for name, path in sorted(told):
        project = state.projects[name]
        file = project.files.get(path)
        vias = project.manifests.put(path, outlines.get(file.content) if file else None)
        yield from ((name, asker) for asker in project.index.askers(vias))


def _outlines(
    state: State, places: set[Place], fresh: dict[str, OutlineRecorded], recall: Recall
) -> dict[str, OutlineRecorded]:
    contents = {state.projects[project].files[path].content for project, path in places}
    absent = contents - fresh.keys()
    return {**(recall(absent) if absent else {}), **fresh}
