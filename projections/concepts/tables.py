"""The concepts' tables; docs/tables.md describes every column.

What is shown stands in ``concepts``, ``concept_files`` and ``concept_links``; the others are what the fold
needs again after a start: what people and providers said, and what moved.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from navlog.projections.concepts.fold import Changes
from navlog.projections.concepts.judgements import Judgement, Move
from navlog.projections.concepts.state import Project, State
from navlog.projections.graph.tables import Row, Table, delete, insert, rows
from navlog.projections.store import Connection
from navlog.schemas.concept import Claim, Concept, Link
from navlog.schemas.concepts import ConceptsProposed
from navlog.schemas.overlays import OVERLAYS


def _table(name: str, columns: str) -> Table:
    pairs = (column.split() for column in columns.split(","))
    return Table(name, tuple((one, kind) for one, kind in pairs), key=1)


PROJECTS = _table("concept_projects", "project VARCHAR, name VARCHAR")
CONCEPTS = _table(
    "concepts",
    "project VARCHAR, rank INTEGER, concept VARCHAR, label VARCHAR, aliases VARCHAR, kind VARCHAR,"
    " status VARCHAR, source VARCHAR, confidence DOUBLE, evidence VARCHAR, merged VARCHAR",
)
FILES = _table(
    "concept_files",
    "project VARCHAR, concept VARCHAR, rank INTEGER, claim VARCHAR, relation VARCHAR, path VARCHAR,"
    " source VARCHAR, confidence DOUBLE, evidence VARCHAR, status VARCHAR",
)
LINKS = _table(
    "concept_links",
    "project VARCHAR, concept VARCHAR, rank INTEGER, link VARCHAR, relation VARCHAR, other VARCHAR,"
    " source VARCHAR, confidence DOUBLE, evidence VARCHAR, status VARCHAR",
)
FOUND = _table("concept_found", "project VARCHAR, concept VARCHAR, paths VARCHAR")
LOST = _table("concept_lost", "project VARCHAR, concept VARCHAR, paths VARCHAR")
JUDGEMENTS = _table(
    "judgements",
    "project VARCHAR, position BIGINT, id VARCHAR, judged_at VARCHAR, type VARCHAR, data VARCHAR",
)
MOVES = _table("moves", "project VARCHAR, position BIGINT, what VARCHAR, previous VARCHAR, now VARCHAR")
PROVIDERS = _table("concept_providers", "project VARCHAR, provider VARCHAR, answer VARCHAR, failed VARCHAR")

TABLES = (PROJECTS, CONCEPTS, FILES, LINKS, FOUND, LOST, JUDGEMENTS, MOVES, PROVIDERS)
_EXPORT = {
    "concepts": "SELECT * FROM concepts ORDER BY ALL",
    "concept_files": "SELECT * FROM concept_files ORDER BY ALL",
    "concept_links": "SELECT * FROM concept_links ORDER BY ALL",
    "judgements": "SELECT project, id, type, data FROM judgements ORDER BY ALL",
    "concept_providers": "SELECT * FROM concept_providers ORDER BY ALL",
}


def create(db: Connection) -> None:
    """Tables in the catalog ``db`` uses."""
    for table in TABLES:
        db.execute(
            f"CREATE TABLE {table.name}({', '.join(f'{name} {kind}' for name, kind in table.columns)})"
        )


def write(db: Connection, state: State, changes: Changes) -> None:
    """What the batch changed."""
    _replace(db, PROJECTS, {one: [] if name is None else [(name,)] for one, name in changes.names.items()})
    insert(db, JUDGEMENTS, [(project, *_judgement_row(made)) for project, made in changes.judgements])
    insert(db, MOVES, [(project, *_move_row("file", move)) for project, move in changes.files])
    insert(db, MOVES, [(project, *_move_row("concept", move)) for project, move in changes.moved])
    _replace(db, PROVIDERS, {project: _provider_rows(state[project]) for project in changes.said})
    found = changes.found | {project for project, name in changes.names.items() if name is None}
    _replace(
        db, FOUND, {one: [(id_, _json(paths)) for id_, paths in state[one].found.items()] for one in found}
    )
    _replace(
        db, LOST, {one: [(id_, _json(paths)) for id_, paths in state[one].lost.items()] for one in found}
    )
    _replace(db, CONCEPTS, {project: _concept_rows(known) for project, known in changes.concepts.items()})
    _replace(db, FILES, {project: _file_rows(known) for project, known in changes.concepts.items()})
    _replace(db, LINKS, {project: _link_rows(known) for project, known in changes.concepts.items()})


def load(db: Connection) -> State:
    """Everything but what is taken from the views again."""
    state: State = defaultdict(Project)
    for project, name in rows(db, "SELECT * FROM concept_projects"):
        state[project].name = name
    for project, position, id_, at, kind, data in rows(db, "SELECT * FROM judgements ORDER BY position"):
        overlay = msgspec.json.decode(data, type=OVERLAYS[kind])
        state[project].judgements[position] = Judgement(position, id_, at, overlay)
    for project, position, what, previous, now in rows(db, "SELECT * FROM moves ORDER BY position"):
        moves = state[project].files if what == "file" else state[project].moved
        moves.append(Move(position, previous, now))
    for project, concept, paths in rows(db, "SELECT * FROM concept_found"):
        state[project].found[concept] = tuple(msgspec.json.decode(paths, type=list[str]))
    for project, concept, paths in rows(db, "SELECT * FROM concept_lost"):
        state[project].lost[concept] = msgspec.json.decode(paths, type=dict[str, str])
    _load_providers(db, state)
    _load_concepts(db, state)
    return dict(state)


def export(db: Connection) -> Iterator[Row]:
    """What is shown and what was said, ordered, without positions and times."""
    for name, query in _EXPORT.items():
        for row in rows(db, query):
            yield (name, *row)


# --- rows -----------------------------------------------------------------------------------------------


def _replace(db: Connection, table: Table, by_project: dict[str, Sequence[Row]]) -> None:
    delete(db, table, [(project,) for project in sorted(by_project)])
    insert(db, table, [(project, *row) for project in sorted(by_project) for row in by_project[project]])


def _judgement_row(made: Judgement) -> Row:
    data = msgspec.json.encode(made.overlay).decode()
    return made.position, made.id, made.at, made.overlay.TYPE, data


def _move_row(what: str, move: Move) -> Row:
    return move.position, what, move.previous, move.now


def _provider_rows(project: Project) -> list[Row]:
    return [
        (
            name,
            _json(project.proposals[name]) if name in project.proposals else "",
            project.failed.get(name, ""),
        )
        for name in sorted({*project.proposals, *project.failed})
    ]


def _concept_rows(concepts: Sequence[Concept]) -> list[Row]:
    return [
        (
            rank, one.id, one.label, _json(one.aliases), one.kind, one.status, one.source, one.confidence,
            _json(one.evidence), _json(one.merged),
        )
        for rank, one in enumerate(concepts)
    ]  # fmt: skip


def _file_rows(concepts: Sequence[Concept]) -> list[Row]:
    return [
        (
            one.id, rank, claim.id, claim.relation, claim.path, claim.source, claim.confidence,
            _json(claim.evidence), claim.status,
        )
        for one in concepts
        for rank, claim in enumerate(one.files)
    ]  # fmt: skip


def _link_rows(concepts: Sequence[Concept]) -> list[Row]:
    return [
        (
            one.id, rank, link.id, link.relation, link.concept, link.source, link.confidence,
            _json(link.evidence), link.status,
        )
        for one in concepts
        for rank, link in enumerate(one.relations)
    ]  # fmt: skip


def _load_providers(db: Connection, state: State) -> None:
    for project, provider, answer, failed in rows(db, "SELECT * FROM concept_providers"):
        if answer:
            state[project].proposals[provider] = msgspec.json.decode(answer, type=ConceptsProposed)
        if failed:
            state[project].failed[provider] = failed


def _load_concepts(db: Connection, state: State) -> None:
    files: dict[tuple[str, str], list[Claim]] = {}
    for project, concept, _, *row in rows(db, "SELECT * FROM concept_files ORDER BY project, concept, rank"):
        files.setdefault((project, concept), []).append(_of_row(Claim, row))
    links: dict[tuple[str, str], list[Link]] = {}
    for project, concept, _, *row in rows(db, "SELECT * FROM concept_links ORDER BY project, concept, rank"):
        links.setdefault((project, concept), []).append(_of_row(Link, row))
    for project, _, *row in rows(db, "SELECT * FROM concepts ORDER BY project, rank"):
        one = _concept(row, files.get((project, row[0]), []), links.get((project, row[0]), []))
        state[project].concepts += (one,)


def _concept(row: Sequence[Any], files: Sequence[Claim], links: Sequence[Link]) -> Concept:
    id_, label, aliases, kind, status, source, confidence, evidence, merged = row
    return msgspec.convert(
        {
            "id": id_, "key": id_.partition(":")[2], "label": label, "aliases": msgspec.json.decode(aliases),
            "kind": kind, "status": status, "source": source, "confidence": confidence, "files": files,
            "relations": links, "evidence": msgspec.json.decode(evidence),
            "merged": msgspec.json.decode(merged),
        },
        Concept,
    )  # fmt: skip


def _of_row(shape: type[Any], row: Sequence[Any]) -> Any:
    """A claim or a link: the columns stand in the order of its fields."""
    values = dict(zip(shape.__struct_fields__, row, strict=True))
    return msgspec.convert(values | {"evidence": msgspec.json.decode(values["evidence"])}, shape)


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
