"""All files of a project as tables, a few hundred rows a page: there stand also those without a page.

Small folders stand in their parent's table, large ones have a page each; a table that grows too long goes on
on another page.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from navlog.projections.pages import inert
from navlog.projections.pages.memo import Memo
from navlog.projections.pages.model import Project, Row
from navlog.projections.pages.names import Thing
from navlog.projections.pages.sheet import Desk, Page, Properties, page, table, when
from navlog.schemas.names import shown

SMALL = 30  # files; a folder with fewer has no table of its own
ROWS = 500  # a page; Obsidian shows longer tables slowly


class FolderTable(NamedTuple):
    """``id``: the folder's path ("" for the root) and, from the second page on, its number."""

    id: str
    folder: str
    rows: Sequence[Row]


@lru_cache(maxsize=8)  # asked for by the names, the pages and the project's own page
def folder_tables(rows: tuple[Row, ...]) -> list[FolderTable]:
    """The tables that hold every file once, by folder."""
    sizes = Counter(folder for row in rows for folder in _around(row.path))
    held: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        own = (folder for folder in _around(row.path) if sizes[folder] >= SMALL)
        held[next(own, "")].append(row)
    return [table for folder in sorted(held) for table in _parts(folder, held[folder])]


def folder_pages(project: Project, desk: Desk, memo: Memo) -> Iterator[Page]:
    """A page for each table."""
    for one in folder_tables(project.rows):
        place = desk.places[Thing("folder", project.id, one.id)]
        yield memo.page(_folder, place, one, project.id, project.name, desk)


def _folder(place: str, one: FolderTable, project: str, name: str, desk: Desk) -> Page:
    words = desk.words
    heads = (words.path, words.says, words.language, words.lines, words.changed)
    properties: Properties = {
        words.kind: words.folder.lower(),
        words.path: one.folder or "/",
        words.part: len(one.rows),
        "tags": ["navlog/folder"],
    }
    title = f"# {inert.text(shown(one.folder) or name)}"
    rows = [_cells(project, row, desk) for row in one.rows]
    links = {words.project: desk.link(Thing("project", project, ""), name)}
    return page(place, properties, [[title], table(heads, rows)], links=links)


def _cells(project: str, row: Row, desk: Desk) -> tuple[str, ...]:
    return (
        desk.file(project, row.path),
        inert.text(row.says, 80),
        inert.text(row.language),
        f"{row.lines:,}" if row.lines else "",
        when(row.changed_at),
    )


def _around(path: str) -> Iterator[str]:
    """The folders around a path, the innermost first."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def _parts(folder: str, rows: Sequence[Row]) -> Iterator[FolderTable]:
    for start in range(0, len(rows), ROWS):
        number = start // ROWS + 1
        yield FolderTable(
            folder if number == 1 else f"{folder}//{number}", folder, rows[start : start + ROWS]
        )
