"""What happened, as rows: commits, changes, tasks, sessions, decisions; the newest first."""

from collections.abc import Iterable, Iterator, Sequence

from navlog.projections.pages import inert
from navlog.projections.pages.model import Commit, Project
from navlog.projections.pages.names import Thing
from navlog.projections.pages.sheet import Desk, when

CHANGED = 20  # single files among what happened: a checkout changes thousands at once
Happened = tuple[str, str]  # when, and what in a few words


def happened(project: Project, desk: Desk, limit: int) -> list[Happened]:
    """The newest of all that happened in a project."""
    return sorted(_all(project, desk, limit), key=lambda one: one[0], reverse=True)[:limit]


def commit_rows(commits: Sequence[Commit], desk: Desk) -> list[tuple[str, str, str]]:  # noqa: ARG001
    """When, what, who."""
    return [(when(one.at), inert.text(one.subject, 120), inert.text(one.author, 40)) for one in commits]


def tasks_by_path(project: Project) -> dict[str, list[int]]:
    """For each file the numbers of the tasks that changed or read it, the newest first."""
    found: dict[str, list[int]] = {}
    for number, task in enumerate(project.tasks):
        for path in dict.fromkeys((*task.modified, *task.read)):
            found.setdefault(path, []).append(number)
    return found


def task_lines(project: Project, numbers: Iterable[int], desk: Desk, limit: int = 10) -> list[str]:
    """The first ``limit`` of these tasks of the project, a line each."""
    return [
        f"- {when(task.opened_at)} {desk.link(Thing('task', project.id, task.id), task.title)}"
        f" ({desk.words.statuses.get(task.status, task.status)})"
        for task in (project.tasks[number] for number in sorted(set(numbers))[:limit])
    ]


def _all(project: Project, desk: Desk, limit: int) -> Iterator[Happened]:
    words = desk.words
    for commit in project.commits[:limit]:
        yield commit.at, words.committed.format(inert.text(commit.subject, 120))
    for row in project.changed[: min(limit, CHANGED)]:
        yield row.changed_at, words.changed_files.format(desk.file(project.id, row.path))
    for session in project.sessions[:limit]:
        yield (
            session.started_at,
            words.began_session.format(desk.link(Thing("session", project.id, session.id), session.host)),
        )
    for decision in project.decisions[:limit]:
        link = desk.link(Thing("decision", project.id, decision.id), decision.text)
        yield decision.at, words.decided.format(link)
    for task in project.tasks[:limit]:
        link = desk.link(Thing("task", project.id, task.id), task.title)
        yield task.opened_at, words.opened_task.format(link)
        if task.closed_at:
            status = words.statuses.get(task.status, task.status)
            yield task.closed_at, words.closed_task.format(status, link)
