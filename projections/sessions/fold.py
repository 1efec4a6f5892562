"""Events of sessions and tasks folded into `State`; what was touched is noted for the tables and the views.

Refuses nothing: a session nobody announced begins with the first thing said of it, and what is said of a task
that was never opened is passed over.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from navlog.projections.sessions import state as s
from navlog.schemas.envelope import Record
from navlog.schemas.events import CommitRecorded
from navlog.schemas.payloads import Unknown, decode_payload
from navlog.schemas.sessions import (
    HookCalled,
    InjectionGiven,
    PromptGiven,
    SessionCompacted,
    SessionEnded,
    SessionStarted,
    SubagentEnded,
    SubagentStarted,
    TaskClosed,
    TaskJoined,
    TaskNoted,
    TaskOpened,
    ToolAsked,
    ToolUsed,
    TurnEnded,
)

PERSON = "person"


class Changes(msgspec.Struct):
    """The sessions and tasks a batch touched, its prompts and its injections as rows."""

    sessions: dict[s.Key, s.Session] = {}
    tasks: dict[s.Key, s.Task] = {}
    prompts: list[tuple[Any, ...]] = []
    injections: list[tuple[Any, ...]] = []


def fold(state: s.State, batch: Sequence[Record]) -> Changes:
    """Moves ``state`` over ``batch``."""
    walk = _Walk(state)
    for record in batch:
        if record.type in _HANDLERS:
            event = decode_payload(record)
            if not isinstance(event, Unknown):
                walk.read(record, event)
    return walk.changes


class _Walk:
    def __init__(self, state: s.State) -> None:
        self.state = state
        self.changes = Changes(sessions={}, tasks={}, prompts=[], injections=[])
        self.project = ""
        self.at = ""
        self.source = ""

    def read(self, record: Record, event: Any) -> None:
        """One event; its time is when it happened, where the client said so."""
        self.project, self.source = record.project, record.source
        self.at = record.occurred_at or record.at
        _HANDLERS[record.type](self, event)

    # --- sessions ---------------------------------------------------------------------------------------

    def _session(self, event: Any) -> s.Session:
        """The session of an event, noted as touched."""
        key = self.project, event.session
        session = self.state.sessions.get(key)
        if session is None:
            session = s.Session(self.project, event.session, event.host, started_at=self.at)
            self.state.sessions[key] = session
        session.last_at = max(session.last_at, self.at)
        self.changes.sessions[key] = session
        return session

    def other(self, event: Any) -> None:
        if event.session:
            self._session(event)

    def started(self, event: SessionStarted) -> None:
        session = self._session(event)
        session.how, session.ended_at, session.why = event.how, "", ""
        session.model = event.model or session.model

    def ended(self, event: SessionEnded) -> None:
        session = self._session(event)
        session.ended_at, session.why = self.at, event.why

    def prompt(self, event: PromptGiven) -> None:
        session = self._session(event)
        session.prompts += 1
        session.waiting, session.ended_at = False, ""
        task = self._open_task(session)
        self.changes.prompts.append(
            (self.project, event.session, session.prompts, task.task if task else "", self.at, event.text,
             event.size)
        )  # fmt: skip
        if task:
            self._keep(task.asked, event.text[: s.ASKED_CHARS])

    def turn_ended(self, event: TurnEnded) -> None:
        session = self._session(event)
        session.waiting = True
        session.said = event.text[: s.ASKED_CHARS] or session.said

    def compacted(self, event: SessionCompacted) -> None:
        self._session(event).compactions += event.done

    def tool_used(self, event: ToolUsed) -> None:
        session = self._session(event)
        session.waiting = False
        session.tools += 1
        session.failures += event.failed
        task = self._open_task(session)
        if task is None:
            return
        for path in event.paths:
            self._touch(task, path, event)
        if event.failed or event.kind == "tested":
            said = event.said or event.tool
            head = event.head[: s.HEAD_CHARS]
            self._keep(task.runs, s.Run(self.at, event.kind, said[: s.ASKED_CHARS], event.failed, head))

    def injected(self, event: InjectionGiven) -> None:
        if event.session:
            self._session(event)
        tokens = event.tokens or sum(piece.tokens for piece in event.pieces)
        self.changes.injections.append(
            (self.project, event.injection, event.session, event.host, event.moment, self.at,
             len(event.pieces), tokens, event.skipped)
        )  # fmt: skip

    # --- tasks ------------------------------------------------------------------------------------------

    def opened(self, event: TaskOpened) -> None:
        key = self.project, event.task
        if key in self.state.tasks:
            return
        task = s.Task(
            self.project, event.task, event.title, event.by, session=event.session, host=event.host,
            opened_at=self.at, last_at=self.at, sessions=[], asked=[], files={}, runs=[], notes=[],
            commits=[], concepts=[],
        )  # fmt: skip
        self.state.tasks[key] = task
        self._changed(task)
        self._joins(task, event.session)

    def joined(self, event: TaskJoined) -> None:
        if task := self.state.tasks.get((self.project, event.task)):
            task.status, task.closed_at, task.ended_by = "open", "", ""
            self._changed(task)
            self._joins(task, event.session)

    def _joins(self, task: s.Task, session: str) -> None:
        """From here on what the session does belongs to the task."""
        if not session:
            return
        if session not in task.sessions:
            task.sessions.append(session)
        known = self.state.sessions.get((self.project, session))
        if known is None:
            known = s.Session(self.project, session, task.host, started_at=self.at, last_at=self.at)
            self.state.sessions[self.project, session] = known
        known.task = task.task
        self.changes.sessions[self.project, session] = known

    def noted(self, event: TaskNoted) -> None:
        if task := self.state.tasks.get((self.project, event.task)):
            self._changed(task)
            self._keep(task.notes, s.Note(self.at, event.who, event.text))

    def closed(self, event: TaskClosed) -> None:
        task = self.state.tasks.get((self.project, event.task))
        if task is None or task.status != "open":
            return
        self._changed(task)
        task.status, task.summary, task.closed_at = event.status, event.summary, self.at
        task.ended_by = PERSON if self.source == PERSON else "rule"
        task.concepts = list(event.concepts)

    def _open_task(self, session: s.Session) -> s.Task | None:
        task = self.state.tasks.get((self.project, session.task))
        if task is None or task.status != "open":
            return None
        self._changed(task)
        return task

    def _changed(self, task: s.Task) -> None:
        task.last_at = max(task.last_at, self.at)
        self.changes.tasks[task.project, task.task] = task

    def _touch(self, task: s.Task, path: str, event: ToolUsed) -> None:
        file = task.files.get(path)
        if file is None:
            if len(task.files) >= s.MOST_FILES:
                return
            file = task.files[path] = s.Touched()
        file.last_at = self.at
        if event.kind in ("read", "modified", "tested", "searched"):
            setattr(file, event.kind, getattr(file, event.kind) + 1)
        if event.kind == "modified" and not event.failed:
            file.pending, file.changed_at = True, self.at
            self.state.wait(task, path)

    @staticmethod
    def _keep(kept: list[Any], one: Any) -> None:
        kept.append(one)
        del kept[: -s.MOST]

    # --- commits ----------------------------------------------------------------------------------------

    def commit(self, event: CommitRecorded) -> None:
        """A commit that is older than the change did not take it in: history that is read late."""
        waiting = self.state.pending.get(self.project)
        if not waiting:
            return
        took: dict[str, s.Task] = {}
        for changed in event.files:
            for name in list(waiting.get(changed.path, ())):
                task = self.state.tasks[self.project, name]
                file = task.files[changed.path]
                if event.committed_at[:19] >= file.changed_at[:19]:
                    file.pending = False
                    waiting[changed.path].discard(name)
                    took[name] = task
        for task in took.values():
            self.changes.tasks[task.project, task.task] = task
            self._keep(task.commits, s.Followed(event.committed_at, event.commit, event.subject))


_HANDLERS: dict[str, Callable[[_Walk, Any], None]] = {
    SessionStarted.TYPE: _Walk.started,
    SessionEnded.TYPE: _Walk.ended,
    PromptGiven.TYPE: _Walk.prompt,
    ToolAsked.TYPE: _Walk.other,
    ToolUsed.TYPE: _Walk.tool_used,
    SubagentStarted.TYPE: _Walk.other,
    SubagentEnded.TYPE: _Walk.other,
    SessionCompacted.TYPE: _Walk.compacted,
    TurnEnded.TYPE: _Walk.turn_ended,
    HookCalled.TYPE: _Walk.other,
    TaskOpened.TYPE: _Walk.opened,
    TaskJoined.TYPE: _Walk.joined,
    TaskNoted.TYPE: _Walk.noted,
    TaskClosed.TYPE: _Walk.closed,
    InjectionGiven.TYPE: _Walk.injected,
    CommitRecorded.TYPE: _Walk.commit,
}
READS = frozenset(_HANDLERS)
