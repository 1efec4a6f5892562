"""The events: what was observed, as facts.

Rules of evolution (docs/events.md): a field is only ever added, with a default; a field never changes its
meaning or type; a changed event gets a new version, an upcast and a fixture; a name is never used twice.
Structs marked ``array_like`` stand as JSON arrays to keep the log small: they grow at the end only.
"""

from typing import ClassVar, Literal

import msgspec

from navlog.schemas.benching import RunRecorded
from navlog.schemas.concepts import CONCEPTS
from navlog.schemas.event import Event as Event  # noqa: PLC0414 - this is where the others find it
from navlog.schemas.knowledge import KNOWLEDGE
from navlog.schemas.nudges import NUDGES
from navlog.schemas.replies import REPLIES
from navlog.schemas.sessions import SESSIONS
from navlog.schemas.slices import SLICES

# --- projects -------------------------------------------------------------------------------------------


class ProjectRegistered(Event, frozen=True, kw_only=True):
    """A folder became a project. ``root`` is its real path, ``common_dir`` git's, absent outside git."""

    TYPE: ClassVar[str] = "project_registered"
    root: str
    name: str
    kind: Literal["git", "folder"]
    common_dir: str | None = None


class ProjectMoved(Event, frozen=True, kw_only=True):
    """The same project now lies elsewhere; its history stays."""

    TYPE: ClassVar[str] = "project_moved"
    previous: str
    root: str


class ProjectRemoved(Event, frozen=True, kw_only=True):
    """The project is no longer watched or answered for; its events stay in the log."""

    TYPE: ClassVar[str] = "project_removed"


# --- files ----------------------------------------------------------------------------------------------


class FileObserved(Event, frozen=True, kw_only=True):
    """``path`` has this content now.

    ``path`` is relative to the project's root, with ``/``, as `navlog.schemas.names` writes it. ``content``
    is git's blob id of the raw bytes (40 hex digits), so a person can check it with ``git hash-object``.
    ``size`` is in bytes, ``mtime_ns`` as the file system said.
    """

    TYPE: ClassVar[str] = "file_observed"
    path: str
    content: str
    size: int
    mtime_ns: int
    executable: bool = False


class FileMoved(Event, frozen=True, kw_only=True):
    """The file at ``previous`` is now at ``path``, content unchanged; its history goes along."""

    TYPE: ClassVar[str] = "file_moved"
    previous: str
    path: str


class FileRemoved(Event, frozen=True, kw_only=True):
    """Nothing of the project is at ``path`` any more."""

    TYPE: ClassVar[str] = "file_removed"
    path: str


class FileSkipped(Event, frozen=True, kw_only=True):
    """``path`` is there but is not read; ``reason`` is a stable word, ``detail`` for a person.

    ``repository``: a submodule or another repository inside this one, a project of its own.
    """

    TYPE: ClassVar[str] = "file_skipped"
    path: str
    reason: Literal["fifo", "socket", "device", "link", "unreadable", "too_large", "vanishing", "repository"]
    detail: str = ""
    size: int = 0


class ScanCompleted(Event, frozen=True, kw_only=True):
    """A whole look at the worktree ended. ``skipped``: counts by reason; ``note``: why it was partial."""

    TYPE: ClassVar[str] = "scan_completed"
    why: Literal["start", "overflow", "periodic", "request", "rules"]
    files: int
    skipped: dict[str, int] = {}
    note: str = ""


# --- outlines -------------------------------------------------------------------------------------------


class Symbol(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A definition. Lines count from 1 and include both ends; ``parent`` is an index into the same list.

    ``line`` is the name's, below decorators. ``signature`` is "" where it says no more than the name.

    ``kind`` is one of SYMBOL_KINDS. ``doc`` is the first line of the docstring or leading comment.
    """

    name: str
    kind: str
    line: int
    end_line: int
    parent: int = -1
    signature: str = ""
    doc: str = ""
    deprecated: bool = False


SYMBOL_KINDS = (
    "module", "class", "interface", "trait", "enum", "struct", "type", "function", "method", "property",
    "constant", "variable", "macro", "namespace", "heading", "key", "target", "table", "selector",
)  # fmt: skip


class Reference(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A name used on these lines. ``kind``: call, type, base, name; env: a variable of the environment,
    key: a key of a configuration.

    ``receiver`` is what it is used on where that is a dotted name, "()" for any other expression, "" without
    one. The enclosing definition is not written down: it follows from the line.
    """

    name: str
    kind: str
    lines: list[int]
    receiver: str = ""


class Import(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One import. ``module`` as written (``<stdio.h>`` with its brackets); ``names`` are (name, alias).

    ``level`` counts Python's leading dots; 1 is also what Ruby's require_relative starts from.

    ``form``: import, from, require, dynamic, export, include, use, mod, package; of manifests also entry,
    alias, base, extends (docs/events.md). An empty ``names`` means the module itself; ("*", "") everything.
    """

    module: str
    form: str
    line: int
    level: int = 0
    names: list[tuple[str, str]] = []
    alias: str = ""


class Link(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A document's pointer. ``kind``: link, wiki, image, code (a path or symbol in backticks)."""

    target: str
    kind: str
    line: int


class Chunk(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A first-level piece of the text: lines (both ends), tokens, the symbol it holds, the fold it joined."""

    line: int
    end_line: int
    tokens: int
    symbol: int = -1
    fold: int = -1


class OutlineRecorded(Event, frozen=True, kw_only=True):
    """What one content says, once per (content, extractor).

    ``words`` groups the file's terms by how often they occur: {"1": "alpha beta", "3": "gamma"}.
    ``language`` is "" for text nobody knows, "binary" for what is not text. ``encoding`` is how it was read.
    ``lines`` counts from 1; ``errors`` counts the places that the grammar could not read.

    ``partial`` is "" or says in words what is missing: by its name only (too_large, minified, crashed,
    failed, and deadline where a worker was killed), by lines only (deadline), long_lines read as blank, or
    the lists that were cut to fit a line of the log (references, links, words, symbols, imports, chunks).

    ``clean`` names the rules by which the whole text was searched for secrets and holds none; "" where it
    holds one, or was not read. Only who has the very same rules may believe it.
    """

    TYPE: ClassVar[str] = "outline_recorded"
    content: str
    extractor: str
    language: str
    size: int
    lines: int = 0
    grammar: str = ""
    encoding: str = "utf-8"
    partial: str = ""
    errors: int = 0
    doc: str = ""
    symbols: list[Symbol] = []
    references: list[Reference] = []
    imports: list[Import] = []
    links: list[Link] = []
    chunks: list[Chunk] = []
    words: dict[str, str] = {}
    clean: str = ""


# --- git ------------------------------------------------------------------------------------------------


class HeadMoved(Event, frozen=True, kw_only=True):
    """HEAD of this worktree went from one commit to another; ``branch`` is "" when detached."""

    TYPE: ClassVar[str] = "head_moved"
    previous: str | None
    commit: str
    branch: str = ""


class CommitFile(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A path a commit touched: status A, M, D, R, C or T; ``previous`` for R and C."""

    path: str
    status: str
    previous: str = ""


class CommitRecorded(Event, frozen=True, kw_only=True):
    """A commit, once per project. ``body`` is its beginning; ``files`` may be cut, ``file_count`` is not."""

    TYPE: ClassVar[str] = "commit_recorded"
    commit: str
    parents: list[str]
    committed_at: str
    author: str
    subject: str
    body: str = ""
    files: list[CommitFile] = []
    file_count: int = 0


class BranchSeen(Event, frozen=True, kw_only=True):
    """A branch or sibling worktree's tip; ``commit`` is "" when it is gone."""

    TYPE: ClassVar[str] = "branch_seen"
    ref: str
    commit: str
    worktree: str = ""


# --- the log's own --------------------------------------------------------------------------------------


class LogRepaired(Event, frozen=True, kw_only=True):
    """A torn tail was cut: where it stood, how long it was, and where its bytes are kept."""

    TYPE: ClassVar[str] = "log_repaired"
    segment: str
    offset: int
    length: int
    quarantine: str
    why: str = ""


class RecordLost(Event, frozen=True, kw_only=True):
    """Nothing readable stood at this position when the log was salvaged."""

    TYPE: ClassVar[str] = "record_lost"


_EVENTS: tuple[type[Event], ...] = (
    ProjectRegistered, ProjectMoved, ProjectRemoved,
    FileObserved, FileMoved, FileRemoved, FileSkipped, ScanCompleted, OutlineRecorded,
    HeadMoved, CommitRecorded, BranchSeen,
    LogRepaired, RecordLost,
    *NUDGES,
    *SESSIONS,
    *REPLIES,
    *SLICES,
    *CONCEPTS,
    *KNOWLEDGE,
    RunRecorded,
)  # fmt: skip
EVENTS: dict[str, type[Event]] = {struct.TYPE: struct for struct in _EVENTS}
