"""`import`: what other tools have kept."""

import os
from pathlib import Path

import click

from navlog.daemon.cli.frame import Group, absolute, counted, example, home, json_option, named, say_json
from navlog.daemon.client import ask
from navlog.schemas.importing import ImportArgs, ImportReply
from navlog.schemas.names import shown, word

SHOWN = 10


@click.group("import", cls=Group)
def import_() -> None:
    """Bring in what other tools have kept; repeated, it adds nothing."""


@import_.command("agentnavi", epilog=example("navlog import agentnavi ~/.agentnavi"))
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--project", help="Take everything for this project, wherever it was.")
@json_option
def agentnavi(folder: Path, *, project: str | None, as_json: bool) -> None:
    """Read AgentNavi's events.jsonl and semantic-overlays.jsonl in FOLDER."""
    _run("import-agentnavi", folder, project, as_json=as_json)


@import_.command("claude-transcripts", epilog=example("navlog import claude-transcripts"))
@click.argument("place", type=click.Path(exists=True, path_type=Path), required=False)
@click.option("--project", help="Take everything for this project, wherever it was.")
@json_option
def claude_transcripts(place: Path | None, *, project: str | None, as_json: bool) -> None:
    """Read Claude Code's transcripts in PLACE, a folder or a file; default: all of the user's."""
    from navlog.daemon.hosts.installing.adapters import claude_home  # noqa: PLC0415

    _run("import-transcripts", place or claude_home(os.environ) / "projects", project, as_json=as_json)


def _run(verb: str, place: Path, project: str | None, *, as_json: bool) -> None:
    args = ImportArgs(path=str(absolute(place)), project=named(project) if project else None)
    reply = ask(home(), verb, ImportReply, args, silence_s=None)
    if as_json:
        say_json(reply)
    else:
        _show(reply)


def _show(reply: ImportReply) -> None:
    read = f"{counted(reply.entries, 'entry').replace('entrys', 'entries')} in {counted(reply.files, 'file')}"
    click.echo(f"{read}: {reply.added:,} added, {reply.known:,} known already, {reply.damage:,} damaged")
    for one in reply.damaged[:SHOWN]:
        click.secho(f"  {shown(one.file)}:{one.line}  {shown(one.why)}", fg="yellow")
    if reply.damage > SHOWN:
        click.echo("  … all of them:  --json")
    for other in reply.elsewhere[:SHOWN]:
        click.echo(f"  left out: {other.entries:,} of {shown(other.root)}, which is no project. Take it up:")
        click.echo(f"    navlog up {word(other.root)}    or name one:  --project PROJECT")
    for line in reply.skipped[:SHOWN]:
        click.echo(f"  skipped: {shown(line)}")
