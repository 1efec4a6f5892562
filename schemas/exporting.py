"""The JSON Schema of every line and payload, for programs in other languages.

Text only: `make schemas` writes it to schemas/json/, and a test compares.
"""

from typing import Any

import msgspec

from navlog.schemas.envelope import Anchor, Header, Record
from navlog.schemas.events import EVENTS
from navlog.schemas.overlays import OVERLAYS

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def documents() -> dict[str, bytes]:
    """File name -> schema. A record's ``data`` is described by the payload of its type."""
    lines: dict[str, Any] = {"record": Record, "header": Header, "anchor": Anchor}
    payloads: dict[str, Any] = {f"event.{name}": shape for name, shape in EVENTS.items()}
    payloads |= {f"overlay.{name}": shape for name, shape in OVERLAYS.items()}
    return {f"{name}.json": _document(name, shape) for name, shape in (lines | payloads).items()}


def _document(name: str, shape: Any) -> bytes:
    (found,), components = msgspec.json.schema_components([shape], ref_template="#/$defs/{name}")
    named = found.pop("$ref").rpartition("/")[2]
    document = {"$schema": DIALECT, "title": name} | components.pop(named) | {"title": name}
    if components:
        document["$defs"] = components
    return msgspec.json.format(msgspec.json.encode(document)) + b"\n"
