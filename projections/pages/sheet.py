"""How a page is put together: properties, paragraphs, tables, links.

A link is vault-root with a label; what has no page is shown by its name. The first property, ``navlog``, is
the page's own path: the mark by which the writer knows its files, and which a copy made by a person lacks.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from navlog.projections.pages import inert, yaml
from navlog.projections.pages.model import Project
from navlog.projections.pages.names import Thing
from navlog.projections.pages.words import Words
from navlog.schemas.names import shown

MARK = "navlog"
Properties: TypeAlias = Mapping[str, yaml.Value]
NONE: Mapping[str, str] = {}


class Page(NamedTuple):
    """``path`` in our folder, with ``/``; ``text`` ends with a newline."""

    path: str
    text: str


class Desk(NamedTuple):
    """What every page is written with. ``prefix``: from the vault's root to our folder, "" or ending in /."""

    words: Words
    places: Mapping[Thing, str]
    prefix: str = ""

    def link(self, thing: Thing, label: str) -> str:
        """A link to the thing's page; its label as a name where it has none."""
        if thing not in self.places:
            return inert.code(shown(label))
        return f"[[{self.target(thing)}|{inert.label(shown(label))}]]"

    def target(self, thing: Thing) -> str:
        """What stands in a link to the thing."""
        return self.prefix + self.places[thing].removesuffix(".md")

    def project(self, project: Project) -> str:
        """The project's own page."""
        return self.link(Thing("project", project.id, ""), project.name)

    def file(self, project: str, path: str) -> str:
        """A file by its path."""
        return self.link(Thing("file", project, path), path)

    def file_lines(self, project: str, paths: Sequence[str], limit: int) -> list[str]:
        """Files as a list, the first ``limit`` of them."""
        left = len(paths) - limit
        more = [f"- {self.words.more.format(f'{left:,}')}"] if left > 0 else []
        return [*(f"- {self.file(project, path)}" for path in paths[:limit]), *more]

    def listed(self, texts: Sequence[str], limit: int) -> str:
        """The first ``limit`` texts in one line, and how many more there are."""
        left = len(texts) - limit
        more = [self.words.more.format(f"{left:,}")] if left > 0 else []
        return ", ".join([*texts[:limit], *more])


def page(
    path: str,
    properties: Properties,
    parts: Iterable[Sequence[str]],
    *,
    links: Mapping[str, str] = NONE,
    aliases: Sequence[str] = (),
) -> Page:
    """A page: its properties, then ``parts`` (paragraphs, tables) with a blank line between them.

    ``properties`` are a repository's words, and made inert; ``links`` are properties that we have made. Empty
    ones are left out: "" is a text, and would give a time's property two types.
    """
    told = {name: _told(value) for name, value in properties.items()}
    given = {name: value for name, value in (*told.items(), *links.items()) if value != ""}
    front: dict[str, yaml.Value] = {MARK: path, **given, "aliases": _distinct(aliases)}
    head = ["---", *yaml.write(front), "---"]
    body = "\n\n".join("\n".join(part) for part in parts if part)
    return Page(path, "\n".join(head) + f"\n\n{body}\n")


def own_page(
    thing: Thing,
    project: Project,
    desk: Desk,
    properties: Properties,
    parts: Iterable[Sequence[str]],
    aliases: Sequence[str] = (),
) -> Page:
    """The page of one thing of the project's, at its place, with a link to the project's page."""
    links = {desk.words.project: desk.project(project)}
    return page(desk.places[thing], properties, parts, links=links, aliases=aliases)


def section(title: str, lines: Sequence[str]) -> list[str]:
    """A heading and what stands below it; nothing where there is nothing."""
    return [f"## {title}", "", *lines] if lines else []


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table; nothing where there are no rows."""
    if not rows:
        return []
    lines = [[_heading(head) for head in heads], ["---"] * len(heads), *rows]
    return ["| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines]


def when(at: str) -> str:
    """A time for people, to the minute."""
    return f"{at[:10]} {at[11:16]} UTC" if at else ""


def span(began: str, ended: str) -> str:
    """From when to when: of one day, the day once; an open end is left out."""
    if not began or not ended:
        return when(began or ended)
    if began[:10] != ended[:10]:
        return f"{when(began)} – {when(ended)}"
    return f"{began[:10]} {began[11:16]}–{ended[11:16]} UTC"


def stamp(at: str) -> str:
    """A time as a property: Obsidian takes no zone."""
    return at[:19]


def _heading(word: str) -> str:
    """A property's name as a column's: ``used_by`` -> Used by."""
    return word[:1].upper() + word[1:].replace("_", " ")


def _told(value: yaml.Value) -> yaml.Value:
    return inert.label(shown(value)) if isinstance(value, str) and value else value


def _distinct(texts: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(inert.label(shown(text)) for text in texts if text))
