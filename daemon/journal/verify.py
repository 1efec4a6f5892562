"""Proves every line of both logs, and lists all that is wrong in one run. Opens nothing for writing.

Looks exactly as a start does (`navlog.daemon.journal.survey`), so what it calls torn is what a start would
cut, and what it calls damage is what a start would go read-only for.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from navlog.daemon.journal.catalog import Catalog
from navlog.daemon.journal.fenced import Fenced
from navlog.daemon.journal.layout import LOGS, segment_name, segment_numbers
from navlog.daemon.journal.quarantine import repairs
from navlog.daemon.journal.shapes import Fence, Kind, Repair
from navlog.daemon.journal.storage import RealStorage, Storage
from navlog.daemon.journal.survey import Excess, Survey

Progress = Callable[[int, int], None]  # (bytes done, bytes in all)


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One place where a log is not what it should be.

    ``file`` is relative to the log's folder. ``position`` is that of the record that stands or should stand
    there, 0 where nobody can say. ``mended``: the next start takes these bytes into quarantine by itself,
    and loses nothing that was acknowledged.
    """

    log: str
    file: str
    offset: int
    position: int
    kind: Kind | Literal["torn", "void", "behind"]
    why: str
    mended: bool = False


class VerifiedLog(msgspec.Struct, frozen=True, kw_only=True):
    """What was proven of one log. ``mark`` is the anchor's position, 0 without one."""

    log: str
    segments: int
    records: int
    bytes: int
    position: int
    mark: int
    kept: tuple[Repair, ...]


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """``ok``: no fault at all. Faults stand in the order of the logs, at most 1,000 of a segment's lines."""

    ok: bool
    logs: tuple[VerifiedLog, ...]
    faults: tuple[Fault, ...]


def verify(
    folder: Path,
    *,
    storage: Storage | None = None,
    fences: Sequence[Fence] = (),
    progress: Progress = lambda _done, _all: None,
) -> Report:
    """Everything about the logs in ``folder``.

    While a daemon writes there, give the ``fences`` of its journals: what lies beyond is not looked at.
    Raises OSError where a file cannot be read, and `StartRefused` for a newer format.
    """
    storage = storage or RealStorage()
    seen = Fenced(storage, folder, fences)
    counted = _Counter(progress, _bytes(seen, folder))
    surveys = [Survey(seen, folder, log, thorough=counted.add) for log in LOGS]
    faults = [fault for survey in surveys for fault in _faults(survey)]
    return Report(
        ok=not faults,
        logs=tuple(_verified(survey, repairs(storage, folder, survey.catalog.log)) for survey in surveys),
        faults=tuple(faults),
    )


class _Counter:
    """Adds up bytes for a progress bar."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0

    def add(self, count: int) -> None:
        self._done += count
        self._progress(self._done, self._total)


def _bytes(seen: Fenced, folder: Path) -> int:
    names = seen.listdir(folder)
    return sum(
        seen.size(folder / segment_name(log, number))
        for log in LOGS
        for number in segment_numbers(log, names)
    )


def _verified(survey: Survey, kept: tuple[Repair, ...]) -> VerifiedLog:
    catalog = survey.catalog
    return VerifiedLog(
        log=catalog.log,
        segments=len(catalog.segments),
        records=survey.records,
        bytes=sum(segment.size for segment in catalog.segments),
        position=catalog.position,
        mark=survey.anchor.position if survey.anchor else 0,
        kept=kept,
    )


def _faults(survey: Survey) -> list[Fault]:
    catalog, mark = survey.catalog, survey.anchor.position if survey.anchor else 0
    faults = [
        Fault(log=catalog.log, file=d.segment, offset=d.offset, position=d.position, kind=d.kind, why=d.why)
        for d in catalog.damage
    ]
    mended = catalog.position >= mark and not faults
    faults += [_excess(catalog, part, mended=mended) for part in survey.excess]
    if catalog.position < mark:
        faults.append(_behind(survey, mark))
    return sorted(faults, key=lambda fault: (fault.file, fault.offset))


def _excess(catalog: Catalog, part: Excess, *, mended: bool) -> Fault:
    return Fault(
        log=catalog.log,
        file=part.path.name,
        offset=part.offset,
        position=catalog.position + 1 if part.why == "torn" else 0,
        kind=part.why,
        why=_WHY[part.why],
        mended=mended,
    )


def _behind(survey: Survey, mark: int) -> Fault:
    newest = survey.catalog.segments[-1] if survey.catalog.segments else None
    return Fault(
        log=survey.catalog.log,
        file=segment_name(survey.catalog.log, newest.number if newest else 1),
        offset=newest.size if newest else 0,
        position=survey.catalog.position + 1,
        kind="behind",
        why=f"the log ends at {survey.catalog.position}, but {mark} was durable once",
    )


_WHY = {
    "torn": "the last write was interrupted",
    "void": "bytes beyond what the next segment's header calls valid",
    "header": "the making of this segment was interrupted",
    "anchor": "the anchor is damaged",
}
