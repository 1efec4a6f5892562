"""The state as rows and back. A task that was touched is written anew: its rows are few."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import astuple

from navlog.projections.rows import Row, Table, delete, insert, rows
from navlog.projections.sessions import tables as t
from navlog.projections.sessions.fold import Changes
from navlog.projections.sessions.state import Followed, Note, Run, Session, State, Task, Touched
from navlog.projections.store import Connection


def write(db: Connection, changes: Changes) -> None:
    """Replaces by key what the batch touched."""
    delete(db, t.SESSIONS, list(changes.sessions))
    insert(db, t.SESSIONS, [astuple(session) for session in changes.sessions.values()])
    insert(db, t.PROMPTS, changes.prompts)
    insert(db, t.INJECTIONS, changes.injections)
    tasks = list(changes.tasks.values())
    for table in (t.TASKS, *t.OF_TASK):
        delete(db, table, list(changes.tasks))
        insert(db, table, [row for task in tasks for row in _rows(table, task)])


def _rows(table: Table, task: Task) -> Iterator[Row]:
    key = task.project, task.task
    if table is t.TASKS:
        yield (
            *key, task.title, task.by, task.session, task.host, task.status, task.summary, task.ended_by,
            task.opened_at, task.last_at, task.closed_at,
        )  # fmt: skip
    elif table is t.TASK_SESSIONS:
        yield from ((*key, session) for session in task.sessions)
    elif table is t.TASK_ASKED:
        yield from ((*key, number, text) for number, text in enumerate(task.asked))
    elif table is t.TASK_FILES:
        yield from ((*key, path, *astuple(file)) for path, file in task.files.items())
    elif table is t.TASK_CONCEPTS:
        yield from ((*key, *concept) for concept in task.concepts)
    else:
        lists: dict[Table, Sequence[msgspec.Struct]] = {
            t.TASK_RUNS: task.runs,
            t.TASK_NOTES: task.notes,
            t.TASK_COMMITS: task.commits,
        }
        yield from ((*key, number, *astuple(one)) for number, one in enumerate(lists[table]))


def load(db: Connection) -> State:
    """The state the tables hold."""
    state = State()
    for row in rows(db, "SELECT * FROM sessions"):
        session = Session(*row)
        state.sessions[session.project, session.session] = session
    parts = {table: _by_task(db, table) for table in t.OF_TASK}
    for row in rows(db, "SELECT * FROM tasks"):
        state.put(_task(row, parts))
    return state


def _by_task(db: Connection, table: Table) -> dict[Row, list[Row]]:
    """The rows of each task in the order they were written, without its key."""
    found: dict[Row, list[Row]] = defaultdict(list)
    for project, task, *rest in rows(db, f"SELECT * FROM {table.name} ORDER BY rowid"):  # noqa: S608
        found[project, task].append(tuple(rest))
    return found


def _task(row: Row, parts: dict[Table, dict[Row, list[Row]]]) -> Task:
    project, name, title, by, session, host, status, summary, ended_by, opened_at, last_at, closed_at = row
    of = {table: found.get((project, name), []) for table, found in parts.items()}
    return Task(
        project, name, title, by, session=session, host=host, status=status, summary=summary,
        ended_by=ended_by, opened_at=opened_at, last_at=last_at, closed_at=closed_at,
        sessions=[one for (one,) in of[t.TASK_SESSIONS]],
        asked=[text for _, text in of[t.TASK_ASKED]],
        files={path: Touched(*rest) for path, *rest in of[t.TASK_FILES]},
        runs=[Run(*rest) for _, *rest in of[t.TASK_RUNS]],
        notes=[Note(*rest) for _, *rest in of[t.TASK_NOTES]],
        commits=[Followed(*rest) for _, *rest in of[t.TASK_COMMITS]],
        concepts=[(concept, label) for concept, label in of[t.TASK_CONCEPTS]],
    )  # fmt: skip
