"""The events of sessions: what an agent was asked, what it did, what it was given, and the tasks people name.

``session`` is the host's id of a session, ``host`` one of the names in docs/hosts. ``agent`` is "" or the
subagent that did it. Texts are redacted before they are hashed, so a hash names what is kept. Large outputs
stand as size, hash and first lines. Tools are named as the host names them; ``kind`` is what that means here.
"""

from typing import ClassVar, Literal

import msgspec

from navlog.schemas.event import Event

ToolKind = Literal["read", "modified", "tested", "searched", "ran", "other"]
Moment = Literal["start", "compact", "prompt", "tool", "asked"]
PieceKind = Literal["msu", "knowledge", "routing", "task", "rule", "concept", "note"]

# --- what the hosts say ---------------------------------------------------------------------------------


class SessionStarted(Event, frozen=True, kw_only=True):
    """A session began or went on. ``how``: startup, resume, clear, compact, fork or the host's own word."""

    TYPE: ClassVar[str] = "session_started"
    session: str
    host: str
    how: str = ""
    model: str = ""
    transcript: str = ""


class SessionEnded(Event, frozen=True, kw_only=True):
    """The host closed the session; ``why`` in its own word."""

    TYPE: ClassVar[str] = "session_ended"
    session: str
    host: str
    why: str = ""


class PromptGiven(Event, frozen=True, kw_only=True):
    """A person's words. ``text`` is their beginning where ``size`` (in characters) says there was more."""

    TYPE: ClassVar[str] = "prompt_given"
    session: str
    host: str
    text: str
    size: int = 0
    turn: str = ""


class ToolAsked(Event, frozen=True, kw_only=True):
    """The agent is about to use a tool; ``call`` pairs it with its `ToolUsed`."""

    TYPE: ClassVar[str] = "tool_asked"
    session: str
    host: str
    call: str
    tool: str
    kind: ToolKind = "other"
    agent: str = ""


class ToolUsed(Event, frozen=True, kw_only=True):
    """The agent used a tool, or tried to (``failed``).

    ``paths`` are the project's, as `navlog.schemas.names` writes them; what lies outside is not kept.
    ``said`` is a command, a pattern or a query, its beginning. ``size`` in bytes, ``output`` the hash (of the
    first 256 Ki characters) and ``head`` the first lines of what came back; of a run of tests the last ones.
    A command that did several kinds of things is an event a kind; what came back stands in the last.
    """

    TYPE: ClassVar[str] = "tool_used"
    session: str
    host: str
    call: str
    tool: str
    kind: ToolKind
    paths: list[str] = []
    said: str = ""
    failed: bool = False
    size: int = 0
    output: str = ""
    head: str = ""
    duration_ms: int = 0
    agent: str = ""


class SubagentStarted(Event, frozen=True, kw_only=True):
    """A subagent began; ``kind`` in the host's own word."""

    TYPE: ClassVar[str] = "subagent_started"
    session: str
    host: str
    agent: str
    kind: str = ""


class SubagentEnded(Event, frozen=True, kw_only=True):
    """A subagent came back."""

    TYPE: ClassVar[str] = "subagent_ended"
    session: str
    host: str
    agent: str


class SessionCompacted(Event, frozen=True, kw_only=True):
    """The host shortened the conversation: before it did (``done`` False), and after."""

    TYPE: ClassVar[str] = "session_compacted"
    session: str
    host: str
    done: bool
    trigger: str = ""
    summary: str = ""


class TurnEnded(Event, frozen=True, kw_only=True):
    """The agent stopped and waits for a person; ``text`` is the beginning of its last words."""

    TYPE: ClassVar[str] = "turn_ended"
    session: str
    host: str
    text: str = ""
    size: int = 0
    turn: str = ""


class HookCalled(Event, frozen=True, kw_only=True):
    """A hook that means nothing more to us; ``hook`` is the host's name of it."""

    TYPE: ClassVar[str] = "hook_called"
    session: str
    host: str
    hook: str


# --- tasks ----------------------------------------------------------------------------------------------


class TaskOpened(Event, frozen=True, kw_only=True):
    """A piece of work begins. ``by``: rule (a session's first real prompt) or person (a command)."""

    TYPE: ClassVar[str] = "task_opened"
    task: str
    title: str
    by: Literal["rule", "person"]
    session: str = ""
    host: str = ""


class TaskJoined(Event, frozen=True, kw_only=True):
    """Another session works on the task from here on."""

    TYPE: ClassVar[str] = "task_joined"
    task: str
    session: str


class TaskNoted(Event, frozen=True, kw_only=True):
    """A remark or a decision worth keeping."""

    TYPE: ClassVar[str] = "task_noted"
    task: str
    text: str
    who: str = ""


class TaskClosed(Event, frozen=True, kw_only=True):
    """The work ended. ``concepts`` are those it affected, as they were called at that time."""

    TYPE: ClassVar[str] = "task_closed"
    task: str
    status: Literal["completed", "failed", "cancelled", "interrupted"]
    summary: str = ""
    concepts: list[tuple[str, str]] = []


# --- what agents were given -----------------------------------------------------------------------------


class TextKept(Event, frozen=True, kw_only=True):
    """A text that was given or sliced, once: ``hash`` is SHA-256 (hex) of the redacted ``text`` in UTF-8."""

    TYPE: ClassVar[str] = "text_kept"
    hash: str
    text: str


class Piece(msgspec.Struct, frozen=True, array_like=True):
    """One piece of an injection: its stable id, where it can be checked, and the hash of its text."""

    id: str
    kind: PieceKind
    pointer: str
    text: str
    tokens: int
    reason: str = ""


class JudgementProposed(Event, frozen=True, kw_only=True):
    """An agent would judge so: ``overlay`` is an overlay's type, ``fields`` its payload.

    It is no overlay and moves nothing until a person accepts it.
    """

    TYPE: ClassVar[str] = "judgement_proposed"
    proposal: str
    overlay: str
    fields: dict[str, str]
    why: str
    host: str
    session: str = ""


class ProposalJudged(Event, frozen=True, kw_only=True):
    """A person accepted or rejected a `JudgementProposed`, or took that back (open).

    What an accepted one says is an overlay of its own.
    """

    TYPE: ClassVar[str] = "proposal_judged"
    proposal: str
    verdict: Literal["accepted", "rejected", "open"]
    who: str
    why: str = ""


class InjectionGiven(Event, frozen=True, kw_only=True):
    """What a session was given at ``moment``, as of the event ``position``; ``block`` hashes the whole text.

    ``skipped`` says why there were no pieces, or why there are fewer (out of time, nothing needed, known).
    """

    TYPE: ClassVar[str] = "injection_given"
    injection: str
    session: str
    host: str
    moment: Moment
    position: int
    pieces: list[Piece] = []
    tokens: int = 0
    block: str = ""
    skipped: str = ""
    variant: str = ""


SESSIONS: tuple[type[Event], ...] = (
    SessionStarted, SessionEnded, PromptGiven, ToolAsked, ToolUsed, SubagentStarted, SubagentEnded,
    SessionCompacted, TurnEnded, HookCalled,
    TaskOpened, TaskJoined, TaskNoted, TaskClosed,
    TextKept, InjectionGiven, JudgementProposed, ProposalJudged,
)  # fmt: skip
