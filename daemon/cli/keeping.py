"""`verify`, `salvage`, `backup`, `restore`: the log in safe hands, with a running daemon or without one."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from navlog.daemon.cli.frame import (
    Command,
    absolute,
    columns,
    counted,
    example,
    home,
    human_bytes,
    json_option,
    say_json,
    tilde,
    typed,
)  # fmt: skip
from navlog.daemon.cli.progress import counting
from navlog.daemon.client import ask
from navlog.daemon.home import Home, prepare
from navlog.schemas.errors import DaemonAway, Degraded, UsageError
from navlog.schemas.names import shown

if TYPE_CHECKING:
    from navlog.daemon.journal import Fence
    from navlog.daemon.journal.salvage import SalvagedLog
    from navlog.daemon.journal.verify import Fault, Report, VerifiedLog

FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command(cls=Command, epilog=example("navlog verify --json"))
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False, exists=True))
@json_option
def verify(folder: Path | None, *, as_json: bool) -> None:
    """Prove every line of both logs, and list all that is wrong; exit code 1 when there is damage.

    FOLDER holds another log than the running one's: a backup, a salvaged log, a data home. Changes nothing.
    """
    from navlog.daemon.journal.verify import verify as prove  # noqa: PLC0415

    place = home()
    with _fences(place, folder) as fences, counting("verifying", quiet=as_json) as tell:
        report = prove(_log_in(folder) if folder else place.log, fences=fences, progress=tell)
    if as_json:
        say_json(report)
    else:
        _show_report(report)
    if any(not fault.mended for fault in report.faults):
        click.get_current_context().exit(1)


@click.command(cls=Command, epilog=example("navlog salvage --out ~/salvaged"))
@click.option(
    "--out", required=True, type=FOLDER, metavar="FOLDER", help="Where to; a folder that does not exist yet."
)
@json_option
def salvage(out: Path, *, as_json: bool) -> None:
    """Copy every good record of a damaged log into a new one; exit code 1 when any is lost.

    The damaged log stays as it is. Positions stay, too, so judgements keep their meaning.
    """
    from navlog.daemon.journal.salvage import salvage as rescue  # noqa: PLC0415

    place, out = home(), absolute(out)
    with _fences(place) as fences, counting("salvaging", quiet=as_json) as tell:
        saved = rescue(place.log, out, fences=fences, progress=tell)
    if as_json:
        say_json(saved)
    else:
        click.echo("\n".join([*columns([_saved(log) for log in saved]), *_take_it(place, out)]))
    if any(log.lost for log in saved):
        click.get_current_context().exit(1)


@click.command(cls=Command, epilog=example("navlog backup --out /mnt/usb/navlog-2026-12-01"))
@click.option(
    "--out", required=True, type=FOLDER, metavar="FOLDER", help="Where to; a folder that does not exist yet."
)
@json_option
def backup(out: Path, *, as_json: bool) -> None:
    """Copy both logs up to what is durable now; the daemon goes on."""
    from navlog.daemon.journal.backup import backup as copy  # noqa: PLC0415

    place, out = home(), absolute(out)
    with _fences(place) as fences, counting("copying", quiet=as_json) as tell:
        manifest = copy(place.log, out, fences=fences, progress=tell)
    if as_json:
        say_json(manifest)
        return
    size = human_bytes(sum(file.bytes for file in manifest.files))
    reach = ", ".join(f"{fence.log} up to position {fence.position:,}" for fence in manifest.fences)
    click.echo(f"  copied: {counted(len(manifest.files), 'file')}, {size}; {reach}")
    click.echo(f"  prove it:       {typed()} verify {tilde(out)}")
    click.echo(f"  bring it back:  {typed()} restore {tilde(out)}")


@click.command(cls=Command, epilog=example("navlog restore /mnt/usb/navlog-2026-12-01"))
@click.argument("from_", metavar="FROM", type=click.Path(path_type=Path, file_okay=False, exists=True))
@json_option
def restore(from_: Path, *, as_json: bool) -> None:
    """Prove the backup in FROM and make it the log; the data home must hold none, and no daemon may run.

    What is derived is deleted and comes back at the next start.
    """
    from navlog.daemon.journal import RealStorage  # noqa: PLC0415
    from navlog.daemon.journal.backup import restore as bring_back  # noqa: PLC0415

    place = home()
    prepare(place)
    with closing(RealStorage().lock(place.log)), counting("restoring", quiet=as_json) as tell:
        with _readable("The backup is as it was."):
            manifest = bring_back(absolute(from_), place.log, progress=tell)
        shutil.rmtree(place.derived, ignore_errors=True)
    if as_json:
        say_json(manifest)
        return
    for fence in manifest.fences:
        click.echo(f"  restored: {fence.log} up to position {fence.position:,}")
    click.echo(f"  go on:    {typed()} up")


def _log_in(folder: Path) -> Path:
    """The log's own folder: ``folder``, or the one in a data home; a folder without a log proves nothing."""
    from navlog.daemon.journal.layout import LOGS, segment_numbers  # noqa: PLC0415

    for place in (folder, folder / "log"):
        names = [path.name for path in place.glob("*")]
        if "manifest.json" in names or any(segment_numbers(log, names) for log in LOGS):
            return place
    raise UsageError(f"There is no log in {folder}.", hint="Name a backup, a salvaged log or a data home.")


@contextmanager
def _fences(place: Home, elsewhere: Path | None = None) -> "Iterator[Sequence[Fence]]":
    """How far to look: up to the running daemon's fences; without a daemon the log is held meanwhile."""
    from navlog.daemon.journal import Fence, RealStorage  # noqa: PLC0415

    with _readable():
        if elsewhere or not place.log.is_dir():
            yield ()
            return
        try:
            fences: Sequence[Fence] = ask(place, "fences", tuple[Fence, ...])
        except DaemonAway:
            with closing(RealStorage().lock(place.log)):
                yield ()
        else:
            yield fences


@contextmanager
def _readable(safe: str = "The log was only read.") -> Iterator[None]:
    """A file system that fails is said in our words."""
    try:
        yield
    except OSError as fault:
        raise Degraded(
            f"{fault.filename or 'Reading or writing failed'}: {fault.strerror}.",
            safe=safe,
            hint="Look at the disk and its permissions:  navlog doctor",
        ) from fault


def _show_report(report: "Report") -> None:
    click.echo("\n".join(columns([_log(log, report) for log in report.logs])))
    for fault in report.faults:
        click.secho(f"  {_fault(fault)}", fg="yellow" if fault.mended else "red")
        if fault.mended:
            click.echo("    The next start takes this into quarantine; nothing acknowledged is in it.")
    if any(not fault.mended for fault in report.faults):
        click.echo("  Every intact record still answers; nothing new is written until this is mended.")
        click.echo(f"  Copy out what is good:  {typed()} salvage --out DIR")


def _log(log: "VerifiedLog", report: "Report") -> list[str]:
    wrong = sum(fault.log == log.log for fault in report.faults)
    return [
        log.log,
        counted(log.records, "record"),
        counted(log.segments, "segment"),
        human_bytes(log.bytes),
        f"position {log.position:,}",
        counted(wrong, "fault") if wrong else "ok",
    ]


def _fault(fault: "Fault") -> str:
    where = f"{shown(fault.file)}, byte {fault.offset:,}"
    position = f", position {fault.position:,}" if fault.position else ""
    return f"{where}{position}: {fault.kind}: {shown(fault.why)}"


def _saved(log: "SalvagedLog") -> list[str]:
    lost = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in log.lost)
    return [log.log, counted(log.records, "record"), f"lost: {lost}" if lost else "nothing lost"]


def _take_it(place: Home, out: Path) -> list[str]:
    """What a person types to go on with the salvaged log."""
    log, kept = tilde(place.log), tilde(place.log.with_name("log.damaged"))
    return [
        "  To go on with it (what is derived comes back by itself):",
        f"    {typed()} down",
        f"    mv {log} {kept} && mv {tilde(out)} {log} && rm -r {tilde(place.derived)}",
        f"    {typed()} up",
    ]
