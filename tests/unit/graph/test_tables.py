"""The page on the tables names every column there is."""

import re
from pathlib import Path

import duckdb

from navlog.projections.concepts import tables as concepts
from navlog.projections.graph import tables
from navlog.projections.knowledge import tables as knowledge
from navlog.projections.msu import tables as msu
from navlog.projections.sessions import tables as of_sessions

PAGE = (Path(__file__).parents[3] / "docs" / "tables.md").read_text()


def documented() -> dict[str, list[str]]:
    sections = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
    return {
        section.split("\n", 1)[0]: [
            name
            for cell in re.findall(r"^\| (`[^|]*`) \|", section, re.MULTILINE)
            for name in re.findall(r"`([^`]+)`", cell)
        ]
        for section in sections
        if "| column |" in section
    }


def test_every_table_is_documented_with_its_columns_in_order() -> None:
    db = duckdb.connect(":memory:")
    for room in (tables, of_sessions, msu, knowledge, concepts):
        room.create(db)
    found: dict[str, list[str]] = {}
    for name, column in db.execute(
        "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal ORDER BY column_index"
    ).fetchall():
        found.setdefault(name, []).append(column)
    db.close()
    assert documented() == found
