"""Sessions to fold: a log of drafts with positions, as a projector would hand it over."""

import msgspec

from navlog.schemas.envelope import Record, draft
from navlog.schemas.event import Event
from navlog.schemas.sessions import (
    PromptGiven,
    SessionEnded,
    SessionStarted,
    TaskClosed,
    TaskOpened,
    ToolKind,
    ToolUsed,
    TurnEnded,
)

HOST = "claude-code"


class Told:
    """Events in the order they were told, a second apart from each other."""

    def __init__(self, project: str = "p") -> None:
        self.project = project
        self.records: list[Record] = []

    def tell(self, *events: Event, source: str = f"hook:{HOST}", project: str = "") -> "Told":
        for event in events:
            self._append(event, source, project or self.project)
        return self

    def _append(self, event: Event, source: str, project: str) -> None:
        number = len(self.records) + 1
        one = draft(event, project=project, source=source, id=f"e{number}")
        self.records.append(
            Record(
                position=number, id=one.id, at=f"2026-01-01T00:{number // 60:02}:{number % 60:02}.000Z",
                project=one.project, source=one.source, type=one.type, version=one.version,
                data=msgspec.Raw(one.data), prev="0" * 16,
            )
        )  # fmt: skip


def started(session: str = "s", how: str = "startup") -> SessionStarted:
    return SessionStarted(session=session, host=HOST, how=how)


def prompt(text: str, session: str = "s") -> PromptGiven:
    return PromptGiven(session=session, host=HOST, text=text, size=len(text))


def tool(
    kind: ToolKind, *paths: str, session: str = "s", failed: bool = False, said: str = "", head: str = ""
) -> ToolUsed:
    return ToolUsed(
        session=session, host=HOST, call="c", tool="Bash", kind=kind, paths=list(paths), failed=failed,
        said=said, head=head,
    )  # fmt: skip


def rest(text: str = "Done.", session: str = "s") -> TurnEnded:
    return TurnEnded(session=session, host=HOST, text=text)


def ended(session: str = "s") -> SessionEnded:
    return SessionEnded(session=session, host=HOST, why="other")


def opened(task: str = "t", title: str = "Fix the login", session: str = "s", by: str = "rule") -> TaskOpened:
    return TaskOpened(
        task=task, title=title, by="rule" if by == "rule" else "person", session=session, host=HOST
    )


def closed(task: str = "t", *concepts: tuple[str, str]) -> TaskClosed:
    return TaskClosed(task=task, status="completed", summary="Done.", concepts=list(concepts))
