"""The exported JSON Schemas are those of the structs."""

import re
from pathlib import Path

import msgspec

from navlog.schemas.events import EVENTS
from navlog.schemas.exporting import documents
from navlog.schemas.overlays import OVERLAYS

FOLDER = Path(__file__).parents[2] / "schemas" / "json"


def test_the_schemas_are_fresh() -> None:
    found = {path.name: path.read_bytes() for path in FOLDER.glob("*.json")}
    assert found == documents(), "run: make schemas"


def test_every_payload_and_every_line_has_one() -> None:
    assert len(documents()) == len(EVENTS) + len(OVERLAYS) + 3


def test_references_lead_somewhere() -> None:
    for name, document in documents().items():
        defined = msgspec.json.decode(document).get("$defs", {})
        for reference in document.split(b'"#/$defs/')[1:]:
            assert reference.partition(b'"')[0].decode() in defined, name


def test_a_bound_that_is_a_whole_number_is_written_as_one() -> None:
    """To typing's cache 0 and 0.0 are the same: the schema would show what was imported first."""
    for source in FOLDER.parent.glob("*.py"):
        assert not re.search(r"Meta\([^)]*=\s*-?\d+\.0\b", source.read_text()), source.name
