"""Past tasks as pieces: what was asked, what came of it, what broke."""

from collections.abc import Iterator

from navlog.projections.injecting.block import Found
from navlog.projections.sessions.past import Related
from navlog.projections.sessions.state import Task
from navlog.projections.sessions.telling import brief

FILES = 4
SAID = 240  # characters of a summary or a note


def recalled(task: Task, words: tuple[str, ...] = ()) -> Found:
    """One task. Its id says how far it had come: a task that went on is another piece."""
    told = brief(Related(task, 0.0, list(words), []))
    changed = f"changed {', '.join(told['modified'][:FILES])}" if told["modified"] else ""
    tests = f"tests {told['tests']}" if told["tests"] else ""
    reason = "; ".join(part for part in (task.status, tests, changed) if part)
    where = f"{task.last_at[:10]} {task.title}"
    return Found(f"task:{task.task}@{task.last_at}", "task", where, "\n".join(_lines(told)), reason)


def _lines(told: dict[str, object]) -> Iterator[str]:
    if summary := str(told["summary"]):
        yield _cut(f"outcome: {summary}")
    for name, label in (("broke", "broke"), ("notes", "noted"), ("commits", "commit")):
        found = told[name]
        for one in found if isinstance(found, list) else ():
            yield _cut(f"{label}: {one}")


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SAID else line[: SAID - 1] + "…"
