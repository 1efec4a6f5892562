"""The exported JSON Schemas are those of the structs."""

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
