"""`project list|remove|move`: the registry."""

import os
from pathlib import Path

import click

from navlog.daemon.cli.frame import (
    Group,
    absolute,
    columns,
    counted,
    example,
    home,
    json_option,
    named,
    say_json,
)
from navlog.daemon.client import ask
from navlog.schemas.control import ProjectInfo, ProjectList, ProjectMove, ProjectName
from navlog.schemas.names import shown


@click.group(cls=Group)
def project() -> None:
    """The projects navlog watches; `navlog up PATH` adds one."""


@project.command("list", epilog=example("navlog project list --json"))
@json_option
def list_projects(*, as_json: bool) -> None:
    """Show the registered projects."""
    found = ask(home(), "project-list", ProjectList).projects
    if as_json:
        say_json(found)
    elif found:
        click.echo("\n".join(columns([_row(one) for one in found], indent="")))
    else:
        click.echo("No project yet. Add one:  navlog up PATH")


@project.command("remove", epilog=example("navlog project remove ~/src/django"))
@click.argument("project_", metavar="PROJECT")
@json_option
def remove(project_: str, *, as_json: bool) -> None:
    """Stop watching PROJECT (a path, a name or an id); its events stay in the log."""
    _show(
        ask(home(), "project-remove", ProjectInfo, ProjectName(project=named(project_))), "removed", as_json
    )


@project.command("move", epilog=example("navlog project move ~/src/django ~/code/django"))
@click.argument("project_", metavar="PROJECT")
@click.argument("path", type=click.Path(path_type=Path))
@json_option
def move(project_: str, path: Path, *, as_json: bool) -> None:
    """PROJECT now lies at PATH; its history stays."""
    args = ProjectMove(project=named(project_), path=os.fspath(absolute(path)))
    _show(ask(home(), "project-move", ProjectInfo, args), "moved", as_json)


def _row(one: ProjectInfo) -> list[str]:
    return [
        one.name,
        one.id,
        one.kind,
        counted(one.files, "file"),
        one.changed_at or "never changed",
        shown(one.root),
    ]


def _show(one: ProjectInfo, word: str, as_json: bool) -> None:
    if as_json:
        say_json(one)
    else:
        click.echo(f"{word}: {one.name}  {shown(one.root)}")
