"""AgentNavi's log of tasks as events of ours; pure. What its envelopes mean: docs/hosts/importing.md.

An id is made of the source's own, so that a second import adds nothing. A task that no session worked on gets
a session of its own, since here what was done is known by who did it.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from navlog.schemas.event import Event
from navlog.schemas.sessions import (
    HookCalled,
    PromptGiven,
    SessionEnded,
    SessionStarted,
    TaskClosed,
    TaskJoined,
    TaskNoted,
    TaskOpened,
    ToolKind,
    ToolUsed,
    TurnEnded,
)
from navlog.schemas.times import utc

SCHEMA = 1
TYPES = frozenset(("session_upsert", "session_end", "task_created", "task_event", "task_closed"))
KINDS: Mapping[str, ToolKind] = {
    "read": "read", "modify": "modified", "write": "modified", "test": "tested", "search": "searched",
    "command": "ran", "tool": "other",
}  # fmt: skip
Status = Literal["completed", "failed", "cancelled", "interrupted"]
STATUS: Mapping[str, Status] = {
    "completed": "completed", "failed": "failed", "cancelled": "cancelled", "interrupted": "interrupted",
}  # fmt: skip
SAID = ("command", "query", "pattern", "cmd", "url", "summary", "text", "prompt", "message")


class Entry(NamedTuple):
    """One envelope: ``root`` is its project's, ``at`` RFC 3339."""

    id: str
    type: str
    at: str
    root: str
    payload: Mapping[str, Any]


class Mapped(NamedTuple):
    """An event of ours with the id and the tags it is appended under."""

    id: str
    event: Event
    tags: tuple[str, ...]
    at: str


class Refused(ValueError):
    """The object is no envelope that means anything."""


def read_entry(value: Mapping[str, Any]) -> Entry:
    """The envelope; raises `Refused` saying what is wrong with it."""
    version, project, payload = value.get("schema_version"), value.get("project"), value.get("payload")
    if version != SCHEMA or isinstance(version, bool):
        raise Refused(f"schema_version is {version!r}, not {SCHEMA}")
    if not isinstance(project, dict) or not isinstance(payload, dict):
        raise Refused("project or payload is no object")
    id_, type_, at, root = (
        str(part or "")
        for part in (
            value.get("event_id"),
            value.get("event_type"),
            value.get("created_at"),
            project.get("root"),
        )
    )
    if not id_ or not type_ or not root:
        raise Refused("event_id, event_type or project.root is missing")
    if at and not utc(at):
        raise Refused(f"created_at is no time: {at[:40]!r}")
    return Entry(id_, type_, utc(at), root, payload)


class Tracker:
    """One file, entry by entry: knows which task each session is on. ``map`` gives our events."""

    def __init__(self) -> None:
        self._active: dict[str, str] = {}
        self._seen: dict[str, str] = {}
        self._known: set[str] = set()
        self._tasks: dict[str, str] = {}  # task -> the session it was opened in

    def map(self, entry: Entry) -> list[Mapped]:
        """The entry's events; raises `Refused`. The same entry again gives none."""
        print_ = hashlib.sha256(repr(sorted(entry.payload.items(), key=repr)).encode()).hexdigest()
        if entry.id in self._seen:
            if self._seen[entry.id] != print_:
                raise Refused(f"{entry.id} comes again with another payload")
            return []
        events = self._events(entry)
        self._seen[entry.id] = print_
        return [
            Mapped(f"agentnavi:{entry.id}:{number}", event, _tags(event), entry.at)
            for number, event in enumerate(events)
        ]

    def _events(self, entry: Entry) -> Sequence[Event]:
        payload = entry.payload
        agent = _text(payload, "agent") or "manual"
        task = _text(payload, "task_id")
        match entry.type:
            case "session_upsert":
                return self._started(_session(payload) or "unknown-session", agent)
            case "task_created":
                return self._opened(payload, agent, _must(task, "task_id"))
            case "task_event":
                return self._done(payload, agent, task)
            case "task_closed":
                return self._closed(payload, _must(task, "task_id"), _text(payload, "summary"))
            case "session_end":
                return self._ended(payload, agent)
            case _:
                raise Refused(f"nobody knows the event {entry.type!r}")

    def _started(self, session: str, agent: str) -> list[Event]:
        if session in self._known:
            return []
        self._known.add(session)
        return [SessionStarted(session=session, host=agent, how="import")]

    def _opened(self, payload: Mapping[str, Any], agent: str, task: str) -> list[Event]:
        session = _session(payload) or f"agentnavi:{task}"
        events = self._started(session, agent)
        title = _text(payload, "title") or _text(payload, "prompt")[:160] or task
        self._active[session], self._tasks[task] = task, session
        events.append(TaskOpened(task=task, title=title, by="rule", session=session, host=agent))
        if prompt := _text(payload, "prompt"):
            events.append(PromptGiven(session=session, host=agent, text=prompt, size=len(prompt)))
        return events

    def _done(self, payload: Mapping[str, Any], agent: str, task: str) -> list[Event]:
        session = _session(payload) or self._tasks.get(task, "")
        if task and task not in self._tasks:
            raise Refused(f"the task {task} was never opened")
        if not session:
            raise Refused("neither a session nor a task is named")
        events = self._started(session, agent)
        if task and self._active.get(session) != task:
            self._active[session] = task
            events.append(TaskJoined(task=task, session=session))
        events.append(self._what(payload, session, agent, self._active.get(session, "")))
        return events

    @staticmethod
    def _what(payload: Mapping[str, Any], session: str, agent: str, task: str) -> Event:
        name = _text(payload, "event_type") or "note"
        kind = name.removesuffix("_failed")
        said = _said(payload.get("data"))
        if kind in KINDS:
            paths = payload.get("paths")
            return ToolUsed(
                session=session, host=agent, call="", tool=_text(payload, "tool_name") or kind,
                kind=KINDS[kind], paths=[str(path) for path in paths] if isinstance(paths, list) else [],
                said=said, failed=name != kind,
            )  # fmt: skip
        if kind == "prompt":
            return PromptGiven(session=session, host=agent, text=said, size=len(said))
        if kind == "result":
            return TurnEnded(session=session, host=agent, text=said, size=len(said))
        if kind == "note" and task:
            return TaskNoted(task=task, text=said or name, who=agent)
        return HookCalled(session=session, host=agent, hook=name)

    def _closed(self, payload: Mapping[str, Any], task: str, summary: str) -> list[Event]:
        if task not in self._tasks:
            raise Refused(f"the task {task} was never opened")
        status = STATUS.get(_text(payload, "status") or "completed")
        if status is None:
            raise Refused(f"nobody knows the status {payload.get('status')!r}")
        for session, active in list(self._active.items()):
            if active == task:
                del self._active[session]
        return [TaskClosed(task=task, status=status, summary=summary, concepts=_concepts(payload))]

    def _ended(self, payload: Mapping[str, Any], agent: str) -> list[Event]:
        session = _must(_session(payload), "external_session_id")
        task = _text(payload, "active_task_id") or self._active.get(session, "")
        events: list[Event] = []
        if task in self._tasks:
            interrupted = {**payload, "status": "interrupted"}
            events = self._closed(interrupted, task, _text(payload, "active_summary"))
        self._known.discard(session)
        return [*events, SessionEnded(session=session, host=agent, why="import")]


def _tags(event: Event) -> tuple[str, ...]:
    parts = (("task", getattr(event, "task", "")), ("session", getattr(event, "session", "")))
    return tuple(f"{name}:{value}" for name, value in parts if value)


def _session(payload: Mapping[str, Any]) -> str:
    return _text(payload, "external_session_id")


def _text(payload: Mapping[str, Any], name: str) -> str:
    value = payload.get(name)
    return value if isinstance(value, str) else "" if value is None else str(value)


def _must(value: str, name: str) -> str:
    if not value:
        raise Refused(f"{name} is missing")
    return value


def _said(data: Any) -> str:
    if not isinstance(data, dict):
        return data if isinstance(data, str) else ""
    found = next((data[name] for name in SAID if isinstance(data.get(name), str) and data[name]), None)
    return found if found is not None else msgspec.json.encode(data).decode() if data else ""


def _concepts(payload: Mapping[str, Any]) -> list[tuple[str, str]]:
    found = payload.get("affected_concepts")
    return list(_pairs(found)) if isinstance(found, list) else []


def _pairs(found: Sequence[Any]) -> Iterator[tuple[str, str]]:
    for one in found:
        if isinstance(one, dict) and one.get("key"):
            yield str(one["key"]), str(one.get("label") or one["key"])
