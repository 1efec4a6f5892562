"""Tasks, sessions and decisions as pages show them, from the tables of the projection `sessions`."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from navlog.projections.pages.model import Decision, Session, Task
from navlog.projections.sessions.telling import failure
from navlog.projections.store import Connection, Store
from navlog.schemas.times import utc

NEWEST = 500  # tasks, sessions and decisions of a project that have pages
BROKE = 3  # failures of a task that its page tells: the last ones
TESTS = 10  # runs of a task's tests that its page shows: the last ones


class Work(NamedTuple):
    """What agents and people did in a project, the newest first."""

    tasks: Sequence[Task] = ()
    sessions: Sequence[Session] = ()
    decisions: Sequence[Decision] = ()

    @property
    def named(self) -> Iterator[str]:
        """The files that were changed."""
        for task in self.tasks:
            yield from task.modified


def read_work(store: Store, project: str) -> Work:
    """All that has pages."""
    with closing(store.cursor()) as db:
        return Work(_tasks(db, project), _sessions(db, project), _decisions(db, project))


def _tasks(db: Connection, project: str) -> list[Task]:
    rows = _rows(
        db,
        "SELECT task, title, status, opened_at, closed_at, summary, host FROM tasks WHERE project = ?"
        " ORDER BY opened_at DESC, task LIMIT ?",
        project,
        NEWEST,
    )
    sessions = _grouped(db, "SELECT task, session FROM task_sessions WHERE project = ? ORDER BY ALL", project)
    used = _grouped(
        db, "SELECT task, path FROM task_files WHERE project = ? AND modified = 0 ORDER BY ALL", project
    )
    modified = _grouped(
        db, "SELECT task, path FROM task_files WHERE project = ? AND modified > 0 ORDER BY ALL", project
    )
    tests = _grouped(
        db,
        "SELECT task, CASE WHEN failed THEN '✗ ' ELSE '✓ ' END || said FROM task_runs"
        " WHERE project = ? AND kind = 'tested' ORDER BY task, number",
        project,
    )
    broke = _grouped(
        db,
        "SELECT task, {'said': said, 'head': head} FROM task_runs WHERE project = ? AND failed"
        " ORDER BY task, number",
        project,
    )
    asked = _grouped(db, "SELECT task, text FROM task_asked WHERE project = ? ORDER BY task, number", project)
    commits = _grouped(db, "SELECT task, commit FROM task_commits WHERE project = ? ORDER BY ALL", project)
    concepts = _grouped(db, "SELECT task, concept FROM task_concepts WHERE project = ? ORDER BY ALL", project)
    return [
        Task(
            id=task,
            title=title,
            status=status,
            opened_at=utc(opened_at),
            closed_at=utc(closed_at),
            summary=summary,
            sessions=sessions[task],
            read=used[task],
            modified=modified[task],
            tests=tests[task][-TESTS:],
            commits=commits[task],
            concepts=concepts[task],
            host=host,
            asked=asked[task],
            broke=tuple(failure(one["said"], one["head"]) for one in broke[task][-BROKE:]),
        )
        for task, title, status, opened_at, closed_at, summary, host in rows
    ]


def _sessions(db: Connection, project: str) -> list[Session]:
    rows = _rows(
        db,
        "SELECT session, host, started_at, ended_at, model, task, prompts, tools, failures FROM sessions"
        " WHERE project = ?"
        " ORDER BY started_at DESC, session LIMIT ?",
        project,
        NEWEST,
    )
    asked = _grouped(
        db, "SELECT session, text FROM prompts WHERE project = ? ORDER BY session, number", project
    )
    return [
        Session(id_, host, utc(started_at), utc(ended_at), model, task, asked[id_], *counts)
        for id_, host, started_at, ended_at, model, task, *counts in rows
    ]


def _decisions(db: Connection, project: str) -> list[Decision]:
    rows = _rows(
        db,
        "SELECT task, number, text, noted_at, who FROM task_notes WHERE project = ?"
        " ORDER BY noted_at DESC, task, number LIMIT ?",
        project,
        NEWEST,
    )
    return [Decision(f"{task}:{number}", task, text, utc(at), who) for task, number, text, at, who in rows]


def _rows(db: Connection, query: str, *given: object) -> list[tuple[Any, ...]]:
    return db.execute(query, list(given)).fetchall()


def _grouped(db: Connection, query: str, project: str) -> defaultdict[str, tuple[Any, ...]]:
    """(key, value) rows -> the values of each key, () for any other."""
    found: defaultdict[str, tuple[Any, ...]] = defaultdict(tuple)
    for key, value in _rows(db, query, project):
        found[key] += (value,)
    return found
