"""What the verbs around injections take and give: giving, explaining, looking back."""

from typing import Annotated, Any

import msgspec

from navlog.schemas.bounds import Count
from navlog.schemas.sessions import InjectionGiven, Moment

WAIT_MS = 2_000  # what somebody who asks by hand or through a tool has


class GiveArgs(msgspec.Struct, frozen=True, kw_only=True):
    """Asks for what ``task`` needs, as data for a model. It is an injection, and is recorded.

    ``session`` and ``host`` say who reads it; without a session nothing counts as told already.
    """

    task: str
    project: str | None = None
    session: str = ""
    host: str = "mcp"
    moment: Moment = "asked"
    wait_ms: Annotated[int, msgspec.Meta(ge=1, le=60_000)] = WAIT_MS


class GiveReply(msgspec.Struct, frozen=True, kw_only=True):
    """``block``: the fenced text, "" for nothing."""

    block: str


class TrustArgs(msgspec.Struct, frozen=True, kw_only=True):
    """``session``: the beginning of its id will do."""

    session: Annotated[str, msgspec.Meta(min_length=1)]


class TrustReply(msgspec.Struct, frozen=True, kw_only=True):
    """The session is given everything again."""

    session: str


class ExplainArgs(msgspec.Struct, frozen=True, kw_only=True):
    """``id``: an injection (the number in its fence), a piece, a trace, or any event's id."""

    id: str
    limit: Annotated[int, msgspec.Meta(ge=1, le=1_000)] = 20


class AsOfArgs(msgspec.Struct, frozen=True, kw_only=True):
    """``session``: "" for every session that was given anything by then."""

    position: Count
    session: str = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=1_000)] = 20


class PieceGiven(msgspec.Struct, frozen=True, kw_only=True):
    """A piece as the agent read it; ``injection`` and ``position`` say when."""

    id: str
    kind: str
    pointer: str
    reason: str
    tokens: int
    text: str
    injection: str
    position: int


class Explained(msgspec.Struct, frozen=True, kw_only=True):
    """One injection: who asked what, what was given, from which state.

    ``task`` is the prompt that led to it, "" where none is in the log. ``exact``: the block was put together
    again and is the one that was given, byte for byte; ``block`` is that text.
    """

    project: str
    position: int
    at: str
    trace: str
    task: str
    given: InjectionGiven
    pieces: list[PieceGiven]
    block: str
    exact: bool


class ExplainReply(msgspec.Struct, frozen=True, kw_only=True):
    """The newest first. ``event``: where the id is that of another event, its line."""

    injections: list[Explained]
    event: msgspec.Raw = msgspec.Raw(b"null")


class SessionKnew(msgspec.Struct, frozen=True, kw_only=True):
    """What a session had before it, in the order it was given."""

    session: str
    host: str
    pieces: list[PieceGiven]
    tokens: int


class AsOfReply(msgspec.Struct, frozen=True, kw_only=True):
    """As of the event ``position``."""

    position: int
    sessions: list[SessionKnew]


class ToolArgs(msgspec.Struct, frozen=True, kw_only=True):
    """A tool of MCP: ``name`` and ``arguments`` as tools.json describes them.

    ``folder`` is where the client stands: the project, where the arguments name none. ``client`` names it,
    ``parent`` is its process. ``meta`` is what the client said beside the arguments.
    """

    name: str
    arguments: msgspec.Raw = msgspec.Raw(b"{}")
    folder: str = ""
    client: str = "mcp"
    parent: int = 0
    meta: dict[str, Any] = {}


class ToolOffered(msgspec.Struct, frozen=True, kw_only=True):
    """A server told its client, the process ``parent``, what tools there are."""

    parent: int


class ToolReply(msgspec.Struct, frozen=True, kw_only=True):
    """``text`` is for the model; ``failed``: it says why there is nothing."""

    text: str
    failed: bool = False
