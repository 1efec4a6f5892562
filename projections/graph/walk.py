"""The first pass of the fold: the state moves event by event, and what was touched is noted.

An event that cannot be understood (of another type, of a newer version, of a damaged shape) is counted and
passed over; so is what is said of a project that is not registered.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from navlog.projections.graph.changes import Changes
from navlog.projections.graph.state import File, Header, Place, Project, State
from navlog.schemas.envelope import Record
from navlog.schemas.events import (
    BranchSeen,
    CommitRecorded,
    FileMoved,
    FileObserved,
    FileRemoved,
    FileSkipped,
    HeadMoved,
    OutlineRecorded,
    ProjectMoved,
    ProjectRegistered,
    ProjectRemoved,
)
from navlog.schemas.payloads import Unknown, decode_payload, is_known


class Walk:
    """The first pass. ``before``: whether a touched place had a file when the batch began."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.changes = Changes()
        self.before: dict[Place, bool] = {}

    def read(self, record: Record) -> None:
        """One event."""
        handle = _HANDLERS.get(record.type)
        if handle is None and is_known(record.type, record.version):
            return
        event = decode_payload(record)
        if isinstance(event, Unknown):
            self._unread(record)
        elif handle and (record.project in self.state.projects or record.type in _EVERYWHERE):
            handle(self, record, event)

    def _unread(self, record: Record) -> None:
        key = (record.type, record.version)
        self.state.unread[key] += 1
        self.changes.unread[key] = self.state.unread[key]

    # --- projects ---------------------------------------------------------------------------------------

    def project_registered(self, record: Record, event: ProjectRegistered) -> None:
        header = Header(event.root, event.name, event.kind, event.common_dir)
        known = self.state.projects.setdefault(record.project, Project(header))
        self._head(
            record, msgspec.structs.replace(header, head=known.header.head, branch=known.header.branch)
        )

    def _head(self, record: Record, header: Header) -> None:
        self.state.projects[record.project].header = header
        self.changes.projects[record.project] = header

    def project_moved(self, record: Record, event: ProjectMoved) -> None:
        self._head(
            record, msgspec.structs.replace(self.state.projects[record.project].header, root=event.root)
        )

    def project_removed(self, record: Record, _: ProjectRemoved) -> None:
        self.state.drop(record.project)
        self.changes.purge(record.project)
        self.before = {place: had for place, had in self.before.items() if place[0] != record.project}

    def head_moved(self, record: Record, event: HeadMoved) -> None:
        header = self.state.projects[record.project].header
        self._head(record, msgspec.structs.replace(header, head=event.commit, branch=event.branch))

    # --- files ------------------------------------------------------------------------------------------

    def file_observed(self, record: Record, event: FileObserved) -> None:
        place = record.project, event.path
        known = self.state.file(place)
        same = known is not None and known.content == event.content
        changed_at = known.changed_at if known and same else record.at
        file = File(event.content, event.size, event.mtime_ns, event.executable, changed_at)
        if file != known:
            self._put(place, file)

    def file_moved(self, record: Record, event: FileMoved) -> None:
        previous = record.project, event.previous
        if event.previous != event.path and (file := self.state.file(previous)):
            self._clear(previous)
            self._put((record.project, event.path), file)

    def file_removed(self, record: Record, event: FileRemoved) -> None:
        self._clear((record.project, event.path))
        self._unskip((record.project, event.path))

    def file_skipped(self, record: Record, event: FileSkipped) -> None:
        place = record.project, event.path
        self._clear(place)
        self.state.projects[record.project].skipped.add(event.path)
        self.changes.skipped[place] = event

    def _put(self, place: Place, file: File) -> None:
        self._touch(place)
        self._unskip(place)
        self.state.put(place, file)

    def _clear(self, place: Place) -> None:
        if self.state.file(place) is not None:
            self._touch(place)
            self.state.take(place)

    def _touch(self, place: Place) -> None:
        self.before.setdefault(place, self.state.file(place) is not None)

    def _unskip(self, place: Place) -> None:
        skipped = self.state.projects[place[0]].skipped
        if place[1] in skipped:
            skipped.discard(place[1])
            self.changes.skipped[place] = None

    def outline_recorded(self, _: Record, event: OutlineRecorded) -> None:
        self.changes.outlines[event.content] = event

    # --- git --------------------------------------------------------------------------------------------

    def commit_recorded(self, record: Record, event: CommitRecorded) -> None:
        known = self.state.projects[record.project].commits
        if event.commit not in known:
            known.add(event.commit)
            self.changes.commits[record.project, event.commit] = event

    def branch_seen(self, record: Record, event: BranchSeen) -> None:
        key = record.project, event.ref, event.worktree
        self.changes.branches[key] = event if event.commit else None


_HANDLERS: dict[str, Callable[[Walk, Record, Any], None]] = {
    ProjectRegistered.TYPE: Walk.project_registered,
    ProjectMoved.TYPE: Walk.project_moved,
    ProjectRemoved.TYPE: Walk.project_removed,
    HeadMoved.TYPE: Walk.head_moved,
    FileObserved.TYPE: Walk.file_observed,
    FileMoved.TYPE: Walk.file_moved,
    FileRemoved.TYPE: Walk.file_removed,
    FileSkipped.TYPE: Walk.file_skipped,
    OutlineRecorded.TYPE: Walk.outline_recorded,
    CommitRecorded.TYPE: Walk.commit_recorded,
    BranchSeen.TYPE: Walk.branch_seen,
}
_EVERYWHERE = {ProjectRegistered.TYPE, OutlineRecorded.TYPE}  # these need no project that is registered
