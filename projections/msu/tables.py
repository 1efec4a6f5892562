"""The tables of the projection ``msu``, and how rows get in and out.

docs/tables.md describes every column. `standing` holds a row for each file: what the records say of it
(``sliced``) and what it has now (``content``); ``cause`` names the event that a record is owed for.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from navlog.projections.graph.tables import Row, Table
from navlog.projections.store import Connection


def _table(name: str, columns: str, key: int) -> Table:
    return Table(name, tuple((one.split()[0], one.split()[1]) for one in columns.split(",")), key)


STANDING = _table(
    "standing",
    "project VARCHAR, path VARCHAR, sliced VARCHAR, content VARCHAR, previous VARCHAR, cause VARCHAR,"
    " changed_at VARCHAR, position BIGINT",
    key=2,
)
LOOKED = _table("looked", "project VARCHAR", key=1)
MSUS = _table(
    "msus",
    "msu VARCHAR, project VARCHAR, path VARCHAR, formed_at VARCHAR, position BIGINT, cause VARCHAR,"
    " basis VARCHAR, core_tokens INTEGER, radius_tokens INTEGER, record VARCHAR, vector BLOB",
    key=1,
)
TEXTS = _table("msu_texts", "hash VARCHAR, text VARCHAR", key=1)
TABLES = (STANDING, LOOKED, MSUS, TEXTS)

_VIEWS = """
CREATE VIEW msu_members AS
  SELECT msu, project, part, m->>0 AS path, (m->>1)::INT AS line, (m->>2)::INT AS end_line, m->>3 AS symbol,
    m->>4 AS role, m->>5 AS reason, (m->>6)::INT AS tokens, m->>7 AS hash, (m->>8)::BOOLEAN AS cut
  FROM (SELECT msu, project, part, unnest(list) AS m FROM (
    SELECT msu, project, 'core' AS part, from_json(record->'core', '["JSON"]') AS list FROM msus
    UNION ALL SELECT msu, project, 'radius', from_json(record->'radius', '["JSON"]') FROM msus));
CREATE VIEW msu_changes AS
  SELECT msu, project, path, c->>0 AS symbol, c->>1 AS kind, c->>2 AS how, (c->>3)::INT AS line,
    c->>4 AS before, c->>5 AS after
  FROM (SELECT msu, project, path, unnest(from_json(record->'changes', '["JSON"]')) AS c FROM msus);
"""
_EXPORT = (
    "SELECT 'standing', project, path, sliced, content, previous, cause <> '' FROM standing ORDER BY ALL",
    "SELECT 'looked', project FROM looked ORDER BY ALL",
    (
        "SELECT 'msus', project, path, basis, core_tokens, radius_tokens,"
        " json_merge_patch(record, '{\"msu\": null}') FROM msus ORDER BY ALL"
    ),
    "SELECT 'msu_texts', hash, text FROM msu_texts ORDER BY ALL",
)


def create(db: Connection) -> None:
    """Tables and views in the catalog ``db`` uses."""
    for one in TABLES:
        db.execute(f"CREATE TABLE {one.name}({', '.join(f'{name} {kind}' for name, kind in one.columns)})")
    db.execute(_VIEWS)


def standing(db: Connection, places: Iterable[tuple[str, str]]) -> Iterator[Row]:
    """The rows of these places."""
    pairs = list(places)
    yield from db.execute(
        "SELECT * FROM standing WHERE (project, path) IN (SELECT unnest(?::VARCHAR[]), unnest(?::VARCHAR[]))",
        [[project for project, _ in pairs], [path for _, path in pairs]],
    ).fetchall()


def texts(db: Connection, hashes: Iterable[str]) -> dict[str, str]:
    """The kept texts with these hashes."""
    rows = db.execute(
        "SELECT hash, text FROM msu_texts WHERE hash IN (SELECT unnest(?::VARCHAR[]))", [sorted(hashes)]
    ).fetchall()
    return dict(rows)


def export(db: Connection) -> Iterator[tuple[Any, ...]]:
    """Every fact once, without ids, positions and times."""
    for query in _EXPORT:
        yield from db.execute(query).fetchall()
