"""`impact`: who is touched by a change of a file or a definition, from the graph's tables.

Looks and records nothing. It refuses to choose between many definitions of one name: all are named, the first
few are followed.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from navlog.daemon.projects import Project, Projects
from navlog.projections.graph.asking import GraphFacts
from navlog.projections.impact import find_settings, find_targets, impact
from navlog.projections.impact.facts import Hit, Target
from navlog.projections.store import Store
from navlog.projections.views import ProjectView
from navlog.schemas.errors import UsageError
from navlog.schemas.wire import ImpactArgs, ImpactHit, ImpactReply, ImpactTarget

FOLLOWED = 5  # definitions of one name
NAMED = 20


class Impacts:
    """``freshen`` waits for the newest writes and says what it missed; ``position``: what the tables hold."""

    def __init__(
        self,
        projects: Projects,
        view: Callable[[Project], ProjectView],
        freshen: Callable[[Project], str],
        store: Store,
        position: Callable[[], int],
    ) -> None:
        self._projects = projects
        self._view = view
        self._freshen = freshen
        self._store = store
        self._position = position

    def ask(self, args: ImpactArgs) -> ImpactReply:
        """Raises `UnknownProject`, and `UsageError` when nothing in the project is called that."""
        project = self._projects.find(args.project)
        stale = self._freshen(project)
        view = self._view(project)
        with view.lock:
            symbols = {path: file.symbols for path, file in view.files.items()}
        wanted = args.target.strip()
        targets = find_targets(symbols, _from_root(project.root, wanted))
        with self._store.cursor() as db:
            facts = GraphFacts(db, project.id, symbols)
            targets = targets or find_settings(facts, wanted)
            if not targets:
                raise _nothing(args.target, symbols)
            hits = impact(facts, targets[:FOLLOWED], args.depth, args.limit)
        return ImpactReply(
            position=self._position(),
            project=project.id,
            stale=stale,
            targets=[_target(one) for one in targets[:NAMED]],
            hits=[_hit(one) for one in hits[: args.limit]],
            found=len(hits),
        )


def _from_root(root: Path, wanted: str) -> str:
    """An absolute path inside the project as the project names it."""
    path = Path(os.path.normpath(wanted)) if wanted.startswith("/") else None
    return str(path.relative_to(root)) if path and path.is_relative_to(root) else wanted


def _target(target: Target) -> ImpactTarget:
    owner = target.root if target.root != target.symbol else ""
    return ImpactTarget(path=target.path, line=target.line, symbol=target.symbol, owner=owner)


def _hit(hit: Hit) -> ImpactHit:
    return ImpactHit(**hit._asdict())


def _nothing(wanted: str, symbols: Mapping[str, object]) -> UsageError:
    name = wanted.rpartition("/")[2].lower()
    near = [path for path in sorted(symbols) if path.rpartition("/")[2].lower() == name][:5]
    return UsageError(
        f"Nothing in the project is called {wanted!r}.",
        hint=f"Did you mean {', '.join(near)}?"
        if near
        else "Name a path from the project's root, a symbol, Class.method, path:symbol, or a setting's key.",
    )
