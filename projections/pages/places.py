"""Which things of the model have a page, and where each of them lies."""

from collections.abc import Iterator, Mapping, Sequence

from navlog.projections.concepts import Concept
from navlog.projections.pages.folders import folder_tables
from navlog.projections.pages.model import Project
from navlog.projections.pages.names import PROJECT_BYTES, Thing, Wanted, assign, safe
from navlog.projections.pages.words import Words

HOME = Thing("home", "", "")


def base_of(folder: str) -> Thing:
    """The table of a top folder."""
    return Thing("base", "", folder)


def places(projects: Sequence[Project], words: Words) -> Mapping[Thing, str]:
    """Every page's path."""
    fixed = [*_fixed(words)]
    own = assign([*fixed, *(_project(one, words) for one in projects)])
    wanted = [*fixed]
    for project in projects:
        name = own[Thing("project", project.id, "")].rpartition("/")[2].removesuffix(".md")
        wanted.append(Wanted(Thing("project", project.id, ""), words.projects, name, fixed=True))
        wanted.extend(_of_project(project, name, words))
    return assign(wanted)


def tops(words: Words) -> tuple[str, ...]:
    """The folders at the top."""
    return (
        words.projects,
        words.concepts,
        words.files,
        words.tasks,
        words.sessions,
        words.decisions,
        words.rules,
    )


def _fixed(words: Words) -> Iterator[Wanted]:
    yield Wanted(HOME, "", words.home, fixed=True)
    for folder in tops(words):
        yield Wanted(base_of(folder), folder, folder, ".base", fixed=True)


def _project(project: Project, words: Words) -> Wanted:
    return Wanted(Thing("project", project.id, ""), words.projects, safe(project.name, room=PROJECT_BYTES))


def _of_project(project: Project, name: str, words: Words) -> Iterator[Wanted]:
    for kind, id_, top, title, ending in _titles(project, words):
        yield Wanted(Thing(kind, project.id, id_), f"{top}/{name}", f"{title} ({name})", ending)


def _titles(project: Project, words: Words) -> Iterator[tuple[str, str, str, str, str]]:
    """Kind, id, top folder, title and ending of each page of the project."""
    yield "map", "", words.concepts, words.map, ".canvas"
    for kind, id_ in _concepts(project.concepts):
        yield kind, id_, words.concepts, _concept_name(id_), ".md"
    for kind, paths in (("file", project.files), ("moved", project.moved)):
        for path in paths:
            yield kind, path, words.files, file_name(path), ".md"
    for table in folder_tables(project.rows):
        title = safe(f"{words.folder} {_folder_name(table.id)}", tail=True)
        yield "folder", table.id, words.files, title, ".md"
    for rules in project.rules:
        yield "rules", rules.path, words.rules, file_name(rules.path), ".md"
    for kind, id_, top, at, title in _work(project, words):
        yield kind, id_, top, safe(f"{at[:10]} {title[:60]}"), ".md"


def _concepts(concepts: Sequence[Concept]) -> Iterator[tuple[str, str]]:
    ids = {concept.id for concept in concepts}
    for concept in concepts:
        if concept.shown:
            yield "concept", concept.id
            yield from (("merged", id_) for id_ in sorted(set(concept.merged) - ids))


def _work(project: Project, words: Words) -> Iterator[tuple[str, str, str, str, str]]:
    for task in project.tasks:
        yield "task", task.id, words.tasks, task.opened_at, task.title
    for session in project.sessions:
        yield "session", session.id, words.sessions, session.started_at, f"{session.host} {session.id[:8]}"
    for decision in project.decisions:
        yield "decision", decision.id, words.decisions, decision.at, decision.text


def file_name(path: str) -> str:
    """A file's page is called by its whole path: so many files are called alike."""
    return safe(path.replace("/", "."), tail=True)


def _concept_name(id_: str) -> str:
    """Made of the id, not of the label: a page keeps its place whatever people call the concept."""
    return safe(id_.partition(":")[2] or id_)


def _folder_name(id_: str) -> str:
    return id_.replace("//", " ").replace("/", ".")
