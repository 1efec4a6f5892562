"""A batch of events or overlays folded into what changes in the concepts of each project.

What the rules find is a function of the graph's view, which is at least as far as the batch; a view that did
not change in what matters is not looked at twice. Any split into batches ends in the same concepts.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from navlog.projections.concepts import moving
from navlog.projections.concepts.facts import facts_of
from navlog.projections.concepts.finding import find
from navlog.projections.concepts.judgements import Judgement, Move, standing
from navlog.projections.concepts.judging import judge
from navlog.projections.concepts.state import Project, State
from navlog.projections.views import ProjectView
from navlog.schemas.concept import Concept
from navlog.schemas.concepts import ConceptMoved, ConceptProviderFailed, ConceptsProposed
from navlog.schemas.envelope import Record
from navlog.schemas.events import (
    CommitRecorded,
    FileMoved,
    FileObserved,
    FileRemoved,
    FileSkipped,
    OutlineRecorded,
    ProjectRegistered,
    ProjectRemoved,
)
from navlog.schemas.overlays import OVERLAYS, Overlay
from navlog.schemas.payloads import Unknown, decode_payload

Views = Mapping[str, ProjectView]


class Changes(msgspec.Struct):
    """What came, in the order of the log, by project; then whose rows stand anew, as the state has them.

    ``names``: None for a project that is registered no more. ``said``: projects whose provider answered or
    failed. ``found``: projects in which the rules find something else, ``concepts`` those that show it.
    """

    names: dict[str, str | None] = msgspec.field(default_factory=dict)
    judgements: list[tuple[str, Judgement]] = msgspec.field(default_factory=list)
    files: list[tuple[str, Move]] = msgspec.field(default_factory=list)
    moved: list[tuple[str, Move]] = msgspec.field(default_factory=list)
    said: set[str] = msgspec.field(default_factory=set)
    found: set[str] = msgspec.field(default_factory=set)
    concepts: dict[str, tuple[Concept, ...]] = msgspec.field(default_factory=dict)


def fold(state: State, batch: Sequence[Record], views: Views) -> Changes:
    """Moves ``state`` over ``batch``."""
    walk = _Walk(state)
    for record in batch:
        walk.read(record)
    for name in sorted(walk.looked | walk.judged):
        _settle(name, state[name], views.get(name) or ProjectView(), walk)
    return walk.changes


def _settle(name: str, project: Project, view: ProjectView, walk: "_Walk") -> None:
    concepts: tuple[Concept, ...] = ()
    if project.name is not None:
        paths = project.facts.pages.keys() if project.facts else None
        if _look(project, project.name, view, again=name in walk.looked):
            walk.changes.found.add(name)
        if _lose(name, project, walk.changes):
            walk.changes.found.add(name)
        # A path that only people named may have gone, or come, though the rules find the same.
        same_paths = project.facts is not None and paths == project.facts.pages.keys()
        if name not in walk.judged and name not in walk.changes.found and same_paths:
            return
        concepts = _judged(project)
    if concepts != project.concepts or name in walk.changes.names:
        project.concepts = walk.changes.concepts[name] = concepts


def _look(project: Project, name: str, view: ProjectView, *, again: bool) -> bool:
    """Whether something else is found than before."""
    if project.finding is not None and not again:
        return False
    before = project.finding
    facts = facts_of(name, view, project.seen)
    if before is not None and facts == project.facts:
        return False
    project.facts, project.finding = facts, find(facts)
    return project.finding != before


def _lose(name: str, project: Project, changes: Changes) -> bool:
    """Whether the rules' main files, or what is missed of earlier ones, are others now."""
    finding, _ = project.looked
    found = moving.main_files(finding)
    lost = moving.lose(
        project.lost,
        project.found,
        found,
        [move for owner, move in changes.files if owner == name],
        {move.previous for owner, move in changes.moved if owner == name},
    )
    same = (found, lost) == (project.found, project.lost)
    project.found, project.lost = found, lost
    return not same


def _judged(project: Project) -> tuple[Concept, ...]:
    finding, facts = project.looked
    stands = standing(project.judgements.values(), project.files, project.moved)
    answers = [project.proposals[provider] for provider in sorted(project.proposals)]
    return judge(finding, answers, stands, facts.pages.keys())


class _Walk:
    """``looked``: projects whose view may have changed; ``judged``: those of which something was said."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.changes = Changes()
        self.looked: set[str] = set()
        self.judged: set[str] = set()

    def read(self, record: Record) -> None:
        """One record; an outline is not even decoded, and may be of a content that lies anywhere."""
        known = self.state.get(record.project)
        if record.type == OutlineRecorded.TYPE:
            self.looked.update(name for name, project in self.state.items() if project.name is not None)
        elif record.type in _LOOKED and known and known.name is not None:
            self.looked.add(record.project)
        handle = _HANDLERS.get(record.type)
        if handle is not None:
            event = decode_payload(record)
            if not isinstance(event, Unknown):
                handle(self, record, self.state.setdefault(record.project, Project()), event)

    def overlay(self, record: Record, project: Project, overlay: Overlay) -> None:
        made = Judgement(record.position, record.id, record.occurred_at or record.at, overlay)
        project.judgements[record.position] = made
        self.changes.judgements.append((record.project, made))
        self.judged.add(record.project)

    def registered(self, record: Record, project: Project, event: ProjectRegistered) -> None:
        project.name = self.changes.names[record.project] = event.name
        self.looked.add(record.project)
        self.judged.add(record.project)

    def removed(self, record: Record, project: Project, _: ProjectRemoved) -> None:
        project.leave()
        self.changes.names[record.project] = None
        self.looked.discard(record.project)
        self.judged.add(record.project)

    def file_moved(self, record: Record, project: Project, event: FileMoved) -> None:
        if event.previous != event.path:
            move = Move(record.position, event.previous, event.path)
            project.files.append(move)
            self.changes.files.append((record.project, move))
            self.judged.add(record.project)

    def concept_moved(self, record: Record, project: Project, event: ConceptMoved) -> None:
        move = Move(record.position, event.previous, event.concept)
        project.moved.append(move)
        self.changes.moved.append((record.project, move))
        self.judged.add(record.project)

    def proposed(self, record: Record, project: Project, event: ConceptsProposed) -> None:
        project.proposals[event.provider] = event
        project.failed.pop(event.provider, None)
        self.changes.said.add(record.project)
        self.judged.add(record.project)

    def failed(self, record: Record, project: Project, event: ConceptProviderFailed) -> None:
        project.failed[event.provider] = event.why
        self.changes.said.add(record.project)


_LOOKED = {
    FileObserved.TYPE, FileMoved.TYPE, FileRemoved.TYPE, FileSkipped.TYPE, CommitRecorded.TYPE,
}  # fmt: skip
_HANDLERS: dict[str, Callable[[_Walk, Record, Project, Any], None]] = {
    ProjectRegistered.TYPE: _Walk.registered,
    ProjectRemoved.TYPE: _Walk.removed,
    FileMoved.TYPE: _Walk.file_moved,
    ConceptMoved.TYPE: _Walk.concept_moved,
    ConceptsProposed.TYPE: _Walk.proposed,
    ConceptProviderFailed.TYPE: _Walk.failed,
    **dict.fromkeys(OVERLAYS, _Walk.overlay),
}
READS = frozenset({OutlineRecorded.TYPE, *_LOOKED, *_HANDLERS})
