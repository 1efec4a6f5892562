"""Home and the projects' pages: what this is, what happened lately, where to start."""

from collections import Counter
from collections.abc import Iterator, Sequence

from navlog.projections.pages import inert
from navlog.projections.pages.canvas import has_map
from navlog.projections.pages.concepts import main_paths
from navlog.projections.pages.folders import folder_tables
from navlog.projections.pages.histories import happened
from navlog.projections.pages.model import Project
from navlog.projections.pages.names import Thing
from navlog.projections.pages.places import HOME, base_of, tops
from navlog.projections.pages.rules import rules_links
from navlog.projections.pages.sheet import Desk, Page, Properties, page, section, stamp, table, when
from navlog.schemas.names import shown

LATELY = 15
START = 10
NAMED = 4  # concepts, decisions, tasks of a project on Home
TOLD = 5  # projects that Home tells of; of more it has a table
FOLDERS = 60
LANGUAGES = 3


def home_page(projects: Sequence[Project], desk: Desk) -> Page:
    """The first page anybody opens."""
    words = desk.words
    lately = sorted(
        (
            (at, _link(project, desk), what)
            for project in projects
            for at, what in happened(project, desk, LATELY)
        ),
        key=lambda one: one[0],
        reverse=True,
    )
    rows = [(when(at), name, what) for at, name, what in lately[:LATELY]]
    parts = [
        [f"# {words.home}"],
        [words.ours],
        section(words.projects, _projects(projects, desk)),
        section(words.lately, table((words.when, words.project, words.what), rows) or [words.nothing]),
        section(words.where, _where(projects, desk)),
    ]
    properties: Properties = {words.kind: words.home.lower(), "tags": ["navlog/home"]}
    return page(desk.places[HOME], properties, parts)


def project_page(project: Project, desk: Desk) -> Page:
    """One project: what it is, where to start, what happened, where everything else is."""
    words = desk.words
    lately = [(when(at), what) for at, what in happened(project, desk, LATELY)]
    parts = [
        [f"# {inert.text(project.name)}"],
        _opening(project, desk),
        section(words.start, _start(project, desk)),
        section(words.lately, table((words.when, words.what), lately) or [words.quiet]),
        section(words.tasks, [f"- {one}" for one in _open_tasks(project, desk)[:START]]),
        section(words.decisions, [f"- {one}" for one in _decision_links(project, desk)[:START]]),
        section(words.rules, [f"- {one}" for one in rules_links(project, desk)[:START]]),
        section(words.by_folder, _folders(project, desk)),
    ]
    properties: Properties = {
        words.kind: words.project.lower(),
        words.path: project.root,
        words.part: len(project.rows),
        words.changed: stamp(_newest(project)),
        "tags": ["navlog/project"],
    }
    return page(desk.places[Thing("project", project.id, "")], properties, parts)


def _projects(projects: Sequence[Project], desk: Desk) -> list[str]:
    """A few are told in a paragraph each; of many a table."""
    if len(projects) <= TOLD:
        lines = [line for one in projects for line in ("", *_told(one, desk))]
        return lines[1:] or [desk.words.nothing]
    words = desk.words
    heads = (words.project, words.about, words.start, words.changed)
    return table(heads, [_summary(one, desk) for one in projects])


def _told(project: Project, desk: Desk) -> list[str]:
    """What a colleague would say of it in five lines."""
    words = desk.words
    said = (
        (words.start, desk.listed(_first(project, desk), NAMED)),
        (words.decisions, desk.listed(_decision_links(project, desk), NAMED)),
        (words.rules, desk.listed(rules_links(project, desk), NAMED)),
        (words.tasks, desk.listed(_open_tasks(project, desk), NAMED)),
        (words.changed.capitalize(), when(_newest(project))),
    )
    about = [f"> {inert.text(project.about)}", ""] if project.about else []
    lines = [f"- **{name}**: {text}" for name, text in said if text]
    return [f"### {_link(project, desk)}", "", *about, _languages(project, desk), "", *lines]


def _summary(project: Project, desk: Desk) -> tuple[str, ...]:
    about = inert.text(project.about, 120) or _languages(project, desk)
    start = _first(project, desk)[:NAMED]
    return _link(project, desk), about, ", ".join(start), when(_newest(project))


def _first(project: Project, desk: Desk) -> list[str]:
    """Where to start: its concepts, else its most used files."""
    return _concept_links(project, desk) or [_file(project, path, desk) for path in [*project.files][:NAMED]]


def _opening(project: Project, desk: Desk) -> list[str]:
    words = desk.words
    facts = [
        _languages(project, desk),
        words.on_branch.format(inert.code(project.branch)) if project.branch else "",
        inert.code(project.head[:10]) if project.head else "",
        inert.code(shown(project.root)),
    ]
    says = [f"> {inert.text(project.about)}", ""] if project.about else []
    return [*says, " · ".join(filter(None, facts))]


def _languages(project: Project, desk: Desk) -> str:
    """How many files there are, and in which languages most of them."""
    counted = Counter(row.language for row in project.rows if row.language not in ("", "binary"))
    most = sorted(counted.items(), key=lambda one: (-one[1], one[0]))[:LANGUAGES]
    named = ", ".join(f"{inert.text(name)} {count:,}" for name, count in most)
    total = desk.words.of_files(len(project.rows))
    return f"{total} ({named})" if named else total


def _start(project: Project, desk: Desk) -> list[str]:
    """The concepts a person would name first, with their main file; without any, the most used files."""
    words = desk.words
    concepts = [concept for concept in project.concepts if concept.shown][:START]
    says = {row.path: row.says for row in project.rows}
    if concepts:
        rows = []
        for concept in concepts:
            main = main_paths(concept)[:1]
            link = desk.link(Thing("concept", project.id, concept.id), concept.label)
            rows.append(
                (link, *(_file(project, path, desk) for path in main), inert.text(says.get(main[0], ""), 90))
                if main
                else (link, "", "")
            )
        return [
            *table((words.concept, words.main_files, words.says), rows), "",
            f"{words.map}: {desk.link(Thing('map', project.id, ''), words.map)}",
        ]  # fmt: skip
    files = [path for path, file in project.files.items() if file.kind == "source"][:START]
    rows = [(_file(project, path, desk), inert.text(says.get(path, ""), 90)) for path in files]
    return table((words.most_used, words.says), rows)


def _open_tasks(project: Project, desk: Desk) -> list[str]:
    return [
        f"{when(task.opened_at)} {desk.link(Thing('task', project.id, task.id), task.title)}"
        for task in project.tasks
        if task.status == "open"
    ]


def _decision_links(project: Project, desk: Desk) -> list[str]:
    """The newest: people's and agents' remarks, and decision records."""
    return [
        " ".join(filter(None, (one.at[:10], desk.link(Thing("decision", project.id, one.id), one.text))))
        for one in project.decisions
    ]


def _folders(project: Project, desk: Desk) -> list[str]:
    tables = folder_tables(project.rows)
    rows = [
        (desk.link(Thing("folder", project.id, one.id), one.folder or project.name), f"{len(one.rows):,}")
        for one in tables[:FOLDERS]
    ]
    left = len(tables) - FOLDERS
    more = ["", desk.words.more.format(f"{left:,}")] if left > 0 else []
    return [*table((desk.words.folder, desk.words.files), rows), *more]


def _where(projects: Sequence[Project], desk: Desk) -> list[str]:
    maps = [
        desk.link(Thing("map", one.id, ""), f"{desk.words.map}: {one.name}")
        for one in projects
        if has_map(one)
    ]
    return [f"- {desk.link(base_of(folder), folder)}" for folder in tops(desk.words)] + [
        f"- {one}" for one in maps
    ]


def _concept_links(project: Project, desk: Desk) -> list[str]:
    shown_ones = (concept for concept in project.concepts if concept.shown)
    return [desk.link(Thing("concept", project.id, one.id), one.label) for one in shown_ones]


def _link(project: Project, desk: Desk) -> str:
    return desk.project(project)


def _file(project: Project, path: str, desk: Desk) -> str:
    return desk.file(project.id, path)


def _newest(project: Project) -> str:
    times: Iterator[str] = (at for at in (
        *(commit.at for commit in project.commits[:1]),
        *(row.changed_at for row in project.changed[:1]),
    ))  # fmt: skip
    return max(times, default="")
