"""Tasks, sessions and decisions: one page each."""

from collections.abc import Iterator, Sequence

from navlog.projections.pages import inert
from navlog.projections.pages.histories import commit_rows
from navlog.projections.pages.model import Decision, Project, Session, Task
from navlog.projections.pages.names import Thing
from navlog.projections.pages.sheet import Desk, Page, Properties, own_page, section, span, stamp, table, when

FILES = 30
PROMPTS = 20


def work_pages(project: Project, desk: Desk) -> Iterator[Page]:
    """Every task, session and decision of a project."""
    yield from (_task(project, task, desk) for task in project.tasks)
    yield from (_session(project, session, desk) for session in project.sessions)
    yield from (_decision(project, decision, desk) for decision in project.decisions)


def _task(project: Project, task: Task, desk: Desk) -> Page:
    words = desk.words
    status = words.statuses.get(task.status, task.status)
    decisions = [one for one in project.decisions if one.task == task.id]
    by_id = {commit.id: commit for commit in project.commits}
    commits = [by_id[id_] for id_ in task.commits if id_ in by_id]
    parts = [
        [f"# {inert.text(task.title)}"],
        [" · ".join(filter(None, (status, inert.text(task.host), span(task.opened_at, task.closed_at))))],
        section(words.asked, _asked(task)),
        section(words.summary, [inert.text(line) for line in task.summary.splitlines() if line.strip()]),
        section(words.modified, desk.file_lines(project.id, task.modified, FILES)),
        section(words.tests, [f"- {inert.text(line)}" for line in task.tests]),
        section(words.broke, [f"- {inert.text(line)}" for line in task.broke]),
        section(words.commits, table((words.when, words.what, words.who), commit_rows(commits, desk))),
        section(words.decisions, [f"- {_decision_link(project, one, desk)}" for one in decisions]),
        section(words.concepts, _concepts(project, task.concepts, desk)),
        section(words.sessions, _sessions(project, task.sessions, desk)),
        section(words.read, desk.file_lines(project.id, task.read, FILES)),
    ]
    properties: Properties = {
        words.kind: words.task.lower(),
        words.status: status,
        words.opened: stamp(task.opened_at),
        words.closed: stamp(task.closed_at),
        "tags": ["navlog/task"],
    }
    return own_page(Thing("task", project.id, task.id), project, desk, properties, parts, [task.title])


def _asked(task: Task) -> list[str]:
    """What was asked, where the title does not say it all."""
    told = [one for one in task.asked if " ".join(one.split()) != task.title]
    return [f"- {inert.text(one)}" for one in told[:PROMPTS]]


def _session(project: Project, session: Session, desk: Desk) -> Page:
    words = desk.words
    task = next((one for one in project.tasks if one.id == session.task), None)
    facts = [
        inert.text(session.host),
        inert.text(session.model),
        span(session.started_at, session.ended_at),
        words.did.format(session.prompts, session.tools, session.failures),
    ]
    parts = [
        [f"# {inert.text(session.host)} {inert.text(session.id[:8])}"],
        [" · ".join(filter(None, facts))],
        section(
            words.task, [f"- {desk.link(Thing('task', project.id, task.id), task.title)}"] if task else []
        ),
        section(words.asked, [f"- {inert.text(one)}" for one in session.asked[:PROMPTS]]),
    ]
    properties: Properties = {
        words.kind: words.session.lower(),
        words.host: session.host,
        words.opened: stamp(session.started_at),
        words.closed: stamp(session.ended_at),
        "tags": ["navlog/session"],
    }
    return own_page(Thing("session", project.id, session.id), project, desk, properties, parts)


def _decision(project: Project, decision: Decision, desk: Desk) -> Page:
    words = desk.words
    task = next((one for one in project.tasks if one.id == decision.task), None)
    facts = [when(decision.at), inert.text(decision.who)]
    lines = [inert.text(line) for line in (decision.says or decision.text).splitlines() if line.strip()]
    parts = [
        [f"# {inert.text(decision.text, 80)}"],
        [" · ".join(filter(None, facts))],
        [f"> {line}" for line in lines],
        section(words.rule, [inert.text(decision.rule)] if decision.rule else []),
        section(words.documents, [f"- {desk.file(project.id, decision.path)}"] if decision.path else []),
        section(
            words.task, [f"- {desk.link(Thing('task', project.id, task.id), task.title)}"] if task else []
        ),
    ]
    properties: Properties = {
        words.kind: words.decision.lower(),
        words.opened: stamp(decision.at),
        "tags": ["navlog/decision"],
    }
    return own_page(Thing("decision", project.id, decision.id), project, desk, properties, parts)


def _concepts(project: Project, ids: Sequence[str], desk: Desk) -> list[str]:
    labels = {one.id: one.label for one in project.concepts}
    return [f"- {desk.link(Thing('concept', project.id, id_), labels.get(id_, id_))}" for id_ in ids]


def _sessions(project: Project, ids: Sequence[str], desk: Desk) -> list[str]:
    hosts = {one.id: f"{one.host} {one.id[:8]}" for one in project.sessions}
    return [f"- {desk.link(Thing('session', project.id, id_), hosts.get(id_, id_))}" for id_ in ids]


def _decision_link(project: Project, decision: Decision, desk: Desk) -> str:
    return desk.link(Thing("decision", project.id, decision.id), decision.text)
