"""What the fold of the sessions remembers: every session and every task of every project.

A cache of the tables. Times are those of the events; texts are beginnings, the log has the rest.
"""

from typing import Literal

import msgspec

Key = tuple[str, str]  # (project, session) or (project, task)
Ended = Literal["completed", "failed", "cancelled", "interrupted"]
Status = Literal["open"] | Ended

ASKED_CHARS = 300  # of a prompt
HEAD_CHARS = 400  # of what a run said
MOST = 50  # prompts, runs, notes and commits of a task: the latest
MOST_FILES = 500


class Session(msgspec.Struct):
    """``task``: the one it last worked on, open or not. ``waiting``: its last turn has come to its end.

    ``said``: the beginning of the agent's last words.
    """

    project: str
    session: str
    host: str
    model: str = ""
    how: str = ""
    started_at: str = ""
    last_at: str = ""
    ended_at: str = ""
    why: str = ""
    prompts: int = 0
    tools: int = 0
    failures: int = 0
    compactions: int = 0
    task: str = ""
    waiting: bool = False
    said: str = ""


class Touched(msgspec.Struct):
    """How often a task did what with a file; ``pending``: modified, and not in a commit since."""

    read: int = 0
    modified: int = 0
    tested: int = 0
    searched: int = 0
    last_at: str = ""
    changed_at: str = ""
    pending: bool = False


class Run(msgspec.Struct, frozen=True):
    """A run of tests, or a tool that failed; ``head`` is what it said."""

    at: str
    kind: str
    said: str
    failed: bool
    head: str


class Note(msgspec.Struct, frozen=True):
    """A remark."""

    at: str
    who: str
    text: str


class Followed(msgspec.Struct, frozen=True):
    """A commit that took in what the task had modified."""

    at: str
    commit: str
    subject: str


class Task(msgspec.Struct):
    """``by``: rule or person. ``ended_by``: who closed it, "" while it is open. ``asked``: its prompts.

    ``committed``: something was modified, and all of it is in commits.
    """

    project: str
    task: str
    title: str
    by: str
    session: str = ""
    host: str = ""
    status: Status = "open"
    summary: str = ""
    ended_by: str = ""
    opened_at: str = ""
    last_at: str = ""
    closed_at: str = ""
    sessions: list[str] = []
    asked: list[str] = []
    files: dict[str, Touched] = {}
    runs: list[Run] = []
    notes: list[Note] = []
    commits: list[Followed] = []
    concepts: list[tuple[str, str]] = []

    @property
    def committed(self) -> bool:
        """Whether what it modified is in commits, all of it."""
        modified = [file for file in self.files.values() if file.modified]
        return bool(modified) and not any(file.pending for file in modified)

    @property
    def tests_failed(self) -> bool | None:
        """How its last run of tests ended; None without one."""
        return next((run.failed for run in reversed(self.runs) if run.kind == "tested"), None)


class State:
    """``pending``: project -> path -> the tasks that modified it since it was last committed."""

    def __init__(self) -> None:
        self.sessions: dict[Key, Session] = {}
        self.tasks: dict[Key, Task] = {}
        self.pending: dict[str, dict[str, set[str]]] = {}

    def put(self, task: Task) -> None:
        """A task as the tables have it."""
        self.tasks[task.project, task.task] = task
        for path, file in task.files.items():
            if file.pending:
                self.wait(task, path)

    def wait(self, task: Task, path: str) -> None:
        """``path`` waits for a commit."""
        self.pending.setdefault(task.project, {}).setdefault(path, set()).add(task.task)
