"""`impact`: who is touched by a change of a file, a definition or a concept, from the graph's tables.

Looks and records nothing. It refuses to choose between many definitions of one name: all are named, the first
few are followed.
"""

import os
from collections.abc import Callable, Container, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from navlog.daemon.projects import Project, Projects
from navlog.projections.concepts.targets import concept_named
from navlog.projections.graph.asking import GraphFacts
from navlog.projections.impact import find_settings, find_targets, impact
from navlog.projections.impact.facts import Hit, Target
from navlog.projections.store import Store
from navlog.projections.views import ProjectView
from navlog.schemas.concept import Concept
from navlog.schemas.errors import UsageError
from navlog.schemas.events import Symbol
from navlog.schemas.wire import ImpactArgs, ImpactHit, ImpactReply, ImpactTarget

FOLLOWED = 5  # definitions of one name
MAIN_FILES = 12  # of a concept: the surest ones
CODE = ("implemented_by", "contains")
CONCEPT = "concept:"
NAMED = 20
NEAR = 5
ALIKE = 0.75  # of two names, as difflib counts it: set_cooky is set_cookie


class Impacts:
    """``freshen`` waits for the newest writes and says what it missed; ``position``: what the tables hold.

    ``concepts`` of a project, by its id.
    """

    def __init__(
        self,
        projects: Projects,
        view: Callable[[Project], ProjectView],
        freshen: Callable[[Project], str],
        store: Store,
        position: Callable[[], int],
        concepts: Callable[[str], Sequence[Concept]] = lambda _: (),
    ) -> None:
        self._projects = projects
        self._view = view
        self._freshen = freshen
        self._store = store
        self._position = position
        self._concepts = concepts

    def ask(self, args: ImpactArgs) -> ImpactReply:
        """Raises `UnknownProject`, and `UsageError` when nothing in the project is called that."""
        project = self._projects.find(args.project)
        stale = self._freshen(project)
        view = self._view(project)
        with view.lock:
            symbols = {path: file.symbols for path, file in view.files.items()}
        wanted = args.target.strip()
        concept = self._concept(project, wanted) if wanted.startswith(CONCEPT) else None
        targets = [] if concept else find_targets(symbols, _from_root(project.root, wanted))
        with self._store.cursor() as db:
            facts = GraphFacts(db, project.id, symbols)
            targets = targets or ([] if concept else find_settings(facts, wanted))
            if not targets:
                concept = concept or self._called(project, wanted)
                if concept is None:
                    raise _nothing(args.target, symbols)
                targets = _main_files(concept, symbols)
            own = {one.path for one in targets} if concept else set()
            starts = targets[: MAIN_FILES if concept else FOLLOWED]
            # Of a concept's own files none is touched by it: they are what changes.
            found = impact(facts, starts, args.depth, args.limit + len(own))
            hits = [hit for hit in found if hit.path not in own]
        return ImpactReply(
            position=self._position(),
            project=project.id,
            stale=stale,
            targets=[_target(one) for one in targets[:NAMED]],
            hits=[_hit(one) for one in hits[: args.limit]],
            found=len(hits),
        )

    def _concept(self, project: Project, wanted: str) -> Concept:
        """Raises `UsageError` with the nearest names."""
        return concept_named([one for one in self._concepts(project.id) if one.shown], wanted)

    def _called(self, project: Project, wanted: str) -> Concept | None:
        try:
            return self._concept(project, wanted)
        except UsageError:
            return None


def _main_files(concept: Concept, there: Container[str]) -> list[Target]:
    """What it is made of; raises `UsageError` for a concept that has only tests or documents."""
    paths = [one.path for one in concept.files if one.relation in CODE and one.path in there]
    if not paths:
        raise UsageError(
            f"No file implements {concept.label!r}.", hint=f"See it:  navlog concept show {concept.key}"
        )
    return [Target(path) for path in dict.fromkeys(paths)]


def _from_root(root: Path, wanted: str) -> str:
    """An absolute path inside the project as the project names it."""
    path = Path(os.path.normpath(wanted)) if wanted.startswith("/") else None
    return str(path.relative_to(root)) if path and path.is_relative_to(root) else wanted


def _target(target: Target) -> ImpactTarget:
    owner = target.root if target.root != target.symbol else ""
    return ImpactTarget(path=target.path, line=target.line, symbol=target.symbol, owner=owner)


def _hit(hit: Hit) -> ImpactHit:
    return ImpactHit(**hit._asdict())


def _nothing(wanted: str, symbols: Mapping[str, Sequence[Symbol]]) -> UsageError:
    """With what is near: files of that name, else names that are written almost like it."""
    name = wanted.rpartition("/")[2].lower()
    near = [path for path in sorted(symbols) if path.rpartition("/")[2].lower() == name][:NEAR]
    if not near:
        names = dict.fromkeys(one.name for path in sorted(symbols) for one in symbols[path])
        near = get_close_matches(wanted, [*symbols, *names], NEAR, ALIKE)
    return UsageError(
        f"Nothing in the project is called {wanted!r}.",
        hint=f"Did you mean {', '.join(near)}?"
        if near
        else "Name a path from the project's root, a symbol, Class.method, path:symbol, a setting's key, or"
        " concept:NAME.",
    )
