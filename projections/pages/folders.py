"""All files of a project as tables, a few hundred rows a page: there stand also those without a page.

Small folders stand in their parent's table, large ones have a page each; a table that grows too long goes on
on another page.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from navlog.projections.pages import inert
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


def folder_tables(rows: Sequence[Row]) -> list[FolderTable]:
    """The tables that hold every file once, by folder."""
    sizes = Counter(folder for row in rows for folder in _around(row.path))
    held: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        own = (folder for folder in _around(row.path) if sizes[folder] >= SMALL)
        held[next(own, "")].append(row)
    return [table for folder in sorted(held) for table in _parts(folder, held[folder])]


def folder_pages(project: Project, desk: Desk) -> Iterator[Page]:
    """A page for each table."""
    words = desk.words
    for one in folder_tables(project.rows):
        path = desk.places[Thing("folder", project.id, one.id)]
        heads = (words.path, words.says, words.language, words.lines, words.changed)
        properties: Properties = {
            words.kind: words.folder.lower(),
            words.project: desk.link(Thing("project", project.id, ""), project.name),
            words.path: shown(one.folder) or "/",
            words.part: len(one.rows),
            "tags": ["navlog/folder"],
        }
        title = f"# {inert.text(shown(one.folder) or project.name)}"
        rows = [_cells(project, row, desk) for row in one.rows]
        yield page(path, properties, [[title], table(heads, rows)])


def _cells(project: Project, row: Row, desk: Desk) -> tuple[str, ...]:
    return (
        desk.file(project.id, row.path),
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
