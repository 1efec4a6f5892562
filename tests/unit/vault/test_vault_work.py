"""Tasks, sessions and decisions are read from the tables that hold them, the newest first."""

from pathlib import Path

from navlog.projections.store import Store
from navlog.projections.vault.work import Work, read_work
from support.graph import LIMITS

DAY = "2026-01-0{}T10:00:00.500Z"
TABLES = """
CREATE TABLE sessions(project VARCHAR, session VARCHAR, host VARCHAR, model VARCHAR, started_at VARCHAR,
  ended_at VARCHAR, task VARCHAR);
CREATE TABLE prompts(project VARCHAR, session VARCHAR, number INTEGER, text VARCHAR);
CREATE TABLE tasks(project VARCHAR, task VARCHAR, title VARCHAR, status VARCHAR, summary VARCHAR,
  opened_at VARCHAR, closed_at VARCHAR);
CREATE TABLE task_sessions(project VARCHAR, task VARCHAR, session VARCHAR);
CREATE TABLE task_files(project VARCHAR, task VARCHAR, path VARCHAR, read INTEGER, modified INTEGER);
CREATE TABLE task_runs(project VARCHAR, task VARCHAR, number INTEGER, kind VARCHAR, said VARCHAR,
  failed BOOLEAN);
CREATE TABLE task_notes(project VARCHAR, task VARCHAR, number INTEGER, noted_at VARCHAR, who VARCHAR,
  text VARCHAR);
CREATE TABLE task_commits(project VARCHAR, task VARCHAR, number INTEGER, commit VARCHAR);
CREATE TABLE task_concepts(project VARCHAR, task VARCHAR, concept VARCHAR);
"""


def test_while_no_projection_knows_of_sessions_there_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "derived").mkdir()
    store = Store(tmp_path, LIMITS)
    assert read_work(store, "p") == Work()
    store.close()


def test_each_is_told_with_what_belongs_to_it(tmp_path: Path) -> None:
    (tmp_path / "derived").mkdir()
    store = Store(tmp_path, LIMITS)
    db, _ = store.open("sessions", 1)
    db.execute(TABLES)
    for table, *rows in (
        (
            "tasks",
            ["p", "t1", "Old", "completed", "Done.", DAY.format(1), DAY.format(2)],
            ["p", "t2", "New", "open", "", DAY.format(3), ""],
            ["q", "t3", "Other", "open", "", DAY.format(4), ""],
        ),
        ("task_sessions", ["p", "t1", "s1"]),
        ("task_files", ["p", "t1", "a.py", 2, 1], ["p", "t1", "b.py", 1, 0]),
        (
            "task_runs",
            ["p", "t1", 1, "tested", "pytest", True],
            ["p", "t1", 2, "tested", "pytest", False],
            ["p", "t1", 3, "ran", "ls", True],
        ),
        ("task_notes", ["p", "t1", 1, DAY.format(2), "Ada", "Keep it simple"]),
        ("task_commits", ["p", "t1", 1, "c1"]),
        ("task_concepts", ["p", "t1", "concept:x"]),
        ("sessions", ["p", "s1", "codex", "m", DAY.format(1), "", "t1"]),
        ("prompts", ["p", "s1", 1, "first"], ["p", "s1", 2, "second"]),
    ):
        for row in rows:
            db.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608
    work = read_work(store, "p")
    assert [task.id for task in work.tasks] == ["t2", "t1"]
    task = work.tasks[1]
    assert (task.opened_at, task.closed_at) == ("2026-01-01T10:00:00Z", "2026-01-02T10:00:00Z")
    assert (task.read, task.modified, task.tests) == (("b.py",), ("a.py",), ("pytest ✗", "pytest ✓"))
    assert (task.sessions, task.commits, task.concepts) == (("s1",), ("c1",), ("concept:x",))
    assert work.sessions[0].asked == ("first", "second")
    assert (work.decisions[0].text, work.decisions[0].who) == ("Keep it simple", "Ada")
    assert list(work.named) == ["a.py"]
    store.close()
