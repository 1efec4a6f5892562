"""The tables of the projection ``knowledge``, and what is asked of them; docs/tables.md has every column.

`summaries` keeps every version that was ever made: which of them is shown is decided when somebody reads
(`SHOWN`), so a rollback, a pin and going forward again are one small row each.
"""

from collections.abc import Iterator
from typing import Any

from navlog.projections.graph.tables import Row, Table
from navlog.projections.store import Connection


def _table(name: str, columns: str, key: int) -> Table:
    return Table(name, tuple((one.split()[0], one.split()[1]) for one in columns.split(",")), key)


ISSUES = _table(
    "issues",
    "project VARCHAR, tracker VARCHAR, issue VARCHAR, title VARCHAR, state VARCHAR, body VARCHAR,"
    " size BIGINT, author VARCHAR, labels VARCHAR, created_at VARCHAR, updated_at VARCHAR, url VARCHAR",
    key=3,
)
COMMENTS = _table(
    "issue_comments",
    "project VARCHAR, tracker VARCHAR, issue VARCHAR, comment VARCHAR, body VARCHAR, size BIGINT,"
    " author VARCHAR, created_at VARCHAR, updated_at VARCHAR",
    key=4,
)
FETCHES = _table("issue_fetches", "project VARCHAR, tracker VARCHAR, page VARCHAR, etag VARCHAR", key=3)
SUMMARIES = _table(
    "summaries",
    "project VARCHAR, document VARCHAR, variant VARCHAR, version BIGINT, kind VARCHAR, source VARCHAR,"
    " summariser VARCHAR, title VARCHAR, core_problem VARCHAR, key_constraint VARCHAR,"
    " latest_decision VARCHAR, entry_pointer VARCHAR, tokens INTEGER, gone BOOLEAN, made_at VARCHAR",
    key=4,
)
REFUSALS = _table(
    "summary_refusals",
    "project VARCHAR, document VARCHAR, source VARCHAR, summariser VARCHAR, variant VARCHAR, faults VARCHAR",
    key=4,
)
PINS = _table("knowledge_pins", "project VARCHAR, document VARCHAR, version BIGINT, why VARCHAR", key=2)
ROLLBACKS = _table("knowledge_rollbacks", "project VARCHAR, version BIGINT, why VARCHAR", key=1)
CANDIDATES = _table(
    "knowledge_candidates",
    "project VARCHAR, candidate VARCHAR, verdict VARCHAR, summariser VARCHAR, similarity DOUBLE,"
    " score DOUBLE, mode VARCHAR, target BIGINT, cap BIGINT, msu_share DOUBLE, msus BIGINT, recent_s DOUBLE,"
    " embedder VARCHAR, embed_url VARCHAR, embed_model VARCHAR, embed_dimensions BIGINT, rerank VARCHAR,"
    " judged BIGINT",
    key=2,
)
CITATIONS = _table(
    "citations",
    "project VARCHAR, session VARCHAR, checked BIGINT, turn VARCHAR, mode VARCHAR, variant VARCHAR,"
    " used VARCHAR, quoted VARCHAR, continued BOOLEAN",
    key=3,
)
TABLES = (ISSUES, COMMENTS, FETCHES, SUMMARIES, REFUSALS, PINS, ROLLBACKS, CANDIDATES, CITATIONS)

# The version of each document that is shown: its pin, else the newest up to where the knowledge stands.
_VIEW = """
CREATE VIEW knowledge AS
  SELECT s.* EXCLUDE (gone) FROM summaries s
  LEFT JOIN knowledge_pins p ON p.project = s.project AND p.document = s.document
  LEFT JOIN knowledge_rollbacks r ON r.project = s.project
  WHERE s.version <= coalesce(p.version, r.version, s.version)
  QUALIFY row_number() OVER (PARTITION BY s.project, s.document, s.variant ORDER BY s.version DESC) = 1
    AND NOT s.gone
"""
_RECENT = "SELECT * FROM issues WHERE project = ? ORDER BY updated_at DESC, tracker, issue DESC LIMIT ?"
_COMMENTED = (
    "SELECT tracker, issue, count(*), arg_max(body, created_at), max(updated_at) FROM issue_comments"
    " WHERE project = ? AND issue IN (SELECT unnest(?::VARCHAR[])) GROUP BY ALL"
)
_NEWEST = (
    "SELECT * FROM summaries WHERE project = ? AND variant = ?"
    " QUALIFY row_number() OVER (PARTITION BY document ORDER BY version DESC) = 1"
)
_OF_SOURCE = (
    "SELECT * EXCLUDE (gone) FROM summaries"
    " WHERE project = ? AND variant = ? AND starts_with(summariser, ?) AND NOT gone"
    " QUALIFY row_number() OVER (PARTITION BY document, source ORDER BY version DESC) = 1"
)
_STANDING = (
    "SELECT (SELECT list(document) FROM knowledge_pins WHERE project = $1),"
    " (SELECT version FROM knowledge_rollbacks WHERE project = $1),"
    " (SELECT max(version) FROM summaries WHERE project = $1)"
)
_JUDGED = "SELECT * FROM knowledge_candidates WHERE project = ? ORDER BY judged"
_EXPORT = {
    "summaries": "SELECT * EXCLUDE (made_at) FROM summaries ORDER BY ALL",
} | {
    one.name: f"SELECT * FROM {one.name} ORDER BY ALL"  # noqa: S608 - names of our own
    for one in TABLES
    if one is not SUMMARIES
}


def create(db: Connection) -> None:
    """Tables and the view in the catalog ``db`` uses."""
    for one in TABLES:
        db.execute(f"CREATE TABLE {one.name}({', '.join(f'{name} {kind}' for name, kind in one.columns)})")
    db.execute(_VIEW)


def shown(db: Connection, project: str, variant: str = "", summariser: str = "") -> list[Row]:
    """The rows of `knowledge` for a project.

    With ``summariser``, what that kind made of the very same text for ``variant`` stands in the place of a
    row: never of a text that has changed since, or of a document that is gone.
    """
    found = db.execute(
        "SELECT * FROM knowledge WHERE project = ? AND variant = '' ORDER BY document", [project]
    ).fetchall()
    if not summariser:
        return found
    own = db.execute(_OF_SOURCE, [project, variant, summariser]).fetchall()
    instead = {(row[1], row[5]): row for row in own}
    return [instead.get((row[1], row[5]), row) for row in found]


def standing(db: Connection, project: str) -> tuple[list[str], int, int]:
    """(the documents that are pinned, the version rolled back to or 0, the newest version or 0)."""
    pins, rolled_back, newest = db.execute(_STANDING, [project]).fetchall()[0]
    return pins or [], rolled_back or 0, newest or 0


def judged(db: Connection, project: str) -> list[Row]:
    """The candidates that were judged, in that order."""
    return db.execute(_JUDGED, [project]).fetchall()


def newest(db: Connection, project: str, variant: str = "") -> list[Row]:
    """The newest row of each document in `summaries`, gone or not, whatever is shown."""
    return db.execute(_NEWEST, [project, variant]).fetchall()


def versions(db: Connection, project: str) -> list[Row]:
    """Every version of every document, newest first."""
    return db.execute(
        "SELECT * FROM summaries WHERE project = ? ORDER BY version DESC, document", [project]
    ).fetchall()


def recent_issues(db: Connection, project: str, limit: int) -> tuple[list[Row], list[Row]]:
    """The issues that changed last, and of each (tracker, issue, comments, the last one's body, its time)."""
    issues = db.execute(_RECENT, [project, limit]).fetchall()
    return issues, db.execute(_COMMENTED, [project, [row[2] for row in issues]]).fetchall()


def refused(db: Connection, project: str) -> set[tuple[str, str, str]]:
    """(document, source, summariser) of the answers that did not pass."""
    rows = db.execute(
        "SELECT document, source, summariser FROM summary_refusals WHERE project = ?", [project]
    )
    return set(rows.fetchall())


def export(db: Connection) -> Iterator[tuple[Any, ...]]:
    """Every fact once, without times; a version names what it is the version of, and stays."""
    for name, query in _EXPORT.items():
        for row in db.execute(query).fetchall():
            yield (name, *row)
