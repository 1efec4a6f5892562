"""The files of an answer as pieces: the best with their text, the others with what they define there."""

from collections.abc import Mapping, Sequence

from navlog.projections.injecting.block import Found
from navlog.projections.views import FileView
from navlog.schemas.settings import Inject
from navlog.schemas.wire import Item

# What was observed so soon after the very first file belongs to the first look, and is no news.
FIRST_S = 120.0
NEW_S = 86_400.0
REASONS = 1  # of an item's reasons: the first says most, a pointer has to be short


def routed(
    items: Sequence[Item], files: Mapping[str, FileView | None], first: float, limits: Inject
) -> list[Found]:
    """The items that are worth their tokens. ``first``: when the project was first looked at."""
    best = items[0].score if items else 0.0
    worthy = [one for one in items if one.score >= max(limits.worth, limits.worth_of_best * best)]
    return [
        pointed(
            item,
            files.get(item.path),
            whole=_speaks(item) and place < limits.texts and item.score >= limits.text_of_best * best,
            first=first,
        )
        for place, item in enumerate(worthy)
    ]


def pointed(item: Item, file: FileView | None, *, whole: bool = True, first: float = 0.0) -> Found:
    """One item. Its id names the content, so that a changed file is another piece."""
    where = f"{item.path}:{item.line}" if item.line else item.path
    age = f"changed {_ago(item.age_s)} ago" if _is_news(item, file, first) else ""
    state = "" if item.state == "FRESH" else item.state
    reason = "; ".join(item.reason.split("; ")[:REASONS])
    said = "; ".join(part for part in (item.symbol, reason, age, state) if part)
    id_ = f"routing:{item.path}:{item.line}@{file.content[:12] if file else ''}"
    return Found(id_, "routing", where, item.text if whole else defined(item, file), said)


def defined(item: Item, file: FileView | None) -> str:
    """The signature and the first line of the docstring of what the item points at, or ""."""
    name = item.symbol.rpartition(".")[2]
    symbols = [one for one in file.symbols if one.name == name] if file and item.symbol else []
    nearest = min(symbols, key=lambda one: abs(one.line - item.line), default=None)
    if nearest is None:
        return ""
    return "\n".join(part for part in (nearest.signature, nearest.doc) if part)


def first_look(files: Mapping[str, FileView]) -> float:
    """When the first look at a project was over, in seconds since the epoch."""
    return min((file.changed_at for file in files.values()), default=0.0) + FIRST_S


def changed(files: Mapping[str, FileView]) -> list[FileView]:
    """What changed since then, the newest first."""
    first = first_look(files)
    newer = [file for file in files.values() if file.changed_at > first]
    return sorted(newer, key=lambda file: (-file.changed_at, file.path))


def _speaks(item: Item) -> bool:
    """A part with a name of its own; a window of lines is seldom worth its tokens."""
    return bool(item.symbol)


def _is_news(item: Item, file: FileView | None, first: float) -> bool:
    return 0 < item.age_s < NEW_S and file is not None and file.changed_at > first > 0


def _ago(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.0f} h"
