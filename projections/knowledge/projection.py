"""Knowledge as a projection: issues, every version of every summary, and what people decided about them.

Its fold keeps no state: an event is a row. Readers ask the tables and keep what
they read as long as `changes` says the same number for the project.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from navlog.projections.graph.tables import Row, Table, delete, insert
from navlog.projections.knowledge import tables as t
from navlog.projections.store import Connection
from navlog.schemas.envelope import Record
from navlog.schemas.events import ProjectRemoved
from navlog.schemas.knowledge import (
    CandidateJudged,
    CitationChecked,
    CommentRecorded,
    IssueRecorded,
    IssuesFetched,
    KnowledgePinned,
    KnowledgeRolledBack,
    SummaryDropped,
    SummaryMade,
    SummaryRefused,
)
from navlog.schemas.payloads import Unknown, decode_payload


class Changes(NamedTuple):
    """``purged`` projects lose everything first; then rows are replaced by key, None takes one away."""

    purged: set[str]
    rows: dict[str, dict[Row, Row | None]]


class KnowledgeProjection:
    """``changes``: project -> a number that is another one after every change; read elsewhere."""

    name = "knowledge"
    version = 3

    def __init__(self, changes: Counter[str] | None = None) -> None:
        self.changes: Counter[str] = Counter() if changes is None else changes

    @property
    def reads(self) -> Collection[str]:
        """The types that make rows, or take them away."""
        return _READS

    def create(self, db: Connection) -> None:
        """Tables in a new file."""
        t.create(db)

    def load(self, db: Connection) -> None:
        """Whatever was read before may be another one now."""
        for (project,) in db.execute("SELECT DISTINCT project FROM summaries").fetchall():
            self.changes[project] += 1

    def fold(self, batch: Sequence[Record]) -> Changes:
        """Each event as its row."""
        found = Changes(set(), {one.name: {} for one in t.TABLES})
        for record in batch:
            if record.type == ProjectRemoved.TYPE:
                _purge(found, record.project)
            elif (make := _ROWS.get(record.type)) and not isinstance(
                event := decode_payload(record), Unknown
            ):
                for table, key, rest in make(record, event):
                    found.rows[table.name][key] = rest
        return found

    def apply(self, db: Connection, changes: Changes) -> None:
        """Writes the rows, inside the caller's transaction."""
        for table in t.TABLES:
            delete(db, table, [(project,) for project in sorted(changes.purged)], key=1)
            rows = changes.rows[table.name]
            delete(db, table, list(rows))
            insert(db, table, [key + rest for key, rest in rows.items() if rest is not None])

    def publish(self, changes: Changes) -> None:
        """Tells readers that what they keep is old."""
        touched = {key[0] for rows in changes.rows.values() for key in rows} | changes.purged
        for project in touched:
            self.changes[project] += 1

    def fresh(self) -> "KnowledgeProjection":
        """Another one that nobody reads."""
        return KnowledgeProjection()

    def succeed(self, previous: "KnowledgeProjection") -> None:
        """Goes on counting for the readers of ``previous``."""
        for project in {*previous.changes, *self.changes}:
            previous.changes[project] += 1
        self.changes = previous.changes

    def export(self, db: Connection) -> Iterator[tuple[Any, ...]]:
        """What the tables say, ordered, without times."""
        return t.export(db)


def _purge(found: Changes, project: str) -> None:
    found.purged.add(project)
    for rows in found.rows.values():
        for key in [key for key in rows if key[0] == project]:
            del rows[key]


Made = Iterator[tuple[Table, Row, Row | None]]


def _issue(record: Record, event: IssueRecorded) -> Made:
    labels = ", ".join(event.labels)
    rest = (event.title, event.state, event.body, event.size, event.author, labels)
    times = (event.created_at, event.updated_at, event.url)
    yield t.ISSUES, (record.project, event.tracker, event.issue), rest + times


def _comment(record: Record, event: CommentRecorded) -> Made:
    key = (record.project, event.tracker, event.issue, event.comment)
    yield t.COMMENTS, key, (event.body, event.size, event.author, event.created_at, event.updated_at)


def _fetch(record: Record, event: IssuesFetched) -> Made:
    yield t.FETCHES, (record.project, event.tracker, event.page), (event.etag,)


def summary_row(record: Record, event: SummaryMade) -> Row:
    """A summary as a row of the view `knowledge`."""
    key = (record.project, event.document, event.variant, record.position)
    elements = (event.core_problem, event.key_constraint, event.latest_decision, event.entry_pointer)
    about = (event.kind, event.source, event.summariser, event.title)
    return (*key, *about, *elements, event.tokens, record.at)


def _summary(record: Record, event: SummaryMade) -> Made:
    row = summary_row(record, event)
    yield t.SUMMARIES, row[:4], (*row[4:-1], False, row[-1])


def _dropped(record: Record, event: SummaryDropped) -> Made:
    key = (record.project, event.document, event.variant, record.position)
    yield t.SUMMARIES, key, ("", "", "", "", "", "", "", "", 0, True, record.at)


def _refusal(record: Record, event: SummaryRefused) -> Made:
    key = (record.project, event.document, event.source, event.summariser)
    yield t.REFUSALS, key, (event.variant, "\n".join(event.faults))


def _pin(record: Record, event: KnowledgePinned) -> Made:
    yield t.PINS, (record.project, event.document), (event.version, event.why) if event.version else None


def _rollback(record: Record, event: KnowledgeRolledBack) -> Made:
    yield t.ROLLBACKS, (record.project,), (event.version, event.why) if event.version else None


def _judged(record: Record, event: CandidateJudged) -> Made:
    rest = msgspec.structs.astuple(event.configuration)
    yield t.CANDIDATES, (record.project, event.candidate), (event.verdict, *rest, record.position)


def _citation(record: Record, event: CitationChecked) -> Made:
    used, quoted = "\n".join(event.used), "\n".join(event.quoted)
    rest = (event.turn, event.mode, event.variant, used, quoted, event.continued)
    yield t.CITATIONS, (record.project, event.session, record.position), rest


_ROWS: Mapping[str, Callable[[Record, Any], Made]] = {
    IssueRecorded.TYPE: _issue,
    CommentRecorded.TYPE: _comment,
    IssuesFetched.TYPE: _fetch,
    SummaryMade.TYPE: _summary,
    SummaryDropped.TYPE: _dropped,
    SummaryRefused.TYPE: _refusal,
    KnowledgePinned.TYPE: _pin,
    KnowledgeRolledBack.TYPE: _rollback,
    CandidateJudged.TYPE: _judged,
    CitationChecked.TYPE: _citation,
}
_READS = frozenset({ProjectRemoved.TYPE, *_ROWS})
