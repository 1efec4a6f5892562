"""`replay`: the tables again from the logs."""

import click

from navlog.daemon.cli.frame import Command, columns, counted, example, home, json_option, say_json
from navlog.daemon.cli.progress import progress
from navlog.daemon.client import ask
from navlog.schemas.control import ReplayArgs, Replayed, ReplayReply


@click.command(cls=Command, epilog=example("navlog replay --from 0"))
@click.option(
    "--from",
    "start",
    type=click.IntRange(0),
    metavar="POSITION",
    default=0,
    show_default=True,
    help="The position; a projection keeps no earlier state, and so reads from 0.",
)
@click.option("--only", help="One projection, e.g. graph.")
@json_option
def replay(*, start: int, only: str | None, as_json: bool) -> None:
    """Rebuild what is derived by reading the logs again; questions are answered meanwhile."""
    with progress(quiet=as_json) as tell:
        reply = ask(
            home(),
            "replay",
            ReplayReply,
            ReplayArgs(start=start, only=only),
            silence_s=None,
            on_progress=tell,
        )
    if as_json:
        say_json(reply)
        return
    click.echo("\n".join(columns([_row(one) for one in reply.projections])))
    click.echo(f"  {reply.elapsed_s:.1f} s")


def _row(one: Replayed) -> list[str]:
    word = "changed" if one.changed else "unchanged"
    return [
        one.name,
        counted(one.events, "event"),
        counted(one.overlays, "overlay"),
        f"sha256 {one.digest}",
        word,
    ]
