"""A task as it is told: whole, and in the few lines that stand beside an answer."""

import re
from typing import Any

from navlog.projections.sessions.past import Related
from navlog.projections.sessions.state import Task, Touched
from navlog.schemas.tasks import FileUse, TaskCommit, TaskInfo, TaskRemark, TaskRun

FEW = 5  # files, commits, notes beside an answer
LINE = 160
_WRONG = re.compile(r"FAIL|Error|error:|Exception|panic|assert|not found|No such", re.ASCII)


def told(task: Task) -> TaskInfo:
    """All of it."""
    files = sorted(task.files.items(), key=_most_first)
    return TaskInfo(
        task=task.task, title=task.title, status=task.status, by=task.by, host=task.host,
        sessions=task.sessions, opened_at=task.opened_at, last_at=task.last_at, closed_at=task.closed_at,
        summary=task.summary, asked=task.asked, concepts=task.concepts,
        files=[
            FileUse(path=path, read=one.read, modified=one.modified, tested=one.tested, searched=one.searched)
            for path, one in files
        ],
        runs=[
            TaskRun(at=run.at, kind=run.kind, said=run.said, failed=run.failed, head=run.head)
            for run in task.runs
        ],
        notes=[TaskRemark(at=note.at, who=note.who, text=note.text) for note in task.notes],
        commits=[TaskCommit(commit=one.commit, at=one.at, subject=one.subject) for one in task.commits],
    )  # fmt: skip


def brief(related: Related) -> dict[str, Any]:
    """What was asked, what was tried, what broke, and what came of it; `ContextReply.tasks`."""
    task = related.task
    broke = [run for run in task.runs if run.failed]
    files = sorted(task.files.items(), key=_most_first)
    return {
        "task": task.task,
        "title": task.title,
        "status": task.status,
        "at": task.last_at,
        "host": task.host,
        "summary": task.summary,
        "modified": [path for path, file in files if file.modified][:FEW],
        "tests": tests(task),
        "broke": [failure(run.said, run.head) for run in broke[-2:]],
        "concepts": [label for _, label in task.concepts[:FEW]],
        "commits": [f"{one.commit[:12]} {one.subject}" for one in task.commits[-FEW:]],
        "notes": [note.text for note in task.notes[-FEW:]],
        "score": related.worth,
        "reason": _reason(related),
    }


def tests(task: Task) -> str:
    """How its tests went: "" without any, "passed", "failed", or "passed after 2 failed runs"."""
    runs = [run for run in task.runs if run.kind == "tested"]
    if not runs:
        return ""
    failed = sum(run.failed for run in runs)
    if runs[-1].failed:
        return "failed"
    return f"passed after {failed} failed run{'s' * (failed > 1)}" if failed else "passed"


def failure(said: str, head: str) -> str:
    """What was run, and what it said is wrong."""
    return f"{_line(said)}: {_telling(head)}"


def _reason(related: Related) -> str:
    words = f"says {', '.join(related.words[:4])}" if related.words else ""
    files = f"worked on {', '.join(related.paths[:2])}" if related.paths else ""
    return "; ".join(filter(None, (words, files)))


def _telling(head: str) -> str:
    """The line that says what is wrong, where one does."""
    lines = head.splitlines()
    return _line(next((line for line in lines if _WRONG.search(line)), "") or head)


def _line(text: str) -> str:
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= LINE else line[: LINE - 1] + "…"


def _most_first(item: tuple[str, Touched]) -> tuple[int, int, int, str]:
    path, file = item
    return -file.modified, -file.tested, -file.read, path
