"""What the project's documents say of it, from the tables of the projection `knowledge`."""

from collections.abc import Mapping
from contextlib import closing
from typing import NamedTuple

from navlog.projections.knowledge.tables import shown
from navlog.projections.pages.model import Decision
from navlog.projections.store import Store

_README = "readme"
_DECISION = "decision"


class Said(NamedTuple):
    """``about``: the README at the root, "" without one; ``records`` by their paths."""

    about: str = ""
    records: Mapping[str, Decision] = {}


def read_said(store: Store, project: str) -> Said:
    """As the version that is shown has it: a rollback is one here, too."""
    with closing(store.cursor()) as db:
        rows = [_Row(*row[: len(_Row._fields)]) for row in shown(db, project)]
    readme = next((row for row in rows if row.kind == _README and "/" not in row.document), None)
    records = {
        row.document: Decision(
            f"record:{row.document}", "", row.title or row.document, "", path=row.document,
            says=row.latest_decision or row.core_problem, rule=row.key_constraint,
        )
        for row in rows
        if row.kind == _DECISION and "#" not in row.document
    }  # fmt: skip
    return Said(readme.core_problem if readme else "", records)


class _Row(NamedTuple):
    """The first columns of `knowledge`."""

    project: str
    document: str
    variant: str
    version: int
    kind: str
    source: str
    summariser: str
    title: str
    core_problem: str
    key_constraint: str
    latest_decision: str
