"""``navlog sql``: one statement that only reads, over the tables and over the log.

DuckDB's own fences do not suffice: what the instance may read it may also write, and a ``WITH x AS (COPY …)``
is one SELECT that passes a read-only transaction. So a query is looked at three times before it runs: as a
list of statements, as a syntax tree (tables by plain names, in their place only the functions of
`TABLE_FUNCTIONS`), and as a plan. The view ``events`` shows durable lines only. Nobody but this and the
journal opens the logs.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

import duckdb
import msgspec

from navlog.daemon.journal.layout import segment_name
from navlog.daemon.journal.shapes import Fence, JournalState
from navlog.projections.store import Connection, Store
from navlog.schemas import settings
from navlog.schemas.control import SqlReply
from navlog.schemas.envelope import Header, unseal_as
from navlog.schemas.errors import Degraded, LogDamaged, TimedOut, UnsafeQuery, UsageError

# What may stand where a table stands. Not here: all that read files or folders, run text as a query, write
# checkpoints or logs.
TABLE_FUNCTIONS = {"unnest", "range", "generate_series", "json_each", "json_tree", "repeat"}
_REFUSED_FUNCTIONS = {"write_log", "query", "query_table", "json_execute_serialized_sql"}
_READING_NODES = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}
_WRITING_OPERATORS = (
    "COPY",
    "INSERT",
    "UPDATE",
    "DELETE",
    "MERGE",
    "CREATE",
    "ATTACH",
    "EXPORT",
    "LOAD",
    "SET",
)
_HINT = "`navlog sql` takes one SELECT over the tables of docs/tables.md and the view events."
_COLUMNS = {
    "position": "BIGINT", "id": "VARCHAR", "at": "VARCHAR", "project": "VARCHAR", "source": "VARCHAR",
    "type": "VARCHAR", "version": "INTEGER", "tags": "VARCHAR[]", "data": "JSON", "occurred_at": "VARCHAR",
    "cause": "VARCHAR", "trace": "VARCHAR",
}  # fmt: skip
_SHOWN = (
    'position, id, "at" AS recorded_at, project, source, type, version, coalesce(tags, []) AS tags, data,'
    " occurred_at, cause, trace"
)


class Durable(Protocol):
    """What the view ``events`` asks of a journal."""

    @property
    def fence(self) -> Fence: ...
    @property
    def state(self) -> JournalState: ...


class Span(NamedTuple):
    """A segment, ``path`` as SQL writes it, and the positions that it has: ``until`` is the first beyond."""

    path: str
    first: int
    until: int


Joined: TypeAlias = Callable[[Sequence[Span]], str]


class Sql:
    """Answers queries; any number of threads may ask."""

    def __init__(self, store: Store, log: Path, journal: Durable, limits: settings.Store) -> None:
        self._store = store
        self._log = log
        self._journal = journal
        self._limits = limits
        self._firsts: dict[int, int] = {}  # segment -> its first position: a header never changes

    def ask(self, query: str) -> SqlReply:
        """The rows of ``query``; raises `UnsafeQuery`, `UsageError`, `TimedOut` or `Degraded`."""
        with _told():
            try:
                return self._answered(query, apart)
            except duckdb.OutOfMemoryException:
                return self._answered(query, in_a_row)

    def _answered(self, query: str, joined: Joined) -> SqlReply:
        cursor = self._store.cursor()
        try:
            with _bounded(cursor, self._limits.sql_s):
                statement = _only_statement(cursor, query)
                check_tree(_tree(cursor, statement))
                cursor.execute(f"CREATE TEMP VIEW events AS {self._events(joined)}")
                cursor.execute("BEGIN TRANSACTION READ ONLY")
                check_plan(_plan(cursor, statement))
                return _reply(cursor.execute(statement), self._limits.sql_rows)
        finally:
            with suppress(duckdb.Error):
                cursor.execute("ROLLBACK")
            cursor.close()

    # --- the view events --------------------------------------------------------------------------------

    def _events(self, joined: Joined) -> str:
        fence = self._journal.fence
        parts = [
            Span(_quoted(self._log / segment_name(fence.log, number)), first, until)
            for number, first, until in self._spans(fence)
        ]
        lost = {damage.position for damage in self._journal.state.damage if damage.position}
        left = f"position NOT IN ({', '.join(map(str, sorted(lost)))})" if lost else "true"
        rows = joined(parts) if parts else _nothing()
        return f"SELECT {_SHOWN} FROM ({rows}) WHERE {left}"  # noqa: S608

    def _spans(self, fence: Fence) -> Iterator[tuple[int, int, int]]:
        """(segment, first position, first beyond). A void end bears positions that came again later."""
        firsts = [self._first(fence.log, number) for number in range(1, fence.segment + 1)]
        for number, (first, until) in enumerate(
            zip(firsts, [*firsts[1:], fence.position + 1], strict=False), 1
        ):
            yield number, first, until

    def _first(self, log: str, number: int) -> int:
        if number not in self._firsts:
            with (self._log / segment_name(log, number)).open("rb") as file:
                self._firsts[number] = unseal_as(Header, file.readline()).first
        return self._firsts[number]


def check_tree(tree: Any) -> None:
    """Raises `UnsafeQuery` unless the syntax tree only reads tables by plain names."""
    for node in _nodes(tree):
        kind = str(node.get("type", ""))
        if kind.endswith("_NODE") and kind not in _READING_NODES:
            raise UnsafeQuery(f"The query does more than read ({_plain(kind)}).", hint=_HINT)
        if kind == "BASE_TABLE":
            _check_name(node)
        if kind == "TABLE_FUNCTION":
            _check_function(node["function"])
        if node.get("class") == "FUNCTION" and _name(node) in _REFUSED_FUNCTIONS:
            raise UnsafeQuery(f"The function {_name(node)} is not offered here.", hint=_HINT)


def check_plan(plan: Any) -> None:
    """Raises `UnsafeQuery` if any operator of the plan writes."""
    for node in _nodes(plan):
        operator = str(node.get("name", "")).upper()
        if any(word in operator.split("_") for word in _WRITING_OPERATORS):
            raise UnsafeQuery(f"The query does more than read ({_plain(operator)}).", hint=_HINT)


def _check_name(node: Mapping[str, Any]) -> None:
    for part in node["qualified_name"]["path"]:
        if part and not part.isidentifier():
            raise UnsafeQuery(f"{part!r} is not the name of a table; files are not read here.", hint=_HINT)


def _check_function(node: Mapping[str, Any]) -> None:
    if _name(node) not in TABLE_FUNCTIONS:
        raise UnsafeQuery(
            f"The function {_name(node)} is not offered in the place of a table.",
            hint=f"Offered are: {', '.join(sorted(TABLE_FUNCTIONS))}.",
        )


def _name(function: Mapping[str, Any]) -> str:
    return str(function.get("function_name", "")).lower()


def _plain(kind: str) -> str:
    return kind.removesuffix("_NODE").replace("_", " ").lower()


def _nodes(tree: Any) -> Iterator[Mapping[str, Any]]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield node
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)


# --- running --------------------------------------------------------------------------------------------


def _only_statement(cursor: Connection, query: str) -> str:
    statements = cursor.extract_statements(query)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        kinds = ", ".join(statement.type.name for statement in statements) or "nothing"
        raise UnsafeQuery(f"Exactly one SELECT is taken; this is {kinds}.", hint=_HINT)
    return statements[0].query


def _tree(cursor: Connection, statement: str) -> Any:
    row = cursor.execute("SELECT json_serialize_sql(?::VARCHAR)", [statement]).fetchone()
    tree = msgspec.json.decode(row[0]) if row else {"error": True}
    if tree["error"]:
        raise UnsafeQuery(f"The query cannot be looked at: {tree.get('error_message')}", hint=_HINT)
    return tree


def _plan(cursor: Connection, statement: str) -> Any:
    # On a line of its own: what is wrong is shown with an arrow below the person's own words.
    return [
        msgspec.json.decode(text)
        for _, text in cursor.execute(f"EXPLAIN (FORMAT JSON)\n{statement}").fetchall()
    ]


def _reply(cursor: Connection, limit: int) -> SqlReply:
    shape = cursor.description or []
    rows = cursor.fetchmany(limit + 1)
    json = [str(column[1]) == "JSON" for column in shape]
    return SqlReply(
        columns=[column[0] for column in shape],
        rows=[
            [jsonable(value, json=one) for value, one in zip(row, json, strict=True)] for row in rows[:limit]
        ],
        truncated=len(rows) > limit,
    )


def jsonable(value: Any, *, json: bool = False) -> Any:
    """A value of DuckDB's as JSON can carry it: what it has no word for stands as text, NaN as null."""
    if json and isinstance(value, str):
        return msgspec.json.decode(value)
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < 1 << 63 else str(value)
    if isinstance(value, float):
        return value if abs(value) < float("inf") else None
    if isinstance(value, dict):
        return {str(key): jsonable(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(one) for one in value]
    return value.hex() if isinstance(value, bytes) else str(value)


@contextmanager
def _bounded(cursor: Connection, seconds: float) -> Iterator[None]:
    timer = threading.Timer(seconds, cursor.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    except duckdb.InterruptException:
        raise TimedOut(f"The query took longer than {seconds} s.", hint="See [store] sql_s.") from None
    finally:
        timer.cancel()


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except duckdb.InterruptException:
        raise
    except duckdb.OutOfMemoryException:
        raise Degraded(
            "The query needs more memory than it may take.",
            hint="Name the columns you need (`data` is large) or some positions; or raise [store] memory_mb.",
        ) from None
    except duckdb.Error as fault:
        raise UsageError(str(fault), hint=_HINT) from fault
    except LogDamaged as fault:
        raise Degraded(f"The log cannot be shown: {fault.message}", hint="Run `navlog verify`.") from fault


def apart(spans: Sequence[Span]) -> str:
    """A query a segment: DuckDB passes over those that a condition on positions leaves out.

    Every one of them takes its own buffer of 32 MiB, before the first row is asked for.
    """
    return " UNION ALL ".join(
        f"SELECT * FROM {_lines(span.path)} WHERE {_within(span)}"  # noqa: S608 - our own paths
        for span in spans
    )


def in_a_row(spans: Sequence[Span]) -> str:
    """All segments in one query: each is read to its end, with the buffer of the one before."""
    files = f"[{', '.join(span.path for span in spans)}]"
    within = " OR ".join(f"(segment = {span.path} AND {_within(span)})" for span in spans)
    rows = _lines(files, ", filename = 'segment'")
    return f"SELECT * FROM {rows} WHERE {within}"  # noqa: S608


def _within(span: Span) -> str:
    return f"position >= {span.first} AND position < {span.until}"


def _lines(files: str, more: str = "") -> str:
    """Segments as rows; a line that is no JSON is left out, and one that is no event has no position."""
    columns = ", ".join(f"\"{name}\": '{kind}'" for name, kind in _COLUMNS.items())
    return (
        f"read_json({files}, format = 'newline_delimited', columns = {{{columns}}},"
        f" ignore_errors = true, records = true{more})"
    )


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def _nothing() -> str:
    columns = ", ".join(f'NULL::{kind} AS "{name}"' for name, kind in _COLUMNS.items())
    return f"SELECT {columns} WHERE false"
