"""A concept's page, as a colleague would write it: what it is, where, how tested, and what it goes with."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from navlog.projections.concepts import Claim, Concept
from navlog.projections.pages import inert
from navlog.projections.pages.histories import commit_rows, task_lines, tasks_by_path
from navlog.projections.pages.model import Commit, Project, Row
from navlog.projections.pages.names import Thing
from navlog.projections.pages.sheet import Desk, Page, Properties, page, section, table
from navlog.schemas.names import shown

MAIN = 8
OTHERS = 12
COMMITS = 5
EVIDENCE = 5


class Around(NamedTuple):
    """What every concept of a project is told with: looked up once, not for each."""

    rows: Mapping[str, Row]
    commits: Mapping[str, Sequence[Commit]]
    tasks: Mapping[str, Sequence[int]]
    inverse: Mapping[str, Mapping[str, Sequence[str]]]
    links: Mapping[str, str]  # to the concepts that are shown, by their ids


def concept_pages(project: Project, desk: Desk) -> Iterator[Page]:
    """A page for each concept that is shown, and one for each that was merged into it."""
    around = Around(
        rows={row.path: row for row in project.rows},
        commits=_commits_by_path(project.commits),
        tasks=tasks_by_path(project),
        inverse=_inverse(project.concepts),
        links={
            one.id: desk.link(Thing("concept", project.id, one.id), one.label)
            for one in project.concepts
            if one.shown
        },
    )
    for concept in project.concepts:
        if concept.shown:
            yield _concept(project, concept, around, desk)
            for id_ in concept.merged:
                if Thing("merged", project.id, id_) in desk.places:
                    yield _merged(project, concept, id_, desk)


def main_paths(concept: Concept) -> list[str]:
    """The files that make it up, the most important first."""
    return _paths(concept, "implemented_by") or _paths(concept, "contains")


def _concept(
    project: Project,
    concept: Concept,
    around: Around,
    desk: Desk,
) -> Page:
    words, main, rows = desk.words, main_paths(concept), around.rows
    every = list(dict.fromkeys(claim.path for claim in concept.files))
    touching = {one for path in every for one in around.commits.get(path, ())}
    commits = sorted(touching, key=lambda one: (one.at, one.id), reverse=True)
    tasks = (number for path in every for number in around.tasks.get(path, ()))
    heads = (words.file, words.says)
    parts = [
        [f"# {inert.text(concept.label)}"],
        _opening(project, concept, rows, desk),
        section(words.main_files, table(heads, [_row(project, path, rows, desk) for path in main[:MAIN]])),
        section(words.related, _related(concept, around, desk)),
        *_others(project, concept, main[MAIN:], desk),
        section(
            words.lately, table((words.when, words.what, words.who), commit_rows(commits[:COMMITS], desk))
        ),
        section(words.tasks, task_lines(project, tasks, desk)),
        section(words.evidence, _evidence(project, concept, desk)),
    ]
    properties: Properties = {
        words.kind: words.concept.lower(),
        words.status: words.statuses[concept.status],
        words.part: len(every),
        "tags": ["navlog/concept"],
    }
    links = {words.project: desk.project(project)}
    if main and Thing("file", project.id, main[0]) in desk.places:
        links[words.main] = desk.file(project.id, main[0])
    path = desk.places[Thing("concept", project.id, concept.id)]
    return page(path, properties, parts, links=links, aliases=[concept.label, *concept.aliases])


def _opening(project: Project, concept: Concept, rows: Mapping[str, Row], desk: Desk) -> list[str]:
    """What its first speaking file says, then what sort of thing it is and how it came here."""
    words = desk.words
    speaking = (rows[path].says for path in main_paths(concept)[:3] if path in rows)
    says = next((said for said in speaking if said), "")
    home = desk.project(project)
    facts = [words.of_project.format(words.kinds[concept.kind], home), words.sources[concept.source]]
    if concept.status in ("accepted", "created"):
        facts.append(words.statuses[concept.status])
    return [*([f"> {inert.text(says)}", ""] if says else []), " · ".join(facts)]


def _row(project: Project, path: str, rows: Mapping[str, Row], desk: Desk) -> tuple[str, str]:
    says = rows[path].says if path in rows else ""
    return desk.file(project.id, path), inert.text(says, 120)


def _related(concept: Concept, around: Around, desk: Desk) -> list[str]:
    """Other concepts, by relation, one line each."""
    words, inverse = desk.words, around.inverse.get(concept.id, {})
    said: dict[str, list[str]] = {}
    for relation in ("contains", "depends_on", "related_to"):
        here = [link.concept for link in concept.relations if link.relation == relation]
        there = list(inverse.get(relation, ()))
        if relation == "related_to":
            here, there = list(dict.fromkeys([*here, *there])), []
        said.setdefault(words.inverse[relation], []).extend(there)
        said.setdefault(words.relations[relation], []).extend(here)
    links = {name: [around.links[id_] for id_ in ids if id_ in around.links] for name, ids in said.items()}
    return [f"- **{name}**: {desk.listed(found, OTHERS)}" for name, found in links.items() if found]


def _others(project: Project, concept: Concept, more: Sequence[str], desk: Desk) -> Iterator[list[str]]:
    """Tests, documents, settings, and the files that are no main ones."""
    words, main = desk.words, set(main_paths(concept))
    named = (
        (words.tests, _paths(concept, "tested_by")),
        (words.documents, _paths(concept, "documented_by")),
        (words.settings, _paths(concept, "configured_by")),
        (words.more_files, [*more, *(path for path in _paths(concept, "contains") if path not in main)]),
    )
    for name, paths in named:
        yield section(name, desk.file_lines(project.id, paths, OTHERS))


def _evidence(project: Project, concept: Concept, desk: Desk) -> list[str]:
    lines = []
    for one in concept.evidence[:EVIDENCE]:
        place = [desk.file(project.id, one.path)] if one.path else []
        place += [f"{desk.words.line.lower()} {one.line}"] if one.line > 1 else []
        says = [inert.text(one.says)] if desk.words.rules_speak_it or concept.source != "rules" else []
        lines.append("- " + " · ".join([*says, ", ".join(place)] if place else says))
    return [line for line in dict.fromkeys(lines) if line != "- "]


def _merged(project: Project, concept: Concept, id_: str, desk: Desk) -> Page:
    words = desk.words
    properties: Properties = {
        words.kind: words.concept.lower(),
        "tags": ["navlog/moved"],
    }
    path = desk.places[Thing("merged", project.id, id_)]
    title = f"# {inert.text(shown(id_.partition(':')[2] or id_))}"
    body = words.merged.format(desk.link(Thing("concept", project.id, concept.id), concept.label))
    return page(path, properties, [[title], [body]], links={words.project: desk.project(project)})


def _paths(concept: Concept, relation: str) -> list[str]:
    return [claim.path for claim in concept.files if _holds(claim) and claim.relation == relation]


def _holds(claim: Claim) -> bool:
    return claim.status != "rejected"


def _commits_by_path(commits: Sequence[Commit]) -> dict[str, list[Commit]]:
    found: dict[str, list[Commit]] = {}
    for commit in commits:
        for path in commit.paths:
            found.setdefault(path, []).append(commit)
    return found


def _inverse(concepts: Sequence[Concept]) -> dict[str, dict[str, list[str]]]:
    """For each concept, by relation, those that point at it."""
    found: dict[str, dict[str, list[str]]] = {}
    for concept in concepts:
        for link in concept.relations if concept.shown else ():
            found.setdefault(link.concept, {}).setdefault(link.relation, []).append(concept.id)
    return found
