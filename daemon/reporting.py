"""What the rooms know of themselves, for `status`, `/health` and `/metrics`: reads, and waits for nothing."""

from collections.abc import Iterator
from datetime import UTC, datetime

from navlog.daemon.journal import Journal
from navlog.daemon.projects import Project
from navlog.daemon.rooms import Rooms
from navlog.projections.views import ProjectView
from navlog.schemas.control import (
    DegradedReason,
    HouseState,
    LogState,
    ProjectInfo,
    ProjectorState,
    WatchState,
)


def state(rooms: Rooms) -> HouseState:
    """A moment's picture."""
    projectors = [one.state for one in rooms.projectors.values()]
    return HouseState(
        position=rooms.events.position,
        logs=[_log(rooms.events), _log(rooms.overlays)],
        projectors=[ProjectorState(name=one.name, position=one.position, lag=one.lag) for one in projectors],
        projects=[info(rooms, project) for project in rooms.projects.all()],
        watches=_watches(rooms),
        degraded=list(_degraded(rooms)),
        measures=rooms.knowing.alarms.values(),
    )


def fatal(rooms: Rooms) -> str:
    """Why the process has to end: a write failed as no full disk makes it fail."""
    states = (journal.state for journal in (rooms.events, rooms.overlays))
    return next((f"The {now.log} log cannot be written: {now.poisoned}" for now in states if now.fatal), "")


def info(rooms: Rooms, project: Project) -> ProjectInfo:
    """A project as `status` and `project list` show it."""
    view = rooms.answers.view(project)
    return ProjectInfo(
        id=project.id,
        name=project.name,
        root=str(project.root),
        kind="git" if project.kind == "git" else "folder",
        files=len(view.files),
        changed_at=_changed_at(view),
    )


def _changed_at(view: ProjectView) -> str:
    with view.lock:
        newest = max((file.changed_at for file in view.files.values()), default=0.0)
    return f"{datetime.fromtimestamp(newest, UTC):%Y-%m-%dT%H:%M:%SZ}" if newest else ""


def _log(journal: Journal) -> LogState:
    now = journal.state
    return LogState(
        name=now.log, position=now.position, segments=now.segments, bytes=now.bytes,
        last_fsync_s=now.last_fsync_s, mark=now.mark,
    )  # fmt: skip


def _watches(rooms: Rooms) -> list[WatchState]:
    return [
        WatchState(
            project=project,
            folders=coverage.folders,
            coverage=coverage.watched / coverage.folders if coverage.folders else float(not coverage.why),
            note=coverage.why,
        )
        for project, coverage in rooms.listener.coverage().items()
    ]


def _degraded(rooms: Rooms) -> Iterator[DegradedReason]:
    for journal in (rooms.events, rooms.overlays):
        yield from _log_faults(journal)
    for projector in rooms.projectors.values():
        if fault := projector.state.error:
            reason = f"the projection {projector.name} is behind: {fault}"
            yield DegradedReason(reason=reason, hint=f"navlog replay --from 0 --only {projector.name}")
    for project, fault in dict(rooms.refused).items():
        yield DegradedReason(
            reason=f"{project} is not watched: {fault}", hint=f"navlog project remove {project}"
        )
    for project, fault in rooms.recorder.faults().items():
        yield DegradedReason(reason=f"{project}: {fault}", hint="navlog doctor")
    for project, coverage in rooms.listener.coverage().items():
        if coverage.polled:
            part = f"{coverage.polled:,} of {coverage.folders:,} folders are polled, not watched"
            yield DegradedReason(reason=f"{project}: {part}: {coverage.why}", hint="navlog doctor")


def _log_faults(journal: Journal) -> Iterator[DegradedReason]:
    now = journal.state
    if now.read_only:
        yield DegradedReason(reason=f"the {now.log} log is read-only: {now.read_only}", hint="navlog verify")
    elif now.poisoned:
        yield DegradedReason(
            reason=f"the {now.log} log cannot be written: {now.poisoned}",
            hint="Make room on the disk; writing goes on by itself.",
        )
