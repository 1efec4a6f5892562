"""What a project's files say of themselves, remembered for as long as a file is the same.

A view packs symbols, and unpacking those of thousands of files at every save would cost more than the pages.
"""

import re
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from navlog.projections.pages.model import Row
from navlog.projections.views import FileView
from navlog.schemas.events import Symbol

BROKEN = 40  # characters; a shorter line is a title
_SPEAKING = (("class", "interface", "trait", "struct"), ("function",))
_ROLE = re.compile(r":[a-zA-Z:]+:`~?([^`<]*)[^`]*`")  # reStructuredText's, common in docstrings
_STRONG = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_DOCUMENTS = ("markdown", "rst", "html")


class _Told(NamedTuple):
    view: FileView
    says: str
    seen: str


class Telling:
    """One project's files."""

    def __init__(self) -> None:
        self._told: dict[str, _Told] = {}
        self._symbols: dict[str, tuple[FileView, tuple[Symbol, ...]]] = {}

    def look(self, files: Mapping[str, FileView]) -> None:
        """These are the files now; a view is replaced whenever its file changes."""
        before = self._told
        self._told = {
            path: known if (known := before.get(path)) and known.view is view else _told(view)
            for path, view in sorted(files.items())
        }

    def rows(self, committed: Mapping[str, str], since: float) -> dict[str, Row]:
        """Every file as a table shows it, by path.

        ``since``: the first look, which says nothing of when a file changed; its last commit does.
        """
        return {
            path: Row(
                path,
                one.view.language,
                one.view.lines,
                one.says,
                one.seen if one.view.changed_at > since else committed.get(path, ""),
            )
            for path, one in self._told.items()
        }

    def symbols(self, paths: Collection[str]) -> dict[str, tuple[Symbol, ...]]:
        """The outermost definitions of ``paths``; those of other files are forgotten."""
        known = self._symbols
        self._symbols = {}
        for path in paths:
            view = self._told[path].view
            had = known.get(path)
            self._symbols[path] = had if had and had[0] is view else (view, _outermost(view))
        return {path: symbols for path, (_, symbols) in self._symbols.items()}

    def changed(self, rows: Mapping[str, Row], since: float) -> list[Row]:
        """What changed after the first look, the newest first; before, all is new, and nothing happened."""
        found = [rows[path] for path, one in self._told.items() if one.view.changed_at > since]
        return sorted(found, key=lambda row: (row.changed_at, row.path), reverse=True)


def is_told(row: Row) -> bool:
    """Whether it is a text that somebody understands."""
    return row.language not in ("", "binary")


def says(file: FileView) -> str:
    """The first line of its docstring, else of its first public class or function, with the name."""
    if file.doc or file.language in ("", "binary"):
        return _sentence(file.doc, file.language)
    public = [one for one in _outermost(file) if one.doc and not one.name.startswith("_")]
    docs = (f"{one.name}: {one.doc}" for kinds in _SPEAKING for one in public if one.kind in kinds)
    return _sentence(next(docs, ""), file.language)


def _told(view: FileView) -> _Told:
    return _Told(view, says(view), _time(view.changed_at))


def _outermost(view: FileView) -> tuple[Symbol, ...]:
    return tuple(symbol for symbol in view.symbols if symbol.parent < 0)


def _sentence(line: str, language: str) -> str:
    """A first line that breaks off within its sentence says so."""
    line = _ROLE.sub(r"\1", line).replace("`", "")
    if language in _DOCUMENTS:
        line = unstressed(line)
    whole = language in _DOCUMENTS or len(line) < BROKEN or line[-1] in ".!?:;。！？…)"
    return line if whole else f"{line}…"


def unstressed(line: str) -> str:
    """Markdown's prose without what stresses it."""
    return _STRONG.sub(r"\1", line)


@lru_cache(maxsize=256)  # a first look sees thousands of files at the same moment
def _time(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"
