"""The events of knowledge: issues as they were read, summaries as they were made, what was done with them.

A summary is a fact and not recomputed on a replay: a model may have made it. Its position names the version
of the knowledge that it began. ``variant`` is "" or the candidate configuration that something belongs to.
"""

from typing import ClassVar, Literal

import msgspec

from navlog.schemas.event import Event

DocumentKind = Literal["readme", "decision", "rules", "contributing", "issues"]
CitationMode = Literal["must", "fact", "off"]
Verdict = Literal["promoted", "dropped"]

# --- issues ---------------------------------------------------------------------------------------------


class IssueRecorded(Event, frozen=True, kw_only=True):
    """An issue as its tracker said it. ``body`` is its beginning; ``size`` counts the characters there were.

    ``tracker`` names where it comes from (``github.com/owner/name``), ``issue`` is its number there. Times
    are the tracker's, RFC 3339.
    """

    TYPE: ClassVar[str] = "issue_recorded"
    tracker: str
    issue: str
    title: str
    state: str
    body: str = ""
    size: int = 0
    author: str = ""
    labels: list[str] = []
    created_at: str = ""
    updated_at: str = ""
    url: str = ""


class CommentRecorded(Event, frozen=True, kw_only=True):
    """A comment of an issue; ``comment`` is its id there, ``body`` its beginning."""

    TYPE: ClassVar[str] = "comment_recorded"
    tracker: str
    issue: str
    comment: str
    body: str
    size: int = 0
    author: str = ""
    created_at: str = ""
    updated_at: str = ""


class IssuesFetched(Event, frozen=True, kw_only=True):
    """A page was read anew; the tracker is shown ``etag`` the next time, and need not send it again."""

    TYPE: ClassVar[str] = "issues_fetched"
    tracker: str
    page: str
    etag: str


# --- summaries ------------------------------------------------------------------------------------------


class SummaryMade(Event, frozen=True, kw_only=True):
    """A document in four elements. ``document``: a path, a path#section, or ``issues``.

    ``source`` hashes what was summarised, ``summariser`` says what made it. ``entry_pointer`` is a path or
    path:symbol that was in the graph, or "". ``written_at``: the document's own date, where it has one.
    """

    TYPE: ClassVar[str] = "summary_made"
    document: str
    kind: DocumentKind
    source: str
    summariser: str
    core_problem: str
    key_constraint: str = ""
    latest_decision: str = ""
    entry_pointer: str = ""
    title: str = ""
    tokens: int = 0
    variant: str = ""


class SummaryRefused(Event, frozen=True, kw_only=True):
    """A configured summariser's answer did not pass, twice; ``faults`` of the last one.

    It is not asked again about this ``source``.
    """

    TYPE: ClassVar[str] = "summary_refused"
    document: str
    source: str
    summariser: str
    faults: list[str]
    variant: str = ""


class SummaryDropped(Event, frozen=True, kw_only=True):
    """The document is no longer there, or is none any more."""

    TYPE: ClassVar[str] = "summary_dropped"
    document: str
    variant: str = ""


# --- versions -------------------------------------------------------------------------------------------


class KnowledgePinned(Event, frozen=True, kw_only=True):
    """A person keeps ``document`` as of ``version``, whatever is made later; 0 lets it go on."""

    TYPE: ClassVar[str] = "knowledge_pinned"
    document: str
    version: int
    why: str = ""


class KnowledgeRolledBack(Event, frozen=True, kw_only=True):
    """From here on the knowledge is given as of ``version``; 0 is forward again, to the newest."""

    TYPE: ClassVar[str] = "knowledge_rolled_back"
    version: int
    why: str = ""


class CandidateConfiguration(msgspec.Struct, frozen=True):
    """What differs from the settings; "" and 0 are as set."""

    summariser: str = ""
    similarity: float = 0.0
    score: float = 0.0
    mode: str = ""
    target: int = 0
    cap: int = 0
    msu_share: float = 0.0
    msus: int = 0
    recent_s: float = 0.0
    embedder: str = ""
    embed_url: str = ""
    embed_model: str = ""
    embed_dimensions: int = 0
    rerank: str = ""


class CandidateJudged(Event, frozen=True, kw_only=True):
    """The trial of a candidate is over: promoted, its configuration counts for every session."""

    TYPE: ClassVar[str] = "candidate_judged"
    candidate: str
    verdict: Verdict
    configuration: CandidateConfiguration = CandidateConfiguration()
    why: str = ""


# --- quoting --------------------------------------------------------------------------------------------


class CitationChecked(Event, frozen=True, kw_only=True):
    """A reply was read: of the pieces that were given, which were used, and which were quoted.

    Missed are those that were used and not quoted. ``continued``: the turn was taken on for it.
    """

    TYPE: ClassVar[str] = "citation_checked"
    session: str
    mode: CitationMode
    used: list[str]
    quoted: list[str]
    turn: str = ""
    continued: bool = False
    variant: str = ""


KNOWLEDGE: tuple[type[Event], ...] = (
    IssueRecorded, CommentRecorded, IssuesFetched,
    SummaryMade, SummaryRefused, SummaryDropped,
    KnowledgePinned, KnowledgeRolledBack, CandidateJudged,
    CitationChecked,
)  # fmt: skip
