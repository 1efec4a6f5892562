"""Rows of a projection's tables, in and out in bulk. Knows no table by name."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from navlog.projections.store import Connection

Row = tuple[Any, ...]


class Table(NamedTuple):
    """``columns`` are (name, DuckDB type); the first ``key`` of them name what is replaced together."""

    name: str
    columns: tuple[tuple[str, str], ...]
    key: int

    @property
    def names(self) -> str:
        """The columns, comma-separated."""
        return ", ".join(name for name, _ in self.columns)


def table(name: str, columns: str, key: int) -> Table:
    """A table from its columns as SQL writes them."""
    pairs = (column.split() for column in columns.split(","))
    return Table(name, tuple((one, kind) for one, kind in pairs), key)


def delete(db: Connection, table: Table, keys: Sequence[Row], *, key: int | None = None) -> None:
    """Deletes the rows whose first ``key`` columns (the table's own key by default) are among ``keys``."""
    if keys:
        columns = table.columns[: key or table.key]
        names = ", ".join(name for name, _ in columns)
        which = f"({names}) IN ({_unnest(columns)})"
        db.execute(f"DELETE FROM {table.name} WHERE {which}", _columns(keys))  # noqa: S608 - names of our own


def insert(db: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Appends ``rows``; one list per column costs a hundredth of a statement per row."""
    if rows:
        db.execute(f"INSERT INTO {table.name} {_unnest(table.columns)}", _columns(rows))


def rows(db: Connection, query: str, size: int = 1000) -> Iterator[Row]:
    """The rows of ``query`` without holding them all."""
    cursor = db.execute(query)
    while block := cursor.fetchmany(size):
        yield from block


def _unnest(columns: Sequence[tuple[str, str]]) -> str:
    return "SELECT " + ", ".join(f"unnest(?::{kind}[])" for _, kind in columns)


def _columns(rows: Iterable[Row]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]
