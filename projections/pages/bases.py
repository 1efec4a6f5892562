"""The tables of the top folders, as Obsidian's own Bases: every page of a folder, to sort and filter."""

from collections.abc import Iterator, Mapping

import msgspec

from navlog.projections.pages import yaml
from navlog.projections.pages.places import base_of
from navlog.projections.pages.sheet import MARK, Desk, Page
from navlog.projections.pages.words import Words


def base_pages(desk: Desk) -> Iterator[Page]:
    """A table for each top folder; it bears the mark in its first line."""
    words = desk.words
    for folder, tag, columns, first in _tables(words):
        path = desk.places[base_of(folder)]
        filters = {"and": [f"file.inFolder({_quoted(desk.prefix + folder)})", f"file.hasTag({_quoted(tag)})"]}
        table: Mapping[str, yaml.Value] = {"filters": filters, "views": [_view(folder, columns, first)]}
        lines = [f"# {MARK}: {path}", *yaml.write(table)]
        yield Page(path, "\n".join(lines) + "\n")


def _tables(words: Words) -> Iterator[tuple[str, str, tuple[str, ...], str]]:
    """Folder, tag of its pages, columns, and the column to sort by (the highest first)."""
    yield words.projects, "navlog/project", (words.path, words.part, words.changed), words.changed
    yield words.concepts, "navlog/concept", (words.project, words.main, words.part, words.status), words.part
    columns = (words.project, words.language, words.lines, words.users, words.changed)
    yield words.files, "navlog/file", columns, words.users
    yield words.tasks, "navlog/task", (words.project, words.status, words.opened, words.closed), words.opened
    yield (
        words.sessions,
        "navlog/session",
        (words.project, words.host, words.opened, words.closed),
        words.opened,
    )
    yield words.decisions, "navlog/decision", (words.project, words.opened), words.opened
    yield words.rules, "navlog/rules", (words.project, words.path, words.part), words.part


def _view(title: str, columns: tuple[str, ...], first: str) -> Mapping[str, yaml.Value]:
    return {
        "type": "table",
        "name": title,
        "order": ["file.name", *(f"note.{column}" for column in columns)],
        "sort": [{"property": f"note.{first}", "direction": "DESC"}],
    }


def _quoted(text: str) -> str:
    return msgspec.json.encode(text).decode()
