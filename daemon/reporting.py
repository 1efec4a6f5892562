"""What the rooms know of themselves, for `status`, `/health` and `/metrics`: reads, and waits for nothing."""

from collections.abc import Iterator
from datetime import UTC, datetime

from navlog.daemon.home import Home
from navlog.daemon.journal import Journal
from navlog.daemon.projects import Project
from navlog.daemon.rooms import Rooms
from navlog.daemon.vault.keeper import Keeper
from navlog.daemon.vault.verbs import NAME as VAULT
from navlog.projections.views import ProjectView
from navlog.schemas.control import (
    DegradedReason,
    HouseState,
    LogState,
    ProjectInfo,
    ProjectorState,
    WatchState,
)
from navlog.schemas.counting import counted
from navlog.schemas.names import word
from navlog.schemas.tasks import SessionInfo, SpoolState

SESSIONS = 10


def state(rooms: Rooms) -> HouseState:
    """A moment's picture."""
    projectors = [one.state for one in rooms.projectors.values()]
    shown = [ProjectorState(name=one.name, position=one.position, lag=one.lag) for one in projectors]
    if rooms.vault.folder:
        shown.append(ProjectorState(name=VAULT, position=rooms.vault.position, lag=rooms.vault.lag))
    return HouseState(
        position=rooms.events.position,
        logs=[_log(rooms.events), _log(rooms.overlays)],
        projectors=shown,
        projects=[info(rooms, project) for project in rooms.projects.all()],
        watches=_watches(rooms),
        degraded=list(_degraded(rooms)),
        sessions=_sessions(rooms),
        spool=SpoolState(waiting=rooms.spool.waiting(), damaged=rooms.spool.damaged()),
        measures=rooms.knowing.alarms.values(),
        tails=rooms.nudging.telling.tails(),
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


def _sessions(rooms: Rooms) -> list[SessionInfo]:
    """The latest few."""
    return [
        SessionInfo(
            session=one.session, host=one.host, project=one.project, last_at=one.last_at,
            prompts=one.prompts, tools=one.tools, task=one.task, ended_at=one.ended_at,
            degraded=rooms.degrading.why(one.session),
        )
        for one in rooms.past.sessions()[:SESSIONS]
    ]  # fmt: skip


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
    yield from _home_faults(rooms.home)
    for journal in (rooms.events, rooms.overlays):
        yield from _log_faults(journal)
    for projector in rooms.projectors.values():
        if fault := projector.state.error:
            reason = f"the projection {projector.name} is behind: {fault}"
            yield DegradedReason(reason=reason, hint=f"navlog replay --from 0 --only {projector.name}")
    yield from _vault_faults(rooms.vault)
    yield from rooms.meaning.degraded()
    yield from rooms.slicing.degraded()
    for project, fault in dict(rooms.refused).items():
        yield DegradedReason(
            reason=f"{project} is not watched: {fault}", hint=f"navlog project remove {project}"
        )
    for project, missing in rooms.recorder.faults().items():
        yield DegradedReason(reason=f"{project}: {missing.reason}", hint=missing.hint)
    for project, coverage in rooms.listener.coverage().items():
        if coverage.polled:
            part = f"{coverage.polled:,} of {counted(coverage.folders, 'folder')} polled, not watched"
            yield DegradedReason(reason=f"{project}: {part}: {coverage.why}", hint="navlog doctor")


def _home_faults(home: Home) -> Iterator[DegradedReason]:
    if home.read_only:
        yield DegradedReason(
            reason=f"{home.data} is read-only: nothing new is written down, what is there is answered",
            hint=f"findmnt -T {word(home.data)}; ls -ld {word(home.data)}",
        )


def _vault_faults(vault: Keeper) -> Iterator[DegradedReason]:
    if vault.error:
        yield DegradedReason(reason=f"the vault is behind: {vault.error}", hint="navlog vault write")
    if vault.theirs:
        named = f"{vault.theirs[0]}{' and others' if len(vault.theirs) > 1 else ''}"
        reason = f"the vault lacks {len(vault.theirs)} pages: other files have their places: {named}"
        yield DegradedReason(reason=reason, hint="Move them elsewhere:  navlog vault check")


def _log_faults(journal: Journal) -> Iterator[DegradedReason]:
    now = journal.state
    if now.read_only:
        yield DegradedReason(reason=f"the {now.log} log is read-only: {now.read_only}", hint="navlog verify")
    elif now.poisoned:
        yield DegradedReason(
            reason=f"the {now.log} log cannot be written: {now.poisoned}",
            hint=f"{now.remedy}; writing goes on by itself.",
        )
