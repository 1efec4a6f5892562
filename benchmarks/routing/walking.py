"""Views for the cases: one per repository, moved from base commit to base commit by what differs."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from benchmarks.routing.cases import Case
from benchmarks.routing.outlines import Outlines
from benchmarks.routing.repository import Repository, folder_of
from navlog.projections.history import History
from navlog.projections.resolving import needs
from navlog.projections.resolving.index import Index
from navlog.projections.resolving.manifests import Manifests, is_manifest
from navlog.projections.views import FileView, ProjectView
from navlog.schemas.events import OutlineRecorded
from navlog.schemas.settings import Listen

DEPTH = Listen().commit_depth


class Walk:
    """A view of one repository; `to` brings it to another commit."""

    def __init__(self, repository: Repository, outlines: Outlines, depth: int = DEPTH) -> None:
        self.view = ProjectView()
        self._repository, self._outlines, self._depth = repository, outlines, depth
        self._tree: dict[str, str] = {}
        self._made: dict[str, OutlineRecorded] = {}
        self._index = Index()

    def to(self, commit: str) -> None:
        """Files, edges and history as of ``commit``."""
        tree = self._repository.tree(commit)
        changed = {path: blob for path, blob in tree.items() if self._tree.get(path) != blob}
        made = self._outlines.of(self._repository, changed)
        gone = self._tree.keys() - tree.keys()
        self._index.update(sorted(tree.keys() - self._tree.keys()), sorted(gone))
        for path in sorted(gone):
            self._made.pop(path, None)
            self._index.forget(path)
            self.view.drop(path)
        for path, outline in made.items():
            self._made[path] = outline
            self.view.put(_file_view(path, outline), outline.words)
        self._tree = tree
        self._relate()
        self.view.history = History()
        for recorded in self._repository.history(commit, self._depth, Listen().commit_files):
            self.view.commit(recorded)

    def _relate(self) -> None:
        manifests = Manifests()
        for path, outline in self._made.items():
            if is_manifest(path):
                manifests.put(path, outline)
        for path, outline in self._made.items():
            asked = needs(path, outline, manifests)
            found = ((need.kind, self._index.find(path, need)) for need in asked)
            self.view.relate(path, list(dict.fromkeys((kind, to) for kind, to in found if to)))


def walk(
    cases: Sequence[Case], mirror: Path, outlines: Outlines, depth: int = DEPTH
) -> Iterator[tuple[Case, ProjectView]]:
    """Each case with the view of its base commit; one view moves from case to case of a repository."""
    for repo, group in groupby(cases, key=lambda case: case.repo):
        repository = Repository(folder_of(mirror, repo))
        walking = Walk(repository, outlines, depth)
        for base, same in groupby(group, key=lambda case: case.base_commit):
            walking.to(base)
            for case in same:
                yield case, walking.view


def _file_view(path: str, outline: OutlineRecorded) -> FileView:
    return FileView(
        path=path,
        content=outline.content,
        language=outline.language,
        size=outline.size,
        mtime_ns=0,
        changed_at=0.0,
        lines=outline.lines,
        doc=outline.doc,
        symbols=outline.symbols,
        chunks=outline.chunks,
    )
