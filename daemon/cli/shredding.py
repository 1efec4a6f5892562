"""`shred`: takes back a secret that got in."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from navlog.daemon.cli.frame import Command, absolute, columns, counted, example, home, json_option, say_json
from navlog.schemas.names import shown

SHOWN = 20  # files of worktrees


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
        click.echo("It is nowhere in navlog's data. Nothing was changed.")
        _say_worktrees(reply.worktrees)
        return
    rows = [
        [folder, counted(taken.records, "event"), counted(len(taken.files), "file")]
        for folder, taken in reply.folders.items()
    ]
    click.echo("\n".join(columns([*rows, *([name, "", "1 file"] for name in reply.others)])))
    click.echo("  What is derived is built again at the next start.")
    _say_worktrees(reply.worktrees)
    click.echo("  Copies elsewhere and the disk's deleted blocks may still hold it: revoke it as well.")


def _say_worktrees(paths: Sequence[str]) -> None:
    if paths:
        click.echo("Files of your projects still hold it, and are recorded again when they change:")
        click.echo("\n".join(f"  {shown(path)}" for path in paths[:SHOWN]))
        if len(paths) > SHOWN:
            click.echo(f"  and {len(paths) - SHOWN:,} more; --json names them all")


def _read() -> str:
    """The secret without the line's end; not shown, not kept."""
    if sys.stdin.isatty():
        return str(click.prompt("Secret", hide_input=True, err=True))
    data = sys.stdin.buffer.read()
    return data.decode("utf-8", "surrogateescape").rstrip("\r\n")
