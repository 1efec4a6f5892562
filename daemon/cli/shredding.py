"""`shred`: takes back a secret that got in."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from navlog.daemon.cli.frame import Command, absolute, columns, counted, example, home, json_option, say_json
from navlog.schemas.names import shown

if TYPE_CHECKING:
    from navlog.daemon.shredding import ShredReply

SHOWN = 20  # files that are left
NOWHERE = "It is nowhere in navlog's data. Nothing was changed."


@click.command(cls=Command, epilog=example("navlog shred - < secret.txt"))
@click.argument("given", metavar="SECRET", default="-")
@click.option(
    "--backup", "backups", multiple=True, metavar="FOLDER", help="A backup to be rewritten too.",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
)  # fmt: skip
@json_option
def shred(given: str, backups: tuple[Path, ...], *, as_json: bool) -> None:
    """Take a secret out of the logs, quarantine, named backups and everything derived.

    Reads it from standard input, or asks for it without showing it. SECRET on the command line works, too,
    but every process of the machine can see it there. A running daemon is ended and started again.
    """
    from navlog.daemon.redact.shred import Secret  # noqa: PLC0415
    from navlog.daemon.shredding import shred_home  # noqa: PLC0415

    wanted = Secret(_read() if given == "-" else given)
    reply = shred_home(home(), wanted, [absolute(folder) for folder in backups])
    if as_json:
        say_json(reply)
        return
    if not reply.found:
        click.echo("Nothing that navlog keeps up holds it. Nothing was changed." if reply.left else NOWHERE)
        _say_left(reply)
        return
    rows = [
        [folder, counted(taken.records, "event"), counted(len(taken.files), "file")]
        for folder, taken in reply.folders.items()
    ]
    click.echo("\n".join(columns([*rows, *([name, "", "1 file"] for name in reply.others)])))
    click.echo("  What is derived is built again at the next start.")
    _say_left(reply)
    click.echo("  Copies elsewhere and the disk's deleted blocks may still hold it: revoke it as well.")


def _say_left(reply: "ShredReply") -> None:
    for title, paths in (
        ("Files in the data home still hold it; delete them once you need them no more:", reply.left),
        ("Files of your projects still hold it, and are recorded again when they change:", reply.worktrees),
    ):
        if paths:
            click.echo(title)
            click.echo("\n".join(f"  {shown(path)}" for path in paths[:SHOWN]))
        if len(paths) > SHOWN:
            click.echo(f"  and {len(paths) - SHOWN:,} more; --json names them all")


def _read() -> str:
    """The secret without the line's end; not shown, not kept."""
    if sys.stdin.isatty():
        return str(click.prompt("Secret", hide_input=True, err=True))
    data = sys.stdin.buffer.read()
    return data.decode("utf-8", "surrogateescape").rstrip("\r\n")
