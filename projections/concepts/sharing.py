"""Judgements as lines of a file that a team keeps under version control, and back.

A line's id is made of what it says, who said it and when, never of a place in a log: two people who import
each other's lines have each of them once. A withdrawal names the line it takes back. Pure.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

import msgspec

from navlog.projections.concepts.judgements import Judgement
from navlog.schemas.errors import UsageError
from navlog.schemas.meaning import SharedJudgement
from navlog.schemas.overlays import OVERLAYS, Overlay, OverlayWithdrawn

OWN = ("after_event", "who", "why")  # of an overlay: not part of its ``data`` here


def shared_id(type_: str, at: str, who: str, why: str, data: Mapping[str, Any], withdraws: str = "") -> str:
    """16 hex digits for the content."""
    said = msgspec.json.encode([type_, at, who, why, dict(data), withdraws], order="sorted")
    return blake2b(said, digest_size=8).hexdigest()


def shared(overlay: Overlay, at: str, withdraws: str = "") -> SharedJudgement:
    """The overlay as a line; ``withdraws``: for a withdrawal, the id of the line it takes back."""
    data = {name: value for name, value in msgspec.to_builtins(overlay).items() if name not in OWN}
    data.pop("position", None)
    id_ = shared_id(overlay.TYPE, at, overlay.who, overlay.why, data, withdraws)
    return SharedJudgement(
        id=id_, at=at, type=overlay.TYPE, who=overlay.who, why=overlay.why, data=data, withdraws=withdraws
    )


def export(judgements: Iterable[Judgement]) -> list[SharedJudgement]:
    """Every judgement and withdrawal of a project, in the order they were made in."""
    known = sorted(judgements, key=lambda one: (one.at, one.position))
    ids: dict[int, str] = {}
    lines = []
    for one in known:
        overlay = one.overlay
        withdraws = ids.get(overlay.position, "") if isinstance(overlay, OverlayWithdrawn) else ""
        if isinstance(overlay, OverlayWithdrawn) and not withdraws:
            continue
        line = shared(overlay, one.at, withdraws)
        ids[one.position] = line.id
        lines.append(line)
    return sorted(lines, key=lambda line: (line.at, line.id))


def read(lines: Sequence[SharedJudgement], after: int) -> list[tuple[SharedJudgement, type[Overlay]]]:
    """Checks every line; raises `UsageError` naming the first that cannot be meant like this."""
    return [_checked(number, line, after) for number, line in enumerate(lines, 1)]


def overlay_of(line: SharedJudgement, after: int, positions: Mapping[str, int]) -> Overlay:
    """The overlay of a checked line, made here after the event ``after``; ``positions`` by the lines' ids."""
    said = dict(line.data) | {"after_event": after, "who": line.who, "why": line.why}
    if line.withdraws:
        said["position"] = positions[line.withdraws]
    return msgspec.convert(said, OVERLAYS[line.type])


def _checked(number: int, line: SharedJudgement, after: int) -> tuple[SharedJudgement, type[Overlay]]:
    shape = OVERLAYS.get(line.type)
    if shape is None:
        raise _refused(number, f"there is no judgement of the type {line.type!r}")
    if line.id != shared_id(line.type, line.at, line.who, line.why, line.data, line.withdraws):
        raise _refused(number, "its id is not that of its content: it was changed by hand")
    if (shape is OverlayWithdrawn) != bool(line.withdraws):
        raise _refused(number, "a withdrawal names the line it takes back, and nothing else does")
    try:
        overlay_of(line, after, {line.withdraws: 0})
    except msgspec.ValidationError as fault:
        raise _refused(number, str(fault)) from None
    return line, shape


def _refused(number: int, why: str) -> UsageError:
    return UsageError(
        f"Line {number} cannot be imported: {why}.", hint="Export again, or remove the line from the file."
    )
