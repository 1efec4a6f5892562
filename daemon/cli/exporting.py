"""`export`: what changed, as Parquet files for a warehouse."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from navlog.daemon.cli.frame import (
    Command,
    absolute,
    columns,
    counted,
    example,
    home,
    json_option,
    say_json,
    tilde,
)
from navlog.daemon.cli.progress import progress
from navlog.daemon.client import ask
from navlog.schemas.errors import Degraded, UsageError
from navlog.schemas.exports import ExportArgs, ExportReply

STATE = "navlog-export.json"  # in DIR: how far it has been exported
_NAME = re.compile(r"msu(?:s|_changes|_members)-(\d+)-(\d+)\.parquet")


class State(msgspec.Struct, frozen=True):
    """The event position that the files in the folder reach."""

    position: int


@click.command(cls=Command, epilog=example("navlog export --parquet ~/warehouse/navlog"))
@click.option(
    "--parquet", "folder", required=True, metavar="DIR", type=click.Path(path_type=Path, file_okay=False),
    help="Where to; made if it is not there.",
)  # fmt: skip
@click.option(
    "--since",
    type=click.IntRange(0),
    metavar="POSITION",
    help="After this position; default: where DIR ends.",
)
@json_option
def export(folder: Path, *, since: int | None, as_json: bool) -> None:
    """Write the records of what changed, with their texts, to Parquet files in DIR.

    Repeated, it adds what is new: the names of the files say from which position to which. With --since it
    puts what comes after that position in the place of the files that begin there or later.
    """
    out = absolute(folder)
    try:
        out.mkdir(parents=True, exist_ok=True)
        begin = _reached(out / STATE) if since is None else since
        _check(out, begin)
    except OSError as fault:
        raise Degraded(f"{out} cannot be written: {fault.strerror}.", hint="Name another folder.") from fault
    with progress(quiet=as_json) as tell:
        args = ExportArgs(since=begin)
        reply = ask(home(), "export", ExportReply, args, silence_s=None, on_progress=tell)
    taken = _take(reply, out)
    if as_json:
        say_json(taken)
        return
    rows = [[one.name, counted(one.rows, "row"), one.file] for one in taken.tables]
    click.echo("\n".join(columns(rows) or ["  nothing new"]))
    click.echo(f"  in {tilde(out)}, positions {taken.since:,} to {taken.position:,}")


def _reached(state: Path) -> int:
    if not state.exists():
        return 0
    try:
        return msgspec.json.decode(state.read_bytes(), type=State).position
    except msgspec.DecodeError as fault:
        raise UsageError(f"{state} cannot be read: {fault}", hint="Name the position:  --since 0") from fault


def _take(reply: ExportReply, out: Path) -> ExportReply:
    """Moves the files out of the data home, in the place of those that begin where they begin or later.

    Empty ones are left out. While it lasts the state says where they begin: whatever ends it, the next export
    begins there and takes their place.
    """
    tables = [table for table in reply.tables if table.rows]
    try:
        _reach(out, reply.since)
        for table in tables:
            part = out / f".{table.file}.part"
            shutil.copyfile(Path(reply.folder) / table.file, part)
            _sync(part)
            part.replace(out / table.file)
        kept = {table.file for table in tables}
        for file, begin, _ in _held(out):
            if begin >= reply.since and file.name not in kept:
                file.unlink()
        _reach(out, reply.position)
    except OSError as fault:
        raise Degraded(f"{out} cannot be written: {fault.strerror}.", hint="Make room, repeat.") from fault
    shutil.rmtree(reply.folder, ignore_errors=True)
    return msgspec.structs.replace(reply, folder=str(out), tables=tables)


def _check(out: Path, since: int) -> None:
    """Raises `UsageError` where ``since`` lies within a file: its records would be there twice."""
    for file, begin, end in _held(out):
        if begin < since < end:
            raise UsageError(
                f"{file} has the positions {begin:,} to {end:,} already.",
                hint=f"Leave --since out, or begin where it begins:  --since {begin}",
            )


def _held(out: Path) -> Iterator[tuple[Path, int, int]]:
    """The files of earlier exports, with the positions that they span."""
    for file in sorted(out.iterdir()):
        if named := _NAME.fullmatch(file.name):
            yield file, int(named[1]), int(named[2])


def _reach(out: Path, position: int) -> None:
    part = out / f".{STATE}.part"
    part.write_bytes(msgspec.json.encode(State(position)) + b"\n")
    _sync(part)
    part.replace(out / STATE)


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
