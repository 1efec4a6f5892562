"""The group of all commands."""

import os

import click

from navlog.daemon.build import VERSION
from navlog.daemon.cli.asking import context, elsewhere, impact, sql
from navlog.daemon.cli.benching import bench
from navlog.daemon.cli.concepts import concept
from navlog.daemon.cli.embedding import embed
from navlog.daemon.cli.explaining import as_of, explain, trust
from navlog.daemon.cli.exporting import export
from navlog.daemon.cli.frame import Group
from navlog.daemon.cli.importing import import_
from navlog.daemon.cli.installing import completion, install, uninstall
from navlog.daemon.cli.keeping import backup, restore, salvage, verify
from navlog.daemon.cli.knowledge import knowledge
from navlog.daemon.cli.lifecycle import down, up
from navlog.daemon.cli.looking import doctor, status
from navlog.daemon.cli.msus import msu
from navlog.daemon.cli.nudges import nudge
from navlog.daemon.cli.overlays import overlay
from navlog.daemon.cli.projects import project
from navlog.daemon.cli.recovery import replay
from navlog.daemon.cli.serving import serve_mcp
from navlog.daemon.cli.shredding import shred
from navlog.daemon.cli.tasks import history, task
from navlog.daemon.cli.vault import vault


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="navlog")
@click.pass_context
def navlog(ctx: click.Context) -> None:
    """A project brain for coding agents.

    \b
    Exit codes: 0 fine, 1 damage found, 2 usage, 75 degraded for now, 78 refuses to start.
    """
    if os.environ.get("NO_COLOR"):
        ctx.color = False


for _command in (
    up, down, status, project, context, impact, elsewhere, concept, overlay, history, task, explain, as_of,
    trust, import_, knowledge, msu, nudge, embed, sql, export, vault, replay, verify, salvage, backup,
    restore, shred, doctor, install, uninstall, serve_mcp, completion, bench,
):  # fmt: skip
    navlog.add_command(_command)


def main() -> None:
    """The entry point of the command."""
    navlog.main(prog_name="navlog")
