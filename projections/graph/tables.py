"""The graph's tables: their columns (`navlog.projections.rows` writes and reads them).

docs/tables.md describes every column. Rows are replaced by key; keys are not declared to DuckDB, which would
keep an index per table in memory and slow every write: the fold guarantees them, and a test looks.
"""

from collections.abc import Iterator

from navlog.projections.rows import Row, Table, delete, insert, rows
from navlog.projections.rows import table as _table
from navlog.projections.store import Connection

__all__ = ["Row", "Table", "create", "delete", "export", "insert", "rows"]

PROJECTS = _table(
    "projects",
    "project VARCHAR, root VARCHAR, name VARCHAR, kind VARCHAR, common_dir VARCHAR, head VARCHAR,"
    " branch VARCHAR",
    key=1,
)
FILES = _table(
    "files",
    "project VARCHAR, path VARCHAR, content VARCHAR, size BIGINT, mtime_ns BIGINT, executable BOOLEAN,"
    " changed_at VARCHAR",
    key=2,
)
SKIPPED = _table(
    "skipped", "project VARCHAR, path VARCHAR, reason VARCHAR, detail VARCHAR, size BIGINT", key=2
)
CONTENTS = _table(
    "contents",
    "content VARCHAR, extractor VARCHAR, language VARCHAR, grammar VARCHAR, encoding VARCHAR,"
    " partial VARCHAR,"
    " errors INTEGER, size BIGINT, lines INTEGER, doc VARCHAR, clean VARCHAR, symbols VARCHAR, refs VARCHAR,"
    " imports VARCHAR, links VARCHAR, chunks VARCHAR, words VARCHAR",
    key=1,
)
LISTS = ("symbols", "refs", "imports", "links", "chunks", "words")
IMPORTS = _table(
    "imports",
    "project VARCHAR, path VARCHAR, line INTEGER, form VARCHAR, module VARCHAR, names VARCHAR,"
    " target VARCHAR",
    key=2,
)
LINKS = _table(
    "links",
    "project VARCHAR, path VARCHAR, line INTEGER, kind VARCHAR, written VARCHAR, target VARCHAR",
    key=2,
)
TESTS = _table("tests", "project VARCHAR, path VARCHAR, target VARCHAR, reason VARCHAR", key=2)
COMMITS = _table(
    "commits",
    "project VARCHAR, commit VARCHAR, parents VARCHAR, committed_at VARCHAR, author VARCHAR, subject VARCHAR,"
    " body VARCHAR, file_count INTEGER",
    key=2,
)
COMMIT_FILES = _table(
    "commit_files",
    "project VARCHAR, commit VARCHAR, path VARCHAR, status VARCHAR, previous VARCHAR",
    key=2,
)
BRANCHES = _table("branches", "project VARCHAR, ref VARCHAR, worktree VARCHAR, commit VARCHAR", key=3)

UNREAD = _table("unread", "type VARCHAR, version INTEGER, count BIGINT", key=2)

TABLES = (PROJECTS, FILES, SKIPPED, CONTENTS, IMPORTS, LINKS, TESTS, COMMITS, COMMIT_FILES, BRANCHES, UNREAD)
OF_PROJECT = tuple(table for table in TABLES if table.columns[0][0] == "project")

_HERE = "files JOIN contents USING (content)"
_VIEWS = f"""
CREATE VIEW outlines AS
  SELECT project, path, language, lines, c.size, doc, grammar, extractor, encoding, partial, errors, content
  FROM files JOIN contents c USING (content);
CREATE VIEW symbols AS
  SELECT project, path, symbol, s->>0 AS name, s->>1 AS kind, (s->>2)::INT AS line, (s->>3)::INT AS end_line,
    coalesce((s->>4)::INT, -1) AS parent, coalesce(s->>5, '') AS signature, coalesce(s->>6, '') AS doc,
    coalesce((s->>7)::BOOLEAN, false) AS deprecated
  FROM (SELECT project, path, unnest(list) AS s, generate_subscripts(list, 1) - 1 AS symbol
    FROM (SELECT project, path, from_json(symbols, '["JSON"]') AS list FROM {_HERE}));
CREATE VIEW usages AS
  SELECT project, path, r->>0 AS name, r->>1 AS kind, from_json(r->2, '["INTEGER"]') AS lines,
    coalesce(r->>3, '') AS receiver
  FROM (SELECT project, path, unnest(from_json(refs, '["JSON"]')) AS r FROM {_HERE});
CREATE VIEW chunks AS
  SELECT project, path, (k->>0)::INT AS line, (k->>1)::INT AS end_line, (k->>2)::INT AS tokens,
    coalesce((k->>3)::INT, -1) AS symbol, coalesce((k->>4)::INT, -1) AS fold
  FROM (SELECT project, path, unnest(from_json(chunks, '["JSON"]')) AS k FROM {_HERE});
CREATE VIEW words AS
  SELECT project, path, unnest(string_split(terms, ' ')) AS word, count
  FROM (SELECT project, path, unnest(map_keys(groups))::INT AS count, unnest(map_values(groups)) AS terms
    FROM (SELECT project, path, words::JSON::MAP(VARCHAR, VARCHAR) AS groups FROM {_HERE}));
"""  # noqa: S608 - names of our own

_LIVE = "content IN (SELECT content FROM files)"
_EXPORT = {
    FILES.name: "SELECT project, path, content, size, mtime_ns, executable FROM files ORDER BY ALL",
    CONTENTS.name: f"SELECT * FROM contents WHERE {_LIVE} ORDER BY content",  # noqa: S608 - names of our own
} | {
    table.name: f"SELECT * FROM {table.name} ORDER BY ALL"  # noqa: S608
    for table in TABLES
    if table not in (FILES, CONTENTS)
}


def create(db: Connection) -> None:
    """Tables and views in the catalog ``db`` uses."""
    for table in TABLES:
        db.execute(f"CREATE TABLE {table.name}({', '.join(_column(*column) for column in table.columns)})")
    # One row of all that was ever outlined: without it, every look at a single content reads them all.
    db.execute("CREATE INDEX contents_by_content ON contents(content)")
    db.execute("CREATE TABLE image(sum VARCHAR)")
    db.execute(_VIEWS)


def _column(name: str, kind: str) -> str:
    # Left alone, DuckDB compresses texts of this length not at all.
    return f"{name} {kind}" + (" USING COMPRESSION zstd" if name in LISTS else "")


def export(db: Connection) -> Iterator[Row]:
    """Every fact once, ordered by its own columns: no times of events, no contents that nobody has now."""
    for name, query in _EXPORT.items():
        for row in rows(db, query):
            yield (name, *row)
