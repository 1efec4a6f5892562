"""A batch of events folded into which changes wait for a record, and which records there are.

A change is owed a record when a path has another content than the records say, once the project's first look
has ended. A change that comes before its predecessor was sliced takes its place: the record then leads from
what the records say to what is there. One that is taken back is owed none.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec

from navlog.projections.embedding.hashing import HashingEmbedder
from navlog.projections.msu.state import Changes, Entry, Place, Row, Standing, State
from navlog.projections.slicing.speaking import gist
from navlog.schemas.envelope import Record
from navlog.schemas.events import (
    FileMoved,
    FileObserved,
    FileRemoved,
    FileSkipped,
    ProjectRemoved,
    ScanCompleted,
)
from navlog.schemas.payloads import Unknown, decode_payload
from navlog.schemas.sessions import TextKept
from navlog.schemas.slices import ChangesPassed, MsuFormed

_EMBEDDER = HashingEmbedder()


class Recall:
    """What earlier batches left in the tables: ``standing`` of places, ``texts`` by hash."""

    def __init__(
        self,
        standing: Callable[[Iterable[Place]], dict[Place, Standing]],
        texts: Callable[[Iterable[str]], dict[str, str]],
    ) -> None:
        self.standing = standing
        self.texts = texts


def fold(state: State, batch: Sequence[Record], recall: Recall) -> Changes:
    """Moves ``state`` over ``batch``."""
    events = [(record, decode_payload(record)) for record in batch if record.type in _HANDLERS]
    walk = Walk(state, recall, recall.standing(_places(events)))
    for record, event in events:
        if not isinstance(event, Unknown):
            _HANDLERS[record.type](walk, record, event)
    return walk.changes


def _places(events: Iterable[tuple[Record, Any]]) -> set[Place]:
    """The places a batch speaks of."""
    found: set[Place] = set()
    for record, event in events:
        for name in ("path", "previous"):
            if path := getattr(event, name, ""):
                found.add((record.project, path))
    return found


class Walk:
    """The state moves event by event; ``known`` are the places as the tables have them."""

    def __init__(self, state: State, recall: Recall, known: dict[Place, Standing]) -> None:
        self.state = state
        self.changes = Changes()
        self._recall = recall
        self._known: dict[Place, Standing | None] = dict(known)

    def file_observed(self, record: Record, event: FileObserved) -> None:
        place = (record.project, event.path)
        self._now(place, event.content, record)

    def file_removed(self, record: Record, event: FileRemoved | FileSkipped) -> None:
        place = (record.project, event.path)
        if self._known.get(place):
            self._now(place, "", record)

    def file_moved(self, record: Record, event: FileMoved) -> None:
        before = (record.project, event.previous)
        if event.previous == event.path or not (standing := self._known.get(before)):
            return
        previous = standing.previous or event.previous
        self._put(before, None)
        moved = msgspec.structs.replace(standing, previous="" if previous == event.path else previous)
        self._put((record.project, event.path), self._owed(moved, record))

    def scan_completed(self, record: Record, _: ScanCompleted) -> None:
        if record.project not in self.state.looked:
            self.state.looked.add(record.project)
            self.changes.looked.add(record.project)

    def project_removed(self, record: Record, _: ProjectRemoved) -> None:
        project = record.project
        self.state.looked.discard(project)
        for told in (self.state.due, self._known, self.changes.standing):
            for place in [place for place in told if place[0] == project]:
                del told[place]
        self.changes.formed = [row for row in self.changes.formed if row.project != project]
        self.changes.looked.discard(project)
        self.changes.purged.add(project)

    def text_kept(self, _: Record, event: TextKept) -> None:
        self.changes.texts[event.hash] = event.text

    def msu_formed(self, record: Record, event: MsuFormed) -> None:
        place = (record.project, event.path)
        if standing := self._known.get(place) or self.state.due.get(place):
            self._sliced(place, standing, event.content, done=standing.cause == record.cause)
        at = datetime.fromisoformat(record.at).timestamp()
        vector = _EMBEDDER.embed([gist(event, self._texts(event))])[0]
        entry = Entry(record.position, at, event, vector)
        self.changes.formed.append(
            Row(record.project, record.at, record.cause or "", bytes(record.data), entry)
        )

    def changes_passed(self, record: Record, event: ChangesPassed) -> None:
        kept = set(event.kept)
        passed = [
            (place, standing)
            for place, standing in self.state.due.items()
            if place[0] == record.project and standing.position <= event.until and place[1] not in kept
        ]
        for place, standing in passed:
            self._sliced(place, standing, standing.content, done=True)

    def _now(self, place: Place, content: str, record: Record) -> None:
        standing = self._known.get(place) or Standing()
        if standing.content != content:
            self._put(place, self._owed(msgspec.structs.replace(standing, content=content), record))

    def _owed(self, standing: Standing, record: Record) -> Standing | None:
        """As it stands after ``record``: a first look owes nothing, nor does what was taken back."""
        if record.project not in self.state.looked:
            return Standing(sliced=standing.content, content=standing.content) if standing.content else None
        if standing.sliced == standing.content and not standing.previous:
            return Standing(sliced=standing.content, content=standing.content) if standing.content else None
        return msgspec.structs.replace(standing, cause=record.id, at=record.at, position=record.position)

    def _sliced(self, place: Place, standing: Standing, content: str, *, done: bool) -> None:
        """The records say ``content`` of the place now; ``done``: nothing is owed any more."""
        if done or content == standing.content:
            after = Standing(sliced=content, content=standing.content) if standing.content else None
        else:
            after = msgspec.structs.replace(standing, sliced=content, previous="")
        self._put(place, after)

    def _put(self, place: Place, standing: Standing | None) -> None:
        self._known[place] = self.changes.standing[place] = standing
        self.state.due.pop(place, None)
        if standing and standing.cause:
            self.state.due[place] = standing

    def _texts(self, event: MsuFormed) -> dict[str, str]:
        wanted = {member.text for member in event.core if member.text}
        absent = wanted - self.changes.texts.keys()
        found = self._recall.texts(absent) if absent else {}
        return {**found, **{name: self.changes.texts[name] for name in wanted - absent}}


_HANDLERS: dict[str, Callable[[Walk, Record, Any], None]] = {
    FileObserved.TYPE: Walk.file_observed,
    FileRemoved.TYPE: Walk.file_removed,
    FileSkipped.TYPE: Walk.file_removed,
    FileMoved.TYPE: Walk.file_moved,
    ScanCompleted.TYPE: Walk.scan_completed,
    ProjectRemoved.TYPE: Walk.project_removed,
    TextKept.TYPE: Walk.text_kept,
    MsuFormed.TYPE: Walk.msu_formed,
    ChangesPassed.TYPE: Walk.changes_passed,
}
READS = frozenset(_HANDLERS)
