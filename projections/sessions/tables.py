"""The tables of sessions and tasks. docs/tables.md describes every column."""

from collections.abc import Iterator

from navlog.projections.rows import Row, rows, table
from navlog.projections.store import Connection

SESSIONS = table(
    "sessions",
    "project VARCHAR, session VARCHAR, host VARCHAR, model VARCHAR, how VARCHAR, started_at VARCHAR,"
    " last_at VARCHAR, ended_at VARCHAR, why VARCHAR, prompts INTEGER, tools INTEGER, failures INTEGER,"
    " compactions INTEGER, task VARCHAR, waiting BOOLEAN, said VARCHAR",
    key=2,
)
PROMPTS = table(
    "prompts",
    "project VARCHAR, session VARCHAR, number INTEGER, task VARCHAR, asked_at VARCHAR, text VARCHAR,"
    " size INTEGER",
    key=3,
)
INJECTIONS = table(
    "injections",
    "project VARCHAR, injection VARCHAR, session VARCHAR, host VARCHAR, moment VARCHAR, given_at VARCHAR,"
    " pieces INTEGER, tokens INTEGER, skipped VARCHAR",
    key=2,
)
TASKS = table(
    "tasks",
    "project VARCHAR, task VARCHAR, title VARCHAR, opened_by VARCHAR, session VARCHAR, host VARCHAR,"
    " status VARCHAR, summary VARCHAR, ended_by VARCHAR, opened_at VARCHAR, last_at VARCHAR,"
    " closed_at VARCHAR",
    key=2,
)
TASK_SESSIONS = table("task_sessions", "project VARCHAR, task VARCHAR, session VARCHAR", key=2)
TASK_ASKED = table("task_asked", "project VARCHAR, task VARCHAR, number INTEGER, text VARCHAR", key=2)
TASK_FILES = table(
    "task_files",
    "project VARCHAR, task VARCHAR, path VARCHAR, read INTEGER, modified INTEGER, tested INTEGER,"
    " searched INTEGER, last_at VARCHAR, changed_at VARCHAR, pending BOOLEAN",
    key=2,
)
TASK_RUNS = table(
    "task_runs",
    "project VARCHAR, task VARCHAR, number INTEGER, ran_at VARCHAR, kind VARCHAR, said VARCHAR,"
    " failed BOOLEAN, head VARCHAR",
    key=2,
)
TASK_NOTES = table(
    "task_notes",
    "project VARCHAR, task VARCHAR, number INTEGER, noted_at VARCHAR, who VARCHAR, text VARCHAR",
    key=2,
)
TASK_COMMITS = table(
    "task_commits",
    "project VARCHAR, task VARCHAR, number INTEGER, committed_at VARCHAR, commit VARCHAR, subject VARCHAR",
    key=2,
)
TASK_CONCEPTS = table("task_concepts", "project VARCHAR, task VARCHAR, concept VARCHAR, label VARCHAR", key=2)

OF_TASK = (TASK_SESSIONS, TASK_ASKED, TASK_FILES, TASK_RUNS, TASK_NOTES, TASK_COMMITS, TASK_CONCEPTS)
TABLES = (SESSIONS, PROMPTS, INJECTIONS, TASKS, *OF_TASK)
_TIMES = (
    "asked_at",
    "given_at",
    "ran_at",
    "noted_at",
    "committed_at",
    "started_at",
    "last_at",
    "ended_at",
    "opened_at",
    "closed_at",
    "changed_at",
)


def create(db: Connection) -> None:
    """The tables in the catalog ``db`` uses."""
    for one in TABLES:
        db.execute(f"CREATE TABLE {one.name}({', '.join(map(' '.join, one.columns))})")


def export(db: Connection) -> Iterator[Row]:
    """Every fact once, without the times of events."""
    for one in TABLES:
        names = ", ".join(name for name, _ in one.columns if name not in _TIMES)
        for row in rows(db, f"SELECT {names} FROM {one.name} ORDER BY ALL"):  # noqa: S608 - names of our own
            yield (one.name, *row)
