"""What is said over the socket about knowledge; docs/wire.md lists the verbs."""

import msgspec

from navlog.schemas.knowledge import CommentRecorded, IssueRecorded

AT_ONCE = 200  # issues and comments in one request: far below the longest one


class KnowledgeArgs(msgspec.Struct, frozen=True, kw_only=True):
    """``document`` is its name, or "" for all. ``version`` 0 is what is shown now."""

    project: str | None = None
    document: str = ""
    version: int = 0
    why: str = ""


class DocumentInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a document. ``state`` of the pointer: FRESH, or GONE where nothing is there any more."""

    document: str
    kind: str
    version: int
    made_at: str
    title: str
    summariser: str
    core_problem: str
    key_constraint: str
    latest_decision: str
    entry_pointer: str
    tokens: int
    state: str = "FRESH"
    variant: str = ""
    gone: bool = False
    pinned: bool = False


class KnowledgeList(msgspec.Struct, frozen=True, kw_only=True):
    """``stands_at``: the version that was rolled back to, or 0. ``waiting`` for a model's answer."""

    project: str
    documents: list[DocumentInfo]
    version: int = 0
    stands_at: int = 0
    candidate: str = ""
    waiting: int = 0
    fault: str = ""


class DiffArgs(msgspec.Struct, frozen=True, kw_only=True):
    """From one version of the knowledge to another; 0 is the newest."""

    since: int
    until: int = 0
    project: str | None = None


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A document in both versions; None where it is not in one."""

    document: str
    before: DocumentInfo | None = None
    after: DocumentInfo | None = None


class KnowledgeDiff(msgspec.Struct, frozen=True, kw_only=True):
    """Documents that differ, by name."""

    since: int
    until: int
    differences: list[Difference]


class FindArgs(msgspec.Struct, frozen=True, kw_only=True):
    """What a task would be given; ``session`` decides about a candidate and the cache."""

    task: str
    project: str | None = None
    session: str = ""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A piece. ``id`` names document and version; one without a ``pointer`` says "low confidence"."""

    id: str
    pointer: str
    text: str
    reason: str
    score: float = 0.0
    tokens: int = 0


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """``rule`` is what the block ends with, "" where nothing is asked."""

    project: str
    offers: list[Offer]
    rule: str = ""
    variant: str = ""
    elapsed_ms: float = 0.0


class IssuesGiven(msgspec.Struct, frozen=True, kw_only=True):
    """Issues and comments of an export, at most `AT_ONCE` of them together."""

    project: str | None = None
    issues: list[IssueRecorded] = []
    comments: list[CommentRecorded] = []


class IssuesTaken(msgspec.Struct, frozen=True, kw_only=True):
    """``repeated``: they were in the log already, word for word."""

    taken: int
    repeated: int
    position: int


class JudgeArgs(msgspec.Struct, frozen=True, kw_only=True):
    """``promote`` or drop the candidate of the settings."""

    promote: bool
    project: str | None = None
    why: str = ""


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What was done, as the event at ``position`` says."""

    project: str
    position: int
    said: str
