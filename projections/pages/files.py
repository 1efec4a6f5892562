"""A file's page: what it says of itself, what it defines, who needs it and whom it needs."""

from collections.abc import Iterator, Sequence

from navlog.projections.pages import inert
from navlog.projections.pages.histories import commit_rows, task_lines, tasks_by_path
from navlog.projections.pages.memo import Memo
from navlog.projections.pages.model import File, Project
from navlog.projections.pages.names import Thing
from navlog.projections.pages.sheet import Desk, Page, Properties, page, section, stamp, table, when
from navlog.schemas.events import Symbol
from navlog.schemas.names import shown

SYMBOLS = 40
USERS = 15
TOP = {
    "class",
    "interface",
    "trait",
    "enum",
    "struct",
    "type",
    "function",
    "macro",
    "namespace",
    "heading",
    "table",
}


def file_pages(project: Project, desk: Desk, memo: Memo) -> Iterator[Page]:
    """A page for each file that has one, and one at each former path that leads to it."""
    concepts, tasks = _concepts_of(project, desk), tasks_by_path(project)
    for path, file in project.files.items():
        place = desk.places[Thing("file", project.id, path)]
        lines = task_lines(project, tasks.get(path, ()), desk)
        home = desk.project(project)
        yield memo.page(_file, place, file, project.id, home, concepts.get(path, []), lines, desk)
    for former, path in project.moved.items():
        yield _moved(project, former, path, desk)


def _file(
    place: str,
    file: File,
    project: str,
    home: str,
    concepts: Sequence[str],
    tasks: Sequence[str],
    desk: Desk,
) -> Page:
    words, row, path = desk.words, file.row, file.row.path
    properties: Properties = {
        words.kind: words.file.lower(),
        words.path: path,
        words.language: row.language,
        words.lines: row.lines,
        words.users: len(file.users),
        words.changed: stamp(row.changed_at),
        "tags": ["navlog/file"],
    }
    parts = [
        [f"# {inert.text(shown(path.rpartition('/')[2]))}"],
        _opening(file, desk),
        [f"**{words.concepts}**: {desk.listed(concepts, 6)}"] if concepts else [],
        section(words.defines, _symbols(file.symbols, desk)),
        section(words.used_by, desk.file_lines(project, file.users, USERS)),
        section(words.uses, desk.file_lines(project, file.uses, USERS)),
        section(words.tests, desk.file_lines(project, file.tests, USERS)),
        section(words.documents, desk.file_lines(project, file.documents, USERS)),
        section(words.lately, table((words.when, words.what, words.who), commit_rows(file.commits, desk))),
        section(words.tasks, tasks),
    ]
    return page(place, properties, parts, links={words.project: home}, aliases=[path, *file.former])


def _opening(file: File, desk: Desk) -> list[str]:
    """The file's own first words, then what it is in one line."""
    words, row = desk.words, file.row
    size = words.file_line.format(f"{row.lines:,}", inert.text(row.language)) if row.language else ""
    seen = words.file_changed.format(when(row.changed_at)) if row.changed_at else ""
    facts = [inert.code(shown(row.path)), words.kinds[file.kind], size, seen]
    says = [f"> {inert.text(row.says)}", ""] if row.says else []
    return [*says, " · ".join(filter(None, facts))]


def _symbols(symbols: Sequence[Symbol], desk: Desk) -> list[str]:
    words = desk.words
    shown_ones = [symbol for symbol in symbols if symbol.parent < 0 and symbol.kind in TOP]
    rows = [
        (
            f"{symbol.line}",
            inert.code(symbol.name),
            inert.text(words.symbols.get(symbol.kind, symbol.kind)),
            inert.text(symbol.doc, 120),
        )
        for symbol in shown_ones[:SYMBOLS]
    ]
    left = len(shown_ones) - SYMBOLS
    more = ["", words.more.format(f"{left:,}")] if left > 0 else []
    return [*table((words.line, words.name, words.kind, words.says), rows), *more]


def _concepts_of(project: Project, desk: Desk) -> dict[str, list[str]]:
    """For each file links to the concepts that have it."""
    found: dict[str, list[str]] = {}
    for concept in project.concepts:
        if concept.shown:
            link = desk.link(Thing("concept", project.id, concept.id), concept.label)
            for path in dict.fromkeys(claim.path for claim in concept.files):
                found.setdefault(path, []).append(link)
    return found


def _moved(project: Project, former: str, now: str, desk: Desk) -> Page:
    words = desk.words
    properties: Properties = {
        words.kind: words.file.lower(),
        "tags": ["navlog/moved"],
    }
    title = f"# {inert.text(shown(former.rpartition('/')[2]))}"
    body = words.moved.format(desk.file(project.id, now))
    path = desk.places[Thing("moved", project.id, former)]
    return page(path, properties, [[title], [body]], links={words.project: desk.project(project)})
