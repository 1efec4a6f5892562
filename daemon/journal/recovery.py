"""Opening a log: the one repair that is ever made by itself, and when it is not.

Looks first and touches nothing; then refuses (the log ends before its high-water mark), goes on read-only,
or takes what is no part of the log into quarantine. Whatever is handed on as durable has been fsynced here.
The rules are those of docs/log-format.md.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from navlog.daemon.journal.anchor import was_closed_at
from navlog.daemon.journal.catalog import Catalog
from navlog.daemon.journal.index import index_sealed
from navlog.daemon.journal.layout import segment_name, segment_numbers
from navlog.daemon.journal.quarantine import keep
from navlog.daemon.journal.storage import Storage
from navlog.daemon.journal.survey import Excess, Survey
from navlog.schemas.errors import LogBehindMark, WriterPoisoned

UNWRITABLE = {errno.EROFS, errno.EACCES, errno.EPERM}


class Recovered(msgspec.Struct, frozen=True, kw_only=True):
    """A log ready to be read. ``mark`` is the anchor's; ``resume``: the newest segment may be appended to."""

    catalog: Catalog
    mark: int
    resume: bool
    read_only: str


def recover(storage: Storage, folder: Path, log: str, mark: int) -> Recovered:
    """Opens ``log``, which was durable up to ``mark`` at least.

    Raises `LogBehindMark` and `StartRefused` (nothing was touched), and `WriterPoisoned` where what was
    read cannot be made durable.
    """
    _settle(storage, folder, log)
    survey = Survey(storage, folder, log)
    catalog, anchor = survey.catalog, survey.anchor
    _refuse_behind(catalog, max(mark, anchor.position if anchor else 0))
    read_only = _read_only(survey)
    repaired = not read_only and _repair(storage, survey.excess)
    if not read_only:
        index_sealed(storage, folder, catalog)
    newest = catalog.segments[-1] if catalog.segments else None
    return Recovered(
        catalog=catalog,
        mark=anchor.position if anchor else 0,
        resume=newest is not None and not repaired and was_closed_at(anchor, newest.number, newest.size),
        read_only=read_only,
    )


def _refuse_behind(catalog: Catalog, mark: int) -> None:
    if catalog.position < mark:
        raise LogBehindMark(
            f"The log {catalog.log} ends at position {catalog.position}, but {mark} was durable once.",
            safe="Nothing was changed; what is left of the log is intact.",
            hint="navlog verify shows what is there; navlog restore brings a backup back. "
            "To go on without the lost events, see docs/recovery.md.",
        )


def _read_only(survey: Survey) -> str:
    """Why nothing may be written behind what is there, or ""."""
    if survey.catalog.damage:
        first = survey.catalog.damage[0]
        return f"damage in {first.segment} at byte {first.offset}: {first.why}"
    if survey.critical:
        position, type_, version = survey.critical[0]
        return f"the critical event {type_} {version} at position {position} is not known here"
    return ""


def _repair(storage: Storage, excess: list[Excess]) -> bool:
    """Takes ``excess`` out; where that fails it stays, and the next segment's header makes it void."""
    try:
        for part in excess:
            _take_out(storage, part)
    except OSError as fault:
        if fault.errno == errno.EIO:
            raise _not_durable(fault) from fault
    return bool(excess)


def _take_out(storage: Storage, part: Excess) -> None:
    if storage.size(part.path) > part.offset:
        keep(storage, part.path, part.offset, part.why)
    if part.offset == 0:
        storage.remove(part.path)
        storage.fsync_dir(part.path.parent)
        return
    file = storage.extend(part.path)
    try:
        file.truncate(part.offset)
        file.fsync()
    finally:
        file.close()


def _settle(storage: Storage, folder: Path, log: str) -> None:
    """A killed writer's last lines may be in the cache alone, and the disk may have refused them.

    Two segments at most can hold such lines: the newest, and the one before where the newest was being made
    when the writer ended. Everything older was durable when the one behind it got its header.
    """
    names = [segment_name(log, number) for number in segment_numbers(log, storage.listdir(folder))]
    for name in names[-2:]:
        with _durable_or_unwritable():
            storage.settle(folder / name)
    if names:
        with _durable_or_unwritable():
            storage.fsync_dir(folder)


@contextmanager
def _durable_or_unwritable() -> Iterator[None]:
    """Where nothing may be written, what is there is answered all the same."""
    try:
        yield
    except OSError as fault:
        if fault.errno not in UNWRITABLE:
            raise _not_durable(fault) from fault


def _not_durable(fault: OSError) -> WriterPoisoned:
    return WriterPoisoned(
        f"The log cannot be made durable: {fault}",
        hint="Look at the disk; navlog verify reads without writing.",
    )
