"""When a task begins and when it ends, by rule. Pure: what is known of the session in, events out.

- A session's first prompt that says a task opens one. What follows belongs to it.
- Once all it modified is committed and the agent has come to rest, the next such prompt ends it (completed)
  and opens the next.
- The session's end ends it: failed when its last tests failed, completed when the agent had come to rest,
  else interrupted. A session that goes on after its end goes on with that task.
- A person's task (`navlog task start`) takes in the sessions that have none of their own, and only a person
  ends it.
- A task that nothing happened to for a day is ended (interrupted) when a session starts: its host crashed.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from navlog.projections.sessions.prompting import says_a_task
from navlog.projections.sessions.state import Ended, Session, Task
from navlog.schemas.events import Event
from navlog.schemas.sessions import (
    PromptGiven,
    SessionEnded,
    SessionStarted,
    TaskClosed,
    TaskJoined,
    TaskOpened,
)

TITLE_CHARS = 120
SUMMARY_CHARS = 300
ABANDONED = timedelta(days=1)


class Known(NamedTuple):
    """``own``: the task the session last worked on; ``open_tasks``: of the whole project."""

    session: Session | None
    own: Task | None
    open_tasks: Sequence[Task]


def rule(event: Event, known: Known, fresh: str, now: str) -> list[Event]:
    """The task events that belong before ``event``. ``fresh``: an id for a task that it opens.

    ``now``: when it happens, RFC 3339 in UTC.
    """
    match event:
        case PromptGiven() if says_a_task(event.text):
            return list(_at_prompt(event, known, fresh))
        case SessionEnded():
            return list(_at_end(known))
        case SessionStarted(how="startup" | "clear"):
            return [
                TaskClosed(task=task.task, status="interrupted", summary="Nothing happened to it for a day.")
                for task in known.open_tasks
                if task.by == "rule" and _at(now) - _at(task.last_at) > ABANDONED
            ]
        case _:
            return []


def title_of(text: str) -> str:
    """The first line of a prompt that says something."""
    line = next((line.strip(" #*-\t") for line in text.splitlines() if any(map(str.isalnum, line))), "")
    line = " ".join(line.split())
    return line if len(line) <= TITLE_CHARS else line[: TITLE_CHARS - 1].rstrip() + "…"


def ending(task: Task, session: Session) -> Ended:
    """How a task stands when its session ends."""
    if task.tests_failed:
        return "failed"
    return "completed" if session.waiting else "interrupted"


def _at_prompt(event: PromptGiven, known: Known, fresh: str) -> Iterator[Event]:
    own, session = known.own, known.session
    if own and own.status == "open":
        if not (own.by == "rule" and own.committed and session and session.waiting):
            return
        yield _closed(own, session, "completed")
    elif own and own.by == "rule" and own.ended_by == "rule":
        yield TaskJoined(task=own.task, session=event.session)
        return
    elif standing := next((task for task in known.open_tasks if task.by == "person"), None):
        yield TaskJoined(task=standing.task, session=event.session)
        return
    yield TaskOpened(
        task=fresh, title=title_of(event.text), by="rule", session=event.session, host=event.host
    )


def _at_end(known: Known) -> Iterator[Event]:
    own, session = known.own, known.session
    if own and session and own.status == "open" and own.by == "rule":
        yield _closed(own, session, ending(own, session))


def _closed(task: Task, session: Session, status: Ended) -> TaskClosed:
    return TaskClosed(task=task.task, status=status, summary=session.said[:SUMMARY_CHARS])


def _at(time: str) -> datetime:
    return datetime.fromisoformat(time)
