"""What the pages are made of: the projects as a person browses them.

Times are UTC, as events carry them (``2026-11-30T03:58:04Z``, with or without fractions), "" where unknown.
Paths are a project's own, as `navlog.schemas.names` writes them. Every sequence is in the order it is shown.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from navlog.projections.concepts import Concept
from navlog.projections.ranking.kinds import Kind
from navlog.schemas.events import Symbol


class Commit(NamedTuple):
    """A commit; ``paths`` as they are called now."""

    id: str
    at: str
    author: str
    subject: str
    paths: tuple[str, ...] = ()


class Row(NamedTuple):
    """Any file of the project, as a table shows it. ``says``: its own first words."""

    path: str
    language: str
    lines: int
    says: str
    changed_at: str


class File(msgspec.Struct, frozen=True, gc=False):
    """A file that has a page of its own.

    ``users`` import it, ``uses`` are what it imports, ``documents`` link to it. ``former``: paths it had
    while it was watched.
    """

    row: Row
    kind: Kind
    symbols: Sequence[Symbol] = ()
    users: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    commits: tuple[Commit, ...] = ()
    former: tuple[str, ...] = ()


class Task(msgspec.Struct, frozen=True, gc=False):
    """A piece of work. ``status``: open, or how it was closed; ``commits`` are ids.

    ``asked``: the beginnings of its prompts; ``broke``: what failed, and what it said.
    """

    id: str
    title: str
    status: str
    opened_at: str
    closed_at: str = ""
    summary: str = ""
    sessions: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    host: str = ""
    asked: tuple[str, ...] = ()
    broke: tuple[str, ...] = ()


class Session(msgspec.Struct, frozen=True, gc=False):
    """A session of an agent; ``asked`` are the beginnings of what a person said in it."""

    id: str
    host: str
    started_at: str
    ended_at: str = ""
    model: str = ""
    task: str = ""
    asked: tuple[str, ...] = ()
    prompts: int = 0
    tools: int = 0
    failures: int = 0


class Decision(msgspec.Struct, frozen=True, gc=False):
    """A remark worth keeping, made during ``task``, or a decision record at ``path``.

    ``says``: what a record decided; ``rule``: what must not be done.
    """

    id: str
    task: str
    text: str
    at: str
    who: str = ""
    path: str = ""
    says: str = ""
    rule: str = ""


class Rule(NamedTuple):
    """What a section of a file of rules says must or must not be done. ``path``: where that starts, or ""."""

    section: str
    says: str
    path: str = ""


class Rules(msgspec.Struct, frozen=True, gc=False):
    """A file of rules for whoever works here."""

    path: str
    rules: tuple[Rule, ...]


class Project(msgspec.Struct, frozen=True, gc=False):
    """One project. ``about``: what it is, in a sentence.

    ``rows`` are all its files, ``files`` those with a page, the most used first.
    ``commits``, ``tasks``, ``sessions`` and ``decisions``: the newest first. ``changed``: files that changed
    since the first look, the newest first. ``moved``: former path -> present path, of files with a page.
    """

    id: str
    name: str
    root: str
    branch: str = ""
    head: str = ""
    about: str = ""
    rows: tuple[Row, ...] = ()
    files: Mapping[str, File] = {}
    concepts: Sequence[Concept] = ()
    commits: Sequence[Commit] = ()
    changed: Sequence[Row] = ()
    moved: Mapping[str, str] = {}
    tasks: Sequence[Task] = ()
    sessions: Sequence[Session] = ()
    decisions: Sequence[Decision] = ()
    rules: Sequence[Rules] = ()
