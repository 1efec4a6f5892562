"""What the verbs of tasks take and give: `history`, `task-start`, `task-note`, `task-close`, `task-show`."""

from typing import Annotated, Literal

import msgspec

TASKS = 200  # are shown at most
Words = Annotated[str, msgspec.Meta(min_length=1, max_length=4_000)]


class HistoryArgs(msgspec.Struct, frozen=True, kw_only=True):
    """``path``: a file or a folder of the project, relative to it or absolute; "" for all tasks."""

    path: str = ""
    project: str | None = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=TASKS)] = 20


class TaskStart(msgspec.Struct, frozen=True, kw_only=True):
    """A task a person names. ``session``: the one that works on it from now on, "" for whichever comes."""

    title: Words
    project: str | None = None
    session: str = ""


class TaskName(msgspec.Struct, frozen=True, kw_only=True):
    """``task``: its id or the beginning of it; "" for the latest that is open."""

    task: str = ""
    project: str | None = None


class TaskNote(TaskName, frozen=True, kw_only=True):
    """A remark or a decision; ``who`` says it."""

    text: Words
    who: str = ""


class TaskClose(TaskName, frozen=True, kw_only=True):
    """The work ended."""

    status: Literal["completed", "failed", "cancelled", "interrupted"] = "completed"
    summary: Annotated[str, msgspec.Meta(max_length=4_000)] = ""


class FileUse(msgspec.Struct, frozen=True, kw_only=True):
    """How often a task did what with a file."""

    path: str
    read: int = 0
    modified: int = 0
    tested: int = 0
    searched: int = 0


class TaskRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run of tests, or a tool that failed, and the beginning of what it said."""

    at: str
    kind: str
    said: str
    failed: bool
    head: str = ""


class TaskRemark(msgspec.Struct, frozen=True, kw_only=True):
    """A note."""

    at: str
    who: str
    text: str


class TaskCommit(msgspec.Struct, frozen=True, kw_only=True):
    """A commit that took in what the task had modified."""

    commit: str
    at: str
    subject: str


class TaskInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One task. ``status``: open, completed, failed, cancelled or interrupted; times are RFC 3339 in UTC.

    ``asked``: the beginnings of its prompts; ``files``: modified ones first; ``concepts``: (id, name) at its
    end.
    """

    task: str
    title: str
    status: str
    by: str
    host: str
    sessions: list[str]
    opened_at: str
    last_at: str
    closed_at: str = ""
    summary: str = ""
    asked: list[str] = []
    files: list[FileUse] = []
    runs: list[TaskRun] = []
    notes: list[TaskRemark] = []
    commits: list[TaskCommit] = []
    concepts: list[tuple[str, str]] = []


class HistoryReply(msgspec.Struct, frozen=True, kw_only=True):
    """The latest first."""

    project: str
    position: int
    tasks: list[TaskInfo]


class SessionInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A session as `status` shows it; ``task``: what it last worked on; ``ended_at``: "" while it lasts.

    ``degraded``: why it is given paths only, "" for everything.
    """

    session: str
    host: str
    project: str
    last_at: str
    prompts: int
    tools: int
    task: str = ""
    ended_at: str = ""
    degraded: str = ""


class SpoolState(msgspec.Struct, frozen=True, kw_only=True):
    """Hook calls that wait for the log, and the names of files that are no calls."""

    waiting: int = 0
    damaged: list[str] = []
