"""What the verbs that run the house take and give: status, projects, sql, replay.

The fields of `StatusReply` and the names of the verbs are part of the stable wire (docs/wire.md). Durations
are in seconds, sizes in bytes.
"""

from typing import Any, Literal

import msgspec

from navlog.schemas.tails import TailState
from navlog.schemas.tasks import SessionInfo, SpoolState


class Nothing(msgspec.Struct, frozen=True, kw_only=True):
    """A verb without arguments."""


# --- status ---------------------------------------------------------------------------------------------


class DegradedReason(msgspec.Struct, frozen=True, kw_only=True):
    """Something works less than it should, and the command that mends it."""

    reason: str
    hint: str = ""


class ProjectorState(msgspec.Struct, frozen=True, kw_only=True):
    """``position``: the event a projection has kept; ``lag``: events the log is ahead of it."""

    name: str
    position: int
    lag: int


class LogState(msgspec.Struct, frozen=True, kw_only=True):
    """One log: its last durable position, and how long the last fsync took."""

    name: str
    position: int
    segments: int
    bytes: int
    last_fsync_s: float = 0.0
    mark: int = 0


class WatchState(msgspec.Struct, frozen=True, kw_only=True):
    """``coverage`` is the share of folders that are watched; the others are polled."""

    project: str
    folders: int
    coverage: float
    note: str = ""


class ProjectInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A registered project. ``files``: how many are known; ``changed_at``: when one last was."""

    id: str
    name: str
    root: str
    kind: Literal["git", "folder"] = "git"
    files: int = 0
    changed_at: str = ""


class HouseState(msgspec.Struct, frozen=True, kw_only=True):
    """What the rooms behind the server know of themselves.

    ``measures``: variant -> metric -> value, None where there was nothing to measure. ``tails``: of the
    sessions measured last.
    """

    position: int = 0
    logs: list[LogState] = []
    projectors: list[ProjectorState] = []
    projects: list[ProjectInfo] = []
    watches: list[WatchState] = []
    degraded: list[DegradedReason] = []
    sessions: list[SessionInfo] = []
    spool: SpoolState = SpoolState()
    measures: dict[str, dict[str, float | None]] = {}
    tails: list[TailState] = []


class StatusReply(HouseState, frozen=True, kw_only=True):
    """The house and the process that keeps it. ``heartbeat_s``: since the event loop last turned.

    ``activated``: systemd holds the socket and starts the daemon again when somebody asks.
    """

    pid: int
    version: str
    uptime_s: float
    heartbeat_s: float
    memory: int
    data_home: str
    socket: str
    activated: bool = False


class Stopping(msgspec.Struct, frozen=True, kw_only=True):
    """The daemon ends; ``pid`` is gone when it has."""

    pid: int
    activated: bool = False


# --- projects -------------------------------------------------------------------------------------------


class ProjectAdd(msgspec.Struct, frozen=True, kw_only=True):
    """``path``: a folder; the nearest boundary of a repository around it becomes the project."""

    path: str


class ProjectName(msgspec.Struct, frozen=True, kw_only=True):
    """``project``: a path inside it, its name or its id; None: the only one."""

    project: str | None = None


class ProjectMove(msgspec.Struct, frozen=True, kw_only=True):
    """The project now lies at ``path``."""

    project: str
    path: str


class ProjectList(msgspec.Struct, frozen=True, kw_only=True):
    """All registered projects, by name."""

    projects: list[ProjectInfo]


class Indexed(msgspec.Struct, frozen=True, kw_only=True):
    """The project answers: ``files`` known as of ``position``."""

    project: ProjectInfo
    position: int


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A question made from the project's own names, "" when it has none."""

    task: str


# --- sql, replay ----------------------------------------------------------------------------------------


class SqlArgs(msgspec.Struct, frozen=True, kw_only=True):
    """One statement that only reads."""

    query: str


class SqlReply(msgspec.Struct, frozen=True, kw_only=True):
    """``truncated``: there were more rows than the settings allow."""

    columns: list[str]
    rows: list[list[Any]]
    truncated: bool = False


class ReplayArgs(msgspec.Struct, frozen=True, kw_only=True):
    """Read the logs again from ``start``; ``only``: one projection's name.

    No projection keeps the state it had at an earlier position: each reads from 0, whatever ``start`` is.
    """

    start: int = 0
    only: str | None = None


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """``digest``: sha256 of the ordered export; ``changed``: it was another before."""

    name: str
    events: int
    overlays: int
    digest: str
    changed: bool


class ReplayReply(msgspec.Struct, frozen=True, kw_only=True):
    """One entry a projection."""

    projections: list[Replayed]
    elapsed_s: float


# --- the vault ------------------------------------------------------------------------------------------


class VaultReply(msgspec.Struct, frozen=True, kw_only=True):
    """A whole look at the vault in ``path``: ``theirs`` are pages whose place somebody else's file has."""

    path: str
    pages: int
    written: int
    removed: int
    theirs: list[str]
    position: int
    elapsed_s: float
