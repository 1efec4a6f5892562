"""A payload of each type, every field filled, made from the struct alone; the logs of replay-fixtures/."""

import types
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from navlog.daemon.journal.memory import MemoryStorage
from navlog.schemas.envelope import FORMAT, GENESIS, Draft, Header, draft, seal, seal_of
from navlog.schemas.events import EVENTS
from navlog.schemas.overlays import OVERLAYS
from support.journal import AT, disk

PLAIN: dict[Any, Any] = {bool: True, int: 7, float: 0.5, str: "缓存 ✓"}


def samples(log: str) -> list[Draft]:
    """Every event, or every overlay."""
    shapes: dict[str, Any] = dict(EVENTS if log == "events" else OVERLAYS)
    return [
        draft(
            example(shape),
            project="project-1",
            source="fixture",
            id=f"fixture:{name}",
            tags=(f"type:{name}", "标签"),
            occurred_at=AT,
            cause="fixture:cause",
            trace="trace-1",
        )
        for name, shape in shapes.items()
    ]


def example(shape: Any) -> Any:
    """A value of the type, with nothing left at its default."""
    origin, arguments = get_origin(shape), get_args(shape)
    if shape in PLAIN:
        return PLAIN[shape]
    if origin is Literal:
        return arguments[-1]
    if origin in (Union, types.UnionType):
        return example(next(argument for argument in arguments if argument is not type(None)))
    if origin is dict:
        return {"1": example(arguments[1])}
    if origin in (list, tuple):
        inner = [example(argument) for argument in arguments if argument is not ...]
        return inner if origin is list else tuple(inner)
    hints = get_type_hints(shape)
    return shape(**{field: example(hints[field]) for field in shape.__struct_fields__})


def sealed(lines: list[dict[str, Any]], log: str = "events") -> bytes:
    """A segment with these lines, whatever they say: position, time and seals are added."""
    header = Header(segment=1, log=log, format=FORMAT, first=1, at=AT, previous_bytes=0, prev=GENESIS)
    made = [seal(header)]
    for position, line in enumerate(lines, 1):
        full = {"position": position} | line | {"prev": seal_of(made[-1])}
        body = msgspec.json.encode(full)[:-1]
        made.append(body + b',"h":"' + blake2b(body, digest_size=8).hexdigest().encode() + b'"}\n')
    return b"".join(made)


def row(draft: Draft) -> dict[str, Any]:
    """The line that a draft becomes, but for position and seals."""
    fields = msgspec.structs.asdict(draft) | {"data": msgspec.Raw(draft.data)}
    del fields["critical"]
    order = (
        "id",
        "at",
        "project",
        "source",
        "type",
        "version",
        "tags",
        "data",
        "occurred_at",
        "cause",
        "trace",
    )
    return {name: (fields | {"at": AT})[name] for name in order}


def line(type_: str, **fields: Any) -> dict[str, Any]:
    """What the lines of a fixture have in common."""
    given = {"id": f"fixture:{type_}", "at": AT, "project": "project-1", "source": "fixture", "type": type_}
    return given | {"version": 1, "data": {}} | fields


def from_the_future() -> list[dict[str, Any]]:
    """Lines that a much later release may write."""
    return [
        line("dream_recorded", data={"deep": [{"er": 1}]}, tags=["mood:blue"]),
        line("file_observed", version=99, data={"path": 7}),
        line("file_removed", id="fixture:novel", data={"path": "a", "novel": True}, novel={"field": 1}),
        line("file_removed", id="fixture:last", data={"path": "b"}),
    ]


def loaded(folder: Path) -> MemoryStorage:
    """A fixture's log in a storage of its own."""
    return disk({path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".md"})
