"""What one record needs, gathered: the outlines and texts of both sides, the graph around them."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from navlog.daemon.projects import Project
from navlog.daemon.slicer.texts import Texts
from navlog.projections.graph.nearby import NearbyFacts, Uses
from navlog.projections.msu.state import Standing
from navlog.projections.slicing.diffing import NOTHING, Side
from navlog.projections.slicing.forming import Change, Sliced, form
from navlog.projections.store import Connection, Store
from navlog.projections.views import ProjectView
from navlog.schemas.events import Chunk, Reference, Symbol
from navlog.schemas.settings import Slice

_OUTLINE = "SELECT content, symbols, chunks, refs FROM contents WHERE content = ?"
_KNOWN = "SELECT content FROM contents WHERE content IN (SELECT unnest(?::VARCHAR[]))"
_symbols = msgspec.json.Decoder(list[Symbol])
_chunks = msgspec.json.Decoder(list[Chunk])
_references = msgspec.json.Decoder(list[Reference])


class _Outline(NamedTuple):
    symbols: Sequence[Symbol]
    chunks: Sequence[Chunk]
    references: Sequence[Reference]


class Former:
    """One thread's; ``view`` gives a project's, or None."""

    def __init__(
        self, store: Store, view: Callable[[str], ProjectView | None], texts: Texts, caps: Slice
    ) -> None:
        self._store = store
        self._view = view
        self._texts = texts
        self._caps = caps
        self._uses = Uses()

    def ready(self, project: Project, due: Mapping[str, Standing]) -> list[str]:
        """The paths whose content the graph knows by now, in the order given: one query for all of them.

        A single one may be among them that it does not know yet: `form` says so.
        """
        view = self._view(project.id)
        files = view.files if view else {}
        applied = [
            path for path, one in due.items() if one.content == (files[path].content if path in files else "")
        ]
        wanted = {due[path].content for path in applied} - {""}
        if len(wanted) <= 1:
            return applied  # `form` asks for its outline anyway
        with self._store.cursor() as db:
            known = {"", *(content for (content,) in db.execute(_KNOWN, [sorted(wanted)]).fetchall())}
        return [path for path in applied if due[path].content in known]

    def form(self, project: Project, path: str, standing: Standing) -> Sliced | None:
        """The record of what stands there; None while the graph does not know the content yet."""
        view = self._view(project.id)
        if view is None:
            return None
        file = view.files.get(path)
        if (file.content if file else "") != standing.content:
            return None
        with self._store.cursor() as db:
            outlines = self._outlines(db, {standing.content, standing.sliced} - {""})
            if standing.content and standing.content not in outlines:
                return None
            change = self._change(project, path, standing, outlines)

            def read(other: str) -> Sequence[str] | None:
                known = view.files.get(other)
                return self._texts.now(project.root, other, known.content) if known else None

            facts = NearbyFacts(db, project.id, view, self._uses, read)
            return form(change, facts, read, self._caps)

    def _outlines(self, db: Connection, contents: set[str]) -> dict[str, _Outline]:
        rows = [row for content in sorted(contents) for row in db.execute(_OUTLINE, [content]).fetchall()]
        # What a file uses is asked for in a moment, and was just read.
        self._uses.hold([(content, refs) for content, _, _, refs in rows])
        return {
            content: _Outline(_symbols.decode(symbols), _chunks.decode(chunks), _references.decode(refs))
            for content, symbols, chunks, refs in rows
        }

    def _change(
        self, project: Project, path: str, standing: Standing, outlines: dict[str, _Outline]
    ) -> Change:
        new, old = outlines.get(standing.content), outlines.get(standing.sliced)
        lines = self._texts.now(project.root, path, standing.content) if new else ()
        in_git = project.kind == "git"
        before, basis = (
            self._texts.before(project.root, standing.sliced, in_git=in_git) if old else ((), "none")
        )
        return Change(
            msu=f"msu:{standing.cause}",
            path=path,
            content=standing.content,
            before=standing.sliced,
            basis=basis,
            old=Side(old.symbols, old.chunks, before) if old else NOTHING,
            new=Side(new.symbols, new.chunks, lines) if new else NOTHING,
            references=new.references if new else (),
            previous=standing.previous,
        )
