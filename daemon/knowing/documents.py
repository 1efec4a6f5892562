"""A project's documents as they stand on the disk: which there are, and what each of them says now.

The text is read inside the project only, and redacted before anything else sees it. Pointers are looked for
in the graph's view. Keeps nothing.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from navlog.daemon.extract import decode
from navlog.daemon.listener.paths import read_inside
from navlog.daemon.projects import Project
from navlog.projections.knowledge import recognising
from navlog.projections.knowledge.elements import Elements
from navlog.projections.knowledge.pointing import Places, entry
from navlog.projections.knowledge.prose import blocks
from navlog.projections.knowledge.summarising import Document, documents_of, summarise
from navlog.projections.views import ProjectView
from navlog.schemas.knowledge import DocumentKind


class Standing(NamedTuple):
    """A document as it is now; ``source`` is the hash of what it says."""

    document: Document
    source: str

    @property
    def text(self) -> str:
        """What a model is given."""
        parts = [" / ".join(self.document.read[0].headings) if self.document.read else self.document.title]
        for block in self.document.read:
            heading = block.headings[-1] if block.headings else ""
            if heading and heading != parts[-1]:
                parts.append(heading)
            parts.append(f"- {block.text}" if block.kind == "item" else block.text)
        return "\n".join(parts)


class Documents:
    """``redact`` takes secrets out of a text; ``limit`` is in bytes of a file."""

    def __init__(
        self, view: Callable[[Project], ProjectView], redact: Callable[[str], str], limit: int
    ) -> None:
        self._view = view
        self._redact = redact
        self._limit = limit

    def kinds(self, project: Project) -> dict[str, DocumentKind]:
        """The files of the project that are documents."""
        view = self._view(project)
        with view.lock:
            headed = {
                path: [symbol.name for symbol in file.symbols if symbol.kind == "heading"]
                for path, file in view.files.items()
                if recognising.is_page(path)
            }
            paths = list(view.files)
        shaped = {
            path
            for path, headings in headed.items()
            if recognising.kind_of(path) is None and recognising.may_decide(headings)
            and recognising.decides(path, blocks(self._text(project, path)))
        }  # fmt: skip
        return recognising.documents(paths, shaped)

    def is_document(self, project: Project, path: str) -> bool:
        """Whether the path is one now, its place among the nearest and newest apart."""
        view = self._view(project)
        with view.lock:
            there = path in view.files
        if not there or recognising.kind_of(path):
            return there
        return recognising.is_page(path) and recognising.decides(path, blocks(self._text(project, path)))

    def read(self, project: Project, paths: Mapping[str, DocumentKind]) -> Iterable[Standing]:
        """What the files say, one document or several each; a file that cannot be read says nothing."""
        for path, kind in paths.items():
            for document in documents_of(path, kind, self._text(project, path), project.name):
                if document.read:
                    yield Standing(document, source_of(document))

    def summarise(self, project: Project, standing: Standing) -> Elements:
        """By the default summariser."""
        return summarise(standing.document, lambda one: self.entry(project, one))

    def entry(self, project: Project, document: Document) -> str:
        """Where its logic starts, "" if the graph does not know."""
        guess = document.kind not in ("rules", "contributing")
        return entry(document.path, project.name, document.read, self.places(project), guess=guess)

    def places(self, project: Project) -> Places:
        """What pointers are checked against."""
        return Places(self._view(project))

    def _text(self, project: Project, path: str) -> str:
        found = read_inside(project.root, path, self._limit)
        decoded = decode(found.data) if found.data else None
        return self._redact(decoded.text) if decoded else ""


def source_of(document: Document) -> str:
    """A hash that is another one as soon as the document says something else."""
    total = hashlib.sha256(document.title.encode("utf-8", "replace"))
    for block in document.read:
        total.update("\0".join((*block.headings, block.kind, block.text, "")).encode("utf-8", "replace"))
    return total.hexdigest()[:32]
