"""What changed between what the log knows and what a look found. Pure: no files, no clock."""

from collections.abc import Iterable, Mapping

import msgspec

from navlog.schemas.events import Event, FileMoved, FileObserved, FileRemoved, FileSkipped

# A file changed within this time before it was looked at may change again without its mtime moving
# (reliability.md, listening): look at its content again.
RACY_NS = 2_000_000_000


class Known(msgspec.Struct, frozen=True):
    """What the log last said of a path, and what the file system said when it was looked at."""

    content: str
    size: int
    mtime_ns: int
    executable: bool = False
    looked_ns: int = 0


class Look(msgspec.Struct, frozen=True):
    """What a look at a path found: a content, a reason not to read it, or (both empty) nothing."""

    path: str
    known: Known | None = None
    skipped: FileSkipped | None = None


def worth_reading(known: Known | None, size: int, mtime_ns: int, executable: bool) -> bool:
    """Whether a file with this stat has to be read again."""
    if known is None or (known.size, known.mtime_ns, known.executable) != (size, mtime_ns, executable):
        return True
    return known.mtime_ns >= known.looked_ns - RACY_NS


def facts(
    before: Mapping[str, Known | FileSkipped], looks: Iterable[Look], moved: Iterable[tuple[str, str]] = ()
) -> list[Event]:
    """The events that lead from ``before`` to what the looks found, none where nothing changed.

    ``moved`` are (previous, path) pairs the kernel named: believed where the old path is gone and the new one
    was not known, whatever was edited since. Without a name, a path that vanished and one that appeared with
    the same content are the same file if there is exactly one of each.
    """
    found = {look.path: look for look in looks}
    moves = _believed(before, found, list(moved))
    events: list[Event] = [FileMoved(previous=old, path=new) for new, old in sorted(moves.items())]
    gone_along = set(moves.values())
    for path, look in sorted(found.items()):
        old = before.get(moves.get(path, path))
        if path not in gone_along:
            events.extend(_change(path, old, look))
    return events


def _change(path: str, old: Known | FileSkipped | None, look: Look) -> list[Event]:
    if look.skipped is not None:
        return [] if old == look.skipped else [look.skipped]
    if look.known is None:
        return [] if old is None else [FileRemoved(path=path)]
    new = look.known
    if isinstance(old, Known) and (old.content, old.executable) == (new.content, new.executable):
        return []
    return [
        FileObserved(
            path=path, content=new.content, size=new.size, mtime_ns=new.mtime_ns, executable=new.executable
        )
    ]


def _believed(
    before: Mapping[str, Known | FileSkipped], found: Mapping[str, Look], named: list[tuple[str, str]]
) -> dict[str, str]:
    """New path -> previous path, each previous path once."""
    vanished = {
        path: old.content
        for path, look in found.items()
        if isinstance(old := before.get(path), Known) and look.known is None and look.skipped is None
    }
    appeared = {
        path: look.known.content
        for path, look in found.items()
        if path not in before and look.known is not None and look.known.size
    }
    moves: dict[str, str] = {}
    for previous, path in named:
        if previous in vanished and path in appeared:
            del vanished[previous], appeared[path]
            moves[path] = previous
    olds, news = _by_content(vanished), _by_content(appeared)
    moves.update({news[c][0]: olds[c][0] for c in news if len(news[c]) == len(olds.get(c, ())) == 1})
    return moves


def _by_content(paths: Mapping[str, str]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = {}
    for path, content in paths.items():
        grouped.setdefault(content, []).append(path)
    return grouped
