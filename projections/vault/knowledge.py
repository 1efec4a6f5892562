"""What the project's documents say of it, from the tables of the projection `knowledge`."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import NamedTuple

from navlog.projections.knowledge import tables
from navlog.projections.knowledge.configuring import judged_of, promoted_of, summaries_of
from navlog.projections.pages.model import Decision, Rule, Rules
from navlog.projections.store import Store

_README = "readme"
_DECISION = "decision"
_RULES = ("rules", "contributing")


class Said(NamedTuple):
    """``about``: the README at the root, "" without one; ``records`` and ``rules`` by their paths."""

    about: str = ""
    records: Mapping[str, Decision] = {}
    rules: Mapping[str, Rules] = {}


def read_said(store: Store, project: str) -> Said:
    """As the version that is shown has it, by whom was promoted: a rollback is one here, too."""
    with closing(store.cursor()) as db:
        variant, summariser = summaries_of(promoted_of(judged_of(tables.judged(db, project))))
        plain = tables.shown(db, project)
        shown = tables.shown(db, project, variant, summariser) if summariser else plain
    rows = [_Row(*row[: len(_Row._fields)]) for row in shown]
    read = {row[1]: row[3] for row in plain}  # when: a model's answers come in an order of their own
    readme = next((row for row in rows if row.kind == _README and "/" not in row.document), None)
    records = {
        row.document: Decision(
            f"record:{row.document}", "", row.title or row.document, "", path=row.document,
            says=row.latest_decision or row.core_problem, rule=row.key_constraint,
        )
        for row in rows
        if row.kind == _DECISION and "#" not in row.document
    }  # fmt: skip
    return Said(
        readme.core_problem if readme else "",
        records,
        _rules(sorted(rows, key=lambda row: read[row.document])),
    )


def _rules(rows: Sequence["_Row"]) -> dict[str, Rules]:
    """The files of rules, and what each of their sections says, in the order of the rows."""
    found: dict[str, list[Rule]] = {}
    for row in rows:
        if row.kind in _RULES and row.key_constraint:
            rule = Rule(row.title, row.key_constraint, row.entry_pointer.partition(":")[0])
            found.setdefault(row.document.partition("#")[0], []).append(rule)
    return {path: Rules(path, tuple(rules)) for path, rules in sorted(found.items())}


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
    entry_pointer: str
