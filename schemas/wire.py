"""What is said over the socket: one JSON object a line, request and replies.

A request gets any number of replies with ``progress`` and then exactly one with ``result`` or ``error``.
``navlog`` is the version of the protocol; ``build`` the version of the program that speaks, so that a newer
client can take over from an older daemon. Both are always sent by our own client and daemon; a client that
leaves them out (0, "") takes what it gets.
"""

from typing import Annotated, Any, Literal

import msgspec

from navlog.schemas.bounds import Positive

PROTOCOL = 1
STEPS = 4  # an impact is followed so far at most
PLACES = 500  # and shows so many places at most


class Request(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """``args`` is the verb's own struct; ``trace`` is drawn by the server when the client sends none.

    ``home``: the data home the client means; a daemon that keeps another one refuses.
    """

    verb: str
    navlog: int = 0
    build: str = ""
    home: str = ""
    trace: str = ""
    args: msgspec.Raw = msgspec.Raw(b"{}")


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """An error on the wire: the fields of `navlog.schemas.errors.NavlogError`."""

    code: str
    message: str
    safe: str = ""
    hint: str = ""
    exit: int = 1


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a long verb is; ``total`` is 0 while nobody knows."""

    stage: str
    done: int
    total: int = 0


class Reply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line back; ``result`` is empty in one with progress or an error."""

    navlog: int = 0
    build: str = ""
    trace: str = ""
    progress: Progress | None = None
    result: msgspec.Raw = msgspec.Raw()
    error: Fault | None = None


# --- context --------------------------------------------------------------------------------------------


class ContextArgs(msgspec.Struct, frozen=True, kw_only=True):
    """``project`` is a path inside the project, its name or its id; None: the only one, else an error."""

    task: str
    project: str | None = None
    limit: Positive | None = None
    budget: Positive | None = None


State = Literal["FRESH", "STALE", "GONE"]


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One file with its best chunk. ``age_s``: seconds since the file was last changed, as of answering."""

    path: str
    line: int
    end_line: int
    symbol: str
    kind: str
    score: float
    reason: str
    state: State
    age_s: float
    text: str


class ContextReply(msgspec.Struct, frozen=True, kw_only=True):
    """``stale`` is "" or says why the answer may not show the newest writes."""

    position: int
    project: str
    trace: str
    elapsed_ms: float
    tokens: int
    stale: str
    items: list[Item]
    tasks: list[dict[str, Any]] = []
    concepts: list[dict[str, Any]] = []


# --- impact ---------------------------------------------------------------------------------------------


class ImpactArgs(msgspec.Struct, frozen=True, kw_only=True):
    """``target``: a path of the project, a symbol, ``path:symbol``, a setting, or ``concept:NAME``."""

    target: str
    project: str | None = None
    depth: Annotated[int, msgspec.Meta(ge=1, le=STEPS)] = 2
    limit: Annotated[int, msgspec.Meta(ge=1, le=PLACES)] = 50


class ImpactTarget(msgspec.Struct, frozen=True, kw_only=True):
    """What was understood; ``symbol``: "" for a whole file, ``owner``: the outermost definition around it."""

    path: str
    line: int
    symbol: str
    owner: str = ""


class ImpactHit(msgspec.Struct, frozen=True, kw_only=True):
    """Who is touched, ``distance`` steps away; ``confidence`` from 0 to 1 that it is so.

    ``owner`` as in `ImpactTarget`.
    """

    path: str
    line: int
    symbol: str
    distance: int
    confidence: float
    reason: str
    owner: str = ""


class ImpactReply(msgspec.Struct, frozen=True, kw_only=True):
    """The nearest first, then the likeliest; ``stale`` as in `ContextReply`.

    ``found``: how many were found before ``limit`` cut; steps beyond them were not taken.
    """

    position: int
    project: str
    stale: str
    targets: list[ImpactTarget]
    hits: list[ImpactHit]
    found: int = 0


# --- elsewhere ------------------------------------------------------------------------------------------


class ElsewhereArgs(msgspec.Struct, frozen=True, kw_only=True):
    """``target`` as in `ImpactArgs`, or a name that only another branch has."""

    target: str
    project: str | None = None
    limit: int = 20


class ElsewhereHit(msgspec.Struct, frozen=True, kw_only=True):
    """``path`` is not on ``ref`` as it is here. ``worktree``: where that branch is checked out, "" nowhere.

    ``status`` is git's letter since the two parted (A, M, D, R …), ``age_s`` how long ago the file was
    committed there. ``line`` and ``text``: where the name stands there; 0 and "" without one.
    """

    ref: str
    worktree: str
    commit: str
    path: str
    status: str
    age_s: float
    line: int = 0
    text: str = ""


class ElsewhereReply(msgspec.Struct, frozen=True, kw_only=True):
    """The newest first. ``asked``: branches looked at; ``note``: "" or why some were not."""

    position: int
    project: str
    stale: str
    asked: int
    hits: list[ElsewhereHit]
    note: str = ""


# --- hook -----------------------------------------------------------------------------------------------


class HookArgs(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One call of a host's hook. ``id`` was drawn for this call and stays through retries and the spool.

    ``payload`` is what the host said, as it said it. ``at``: when (RFC 3339), "" for now. ``spooled``: nobody
    waits for a word any more. ``wait_ms``: how long the client will still wait, 0 where it does not say.
    ``pid``: the process that called the hook.
    """

    host: str
    id: str
    payload: msgspec.Raw
    at: str = ""
    spooled: bool = False
    wait_ms: Annotated[int, msgspec.Meta(ge=0, le=60_000)] = 0
    pid: int = 0


class HookReply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """``stdout``: what the hook prints, in the host's own output schema; "" for nothing."""

    stdout: str = ""
