"""What concepts are found in: a project's files by their names, headings and definitions, and who uses whom.

Taken from a view in one look under its lock; what is worked out afterwards holds nobody up. Files whose
content is the one of the look before are not read again. Refuses texts: names and numbers are enough.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

import msgspec

from navlog.projections.ranking.kinds import Kind, kind_of
from navlog.projections.resolving.tails import stem_of
from navlog.projections.resolving.testing import subject
from navlog.projections.views import FileView, ProjectView

HEADINGS = 40  # of a document: its chapters
DEFINITIONS = 60  # of a source: the longest of its outermost ones
NO_CODE = frozenset(
    {"", "binary", "text", "markdown", "rst", "json", "yaml", "toml", "xml", "html", "css", "ini", "po"}
)
DOCUMENTS = (".md", ".mdx", ".rst", ".txt", ".adoc")


class Named(NamedTuple):
    """A heading or an outermost public definition; ``size`` in lines."""

    name: str
    kind: str
    line: int
    size: int


class Page(msgspec.Struct, frozen=True, gc=False):
    """A file as far as concepts are concerned; ``names`` are its headings or its definitions."""

    path: str
    content: str
    kind: Kind
    language: str
    lines: int
    doc: str
    names: tuple[Named, ...]

    @property
    def stem(self) -> str:
        """The file's name without its endings."""
        return stem_of(self.path.rpartition("/")[2])

    @property
    def is_code(self) -> bool:
        """Whether it is a source of the project's own that defines or runs something."""
        return self.kind == "source" and self.language not in NO_CODE

    @property
    def folder(self) -> str:
        """The path of the folder, "" for the project's own."""
        return self.path.rpartition("/")[0]

    @property
    def title(self) -> Named | None:
        """A document's first heading."""
        return self.names[0] if self.kind == "document" and self.names else None


Edges = Mapping[str, tuple[tuple[str, str], ...]]  # path -> (kind, target) that leave it


class Change(NamedTuple):
    """A past commit: its subject, lower-cased, and the present names of the paths it touched."""

    subject: str
    paths: tuple[str, ...]


class Facts(NamedTuple):
    """One project at one moment."""

    name: str
    pages: Mapping[str, Page]
    edges: Edges
    changes: tuple[Change, ...]


class Seen(NamedTuple):
    """A file of the look before, and what was read in it then."""

    file: FileView
    page: Page


def facts_of(name: str, view: ProjectView, seen: dict[str, Seen]) -> Facts:
    """Holds the view's lock for the copying of references only; ``seen`` is brought up to this look.

    The view gives a file another object whenever anything about it changed: the same object says the same.
    """
    with view.lock:
        files = dict(view.files)
        edges = view.edges()
        commits, path = view.history.commits, view.history.path
        changes = tuple(Change(one.subject, tuple(path(number) for number in one.paths)) for one in commits)
    tools = toolkits(files)
    for gone in seen.keys() - files.keys():
        del seen[gone]
    for place in sorted(files):
        seen[place] = _seen(files[place], seen.get(place), tools)
    return Facts(name, {place: seen[place].page for place in sorted(files)}, edges, changes)


def toolkits(paths: Collection[str]) -> frozenset[str]:
    """Folders called ``test`` beside sources, without a test in them: what a project offers for testing."""
    sources = {path.rpartition("/")[0] for path in paths if kind_of(path) == "source"}
    found = {
        folder: True for path in paths if (folder := _toolkit(path)) and folder.rpartition("/")[0] in sources
    }
    for path in paths:
        if (folder := _toolkit(path)) in found and subject(path):
            found[folder] = False
    return frozenset(folder for folder, holds in found.items() if holds)


def _toolkit(path: str) -> str:
    """The folder inside another one that is called ``test`` or ``testing``."""
    if "/test/" not in path and "/testing/" not in path:  # nearly all: asked of every path at each look
        return ""
    parts = path.split("/")
    at = next((number for number, part in enumerate(parts[:-1]) if part in ("test", "testing")), 0)
    return "/".join(parts[: at + 1]) if at else ""


def _seen(file: FileView, known: Seen | None, tools: Collection[str]) -> Seen:
    kind: Kind = "source" if _toolkit(file.path) in tools else kind_of(file.path)
    if known is not None and known.file is file and known.page.kind == kind:
        return known
    return Seen(file, _page(file, kind))


def _page(file: FileView, kind: Kind) -> Page:
    return Page(
        path=file.path,
        content=file.content,
        kind=kind,
        language=file.language,
        lines=file.lines,
        doc=file.doc,
        names=_headings(file) if kind == "document" else _definitions(file),
    )


def _headings(file: FileView) -> tuple[Named, ...]:
    if not file.path.endswith(DOCUMENTS):
        return ()
    found = (
        Named(one.name, "heading", one.line, one.end_line - one.line + 1)
        for one in file.symbols
        if one.kind == "heading" and (one.parent < 0 or file.symbols[one.parent].parent < 0)
    )
    return tuple(found)[:HEADINGS]


def _definitions(file: FileView) -> tuple[Named, ...]:
    found = [
        Named(one.name, one.kind, one.line, one.end_line - one.line + 1)
        for one in file.symbols
        if one.parent < 0 and one.kind != "heading" and not one.name.startswith("_")
    ]
    longest = sorted(found, key=lambda one: (-one.size, one.line))[:DEFINITIONS]
    return tuple(sorted(longest, key=lambda one: one.line))
