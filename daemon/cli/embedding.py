"""`embed calibrate`: which cosine means "alike" for the embedder in use."""

import click

from navlog.daemon.cli.frame import Command, Group, counted, example, json_option, say_json
from navlog.daemon.cli.here import ask_here, project_option
from navlog.daemon.cli.progress import progress
from navlog.schemas.embedding import CalibrateArgs, CalibrateReply


@click.group(cls=Group)
def embed() -> None:
    """Look after the model that turns texts into vectors."""


@embed.command("calibrate", cls=Command, epilog=example("navlog embed calibrate --project ~/src/django"))
@project_option
@click.option(
    "--pairs", type=click.IntRange(100, 5000), default=400, metavar="N", help="So many unrelated pairs."
)
@json_option
def calibrate(*, project: str | None, pairs: int, as_json: bool) -> None:
    """Measure which cosine means "alike" on the project's own chunks; the result is kept in the log."""
    args = CalibrateArgs(project=project, pairs=pairs)
    with progress(quiet=as_json) as tell:
        reply = ask_here(
            "embed-calibrate", CalibrateReply, args, changes=True, silence_s=None, on_progress=tell
        )
    if as_json:
        say_json(reply)
        return
    found = reply.found
    click.echo(f"{found.provider}, {found.model}: {counted(found.pairs, 'unrelated pair')}")
    click.echo(f"cosine  {'unrelated':<20}  neighbours")
    for line in reply.plot:
        click.echo(line)
    click.echo(f"fold from {found.fold:.2f} (1 of 100 unrelated pairs passes), alike from {found.alike:.2f}")
