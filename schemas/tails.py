"""What the verbs around a session's tail take and give: measuring, reducing, confirming, explaining.

A host that owns its messages (OpenCode, pi, one's own loop) sends them as it keeps them, without our marks
and placeholders; the replies say what the model is to see instead. Tokens are calibrated provider tokens,
parts are named by their block, "message#index".
"""

from typing import Annotated, Any, Literal

import msgspec

from navlog.schemas.bounds import Count
from navlog.schemas.nudges import Level

Band = Literal["quiet", "gentle", "firm", "urgent", "channel2"]


class Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of a message. ``text`` is a text, a tool's output, or a file's content or URL.

    ``call`` is the id that joins a tool's call and its result, ``tool`` the tool's name, ``input`` what it
    was called with.
    """

    kind: Literal["text", "call", "result", "file", "reasoning", "other"]
    text: str = ""
    call: str = ""
    tool: str = ""
    input: Any = None
    mime: str = ""
    synthetic: bool = False
    ignored: bool = False


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message of the tail; ``summary`` says that it stands for what a compaction removed.

    A message of an id that was sent before with another content has changed; nothing else has to be said.
    """

    id: str
    role: Literal["user", "assistant", "system"]
    parts: tuple[Part, ...]
    synthetic: bool = False
    summary: bool = False


# --- tail.measure ---------------------------------------------------------------------------------------


class TailMeasureArgs(msgspec.Struct, frozen=True, kw_only=True):
    """``messages``: the whole tail, each a `Message`; None for the tail as it was sent last.

    With ``order``, the ids of the whole tail in their order, ``messages`` are only those that are new or
    changed. ``project`` is a path in it, its name or its id.

    ``reduce_tool`` is the reduce tool's name as the model is offered it, "" where it is not. ``shows``: the
    host puts the marks in, ``removes``: it takes out what is dropped. ``rewrites``: the prefix of this
    request is sent anew in any case (a first request, after a compaction): queued drops may be applied now.

    ``result`` is the id of the tool result that a reminder can stand beside now, ``tool`` that tool's name;
    "" where none can. ``message``: a message of its own can be sent now.

    ``window`` is the model's, in tokens, 0 for what is set; the ratios turn local tokens of tools and of
    prose into the provider's.
    """

    session: str
    host: str
    project: str | None = None
    messages: list[msgspec.Raw] | None = None
    order: list[str] | None = None
    reduce_tool: str = ""
    shows: bool = False
    removes: bool = False
    rewrites: bool = False
    result: str = ""
    tool: str = ""
    message: bool = False
    window: Count = 0
    tool_ratio: Annotated[float, msgspec.Meta(gt=0, le=100)] = 1.0
    prose_ratio: Annotated[float, msgspec.Meta(gt=0, le=100)] = 1.0


class TaggedPart(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """``tag``: its number, -1 for none; ``code``: why it counts or not; ``mark``: how it is to begin."""

    block: str
    tag: int = -1
    tokens: int = 0
    code: str = ""
    mark: str = ""


class DroppedPart(msgspec.Struct, frozen=True, kw_only=True):
    """A part that the model is not to see any more; ``placeholder`` stands in its place.

    A tool's call is not in this list: its input stays as it is, so that no placeholder gets into one.
    """

    block: str
    tag: int
    placeholder: str


class OwnMessage(msgspec.Struct, frozen=True, kw_only=True):
    """Channel 2: ``text`` is to be sent now, once; then `tail.sent` with the ``token``."""

    token: str
    text: str


class TailMeasureReply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The measurement; ``missing``: ids in ``order`` of which nothing is known, then nothing was measured.

    ``parts`` are those of the messages in the request, ``dropped`` all that are dropped in this tail, each
    time. ``reminder`` belongs beside ``result``; it counts as shown. ``why`` says why there is none.
    """

    u: int = 0
    t: int = 0
    band: Band = "quiet"
    turn: int = 0
    missing: list[str] = []
    parts: list[TaggedPart] = []
    dropped: list[DroppedPart] = []
    reminder: str = ""
    level: Level = "quiet"
    why: str = ""
    message: OwnMessage | None = None


# --- tail.sent ------------------------------------------------------------------------------------------


class TailSentArgs(msgspec.Struct, frozen=True, kw_only=True):
    """The send of channel 2's message returned, or it ``failed``; said once, at once."""

    session: str
    token: str
    project: str | None = None
    failed: bool = False


class TailSentReply(msgspec.Struct, frozen=True, kw_only=True):
    """``lease``: its state now; ``taken``: this step counted."""

    lease: Literal["empty", "pending", "claimed", "delivered"]
    taken: bool


# --- tail.reduce ----------------------------------------------------------------------------------------


class TailReduceArgs(msgspec.Struct, frozen=True, kw_only=True):
    """``drop`` names tags, as in "3-5,8". With ``messages``, the tail, it is rewritten at once."""

    session: str
    drop: str
    host: str = ""
    project: str | None = None
    reason: str = ""
    messages: list[msgspec.Raw] | None = None


class TailReduceReply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """``refused`` pairs what was named with the reason; ``u`` and ``t`` are as they are after it.

    ``text`` says all of it to the model. ``messages``: the rewritten tail, where it was sent.
    """

    queued: list[int] = []
    refused: list[tuple[str, str]] = []
    u: int = 0
    t: int = 0
    text: str = ""
    messages: list[Message] | None = None


# --- nudge-explain, nudge-status ------------------------------------------------------------------------


class NudgeExplainArgs(msgspec.Struct, frozen=True, kw_only=True):
    """``session``: an id, or the beginning of one."""

    session: str


class NudgeStatusArgs(msgspec.Struct, frozen=True, kw_only=True):
    """The sessions measured last, the latest first."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=1_000)] = 10


class TailState(msgspec.Struct, frozen=True, kw_only=True):
    """A session's tail as it was measured last: what status shows. ``usable`` None: not judged yet.

    ``tokens`` by reason code, as counted locally. ``lease`` as in `TailSentReply`.
    """

    session: str
    u: int
    t: int
    band: Band
    severity: float
    turn: int
    measured: int
    usable: bool | None
    lease: str
    tokens: dict[str, int] = {}


class TailPart(msgspec.Struct, frozen=True, kw_only=True):
    """One part with its reason; ``kind`` and ``tool`` are its tag's."""

    block: str
    tag: int
    kind: str
    tool: str
    tokens: int
    code: str
    reason: str


class NudgeExplained(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a decision reads, from the one stored measurement, and what it would be.

    ``cadence``: tokens by which U has to grow before the same is said again; ``watermark`` and ``fired``: U
    and real user turn of the last reminder; ``grace``: "", "pending" or "from … tokens".
    """

    state: TailState
    tool: str
    why: str
    profile: str
    level: Level
    watermark: int
    fired: int
    cadence: int
    grace: str
    floor: int
    cutoff: int | None
    counter: str
    queued: list[int]
    next: str
    parts: list[TailPart]


class NudgeStatusReply(msgspec.Struct, frozen=True, kw_only=True):
    """The latest first."""

    tails: list[TailState]
