"""`install HOST` and `uninstall HOST`: navlog in the settings of coding agents, at the user's level."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from navlog.daemon.cli.frame import Command, example, home, json_option, say_json, tilde

if TYPE_CHECKING:
    from navlog.daemon.hosts.installing.changes import Change

HOSTS = ("claude-code", "codex", "opencode", "pi", "mcp")
NAMES = {"claude-code": "Claude Code", "codex": "Codex", "opencode": "OpenCode", "pi": "pi"}
NEXT = {
    "codex": "In Codex, approve the hooks once:  /hooks    Until then Codex skips them without a word.",
    "claude-code": "Sessions that are open take it up when they are started again.",
    "mcp": "Clients take it up when they are started again.",
}


def add_to(install: click.Group, uninstall: click.Group) -> None:
    """A command for each host in both groups."""
    for host in HOSTS:
        install.add_command(_install(host))
        uninstall.add_command(_uninstall(host))


def _install(host: str) -> click.Command:
    def run(*, dry_run: bool, as_json: bool, plugin: Path | None = None) -> None:
        if plugin is not None:
            _write_plugin(plugin, as_json=as_json, dry_run=dry_run)
        else:
            _carry_out(host, "changed", dry_run=dry_run, as_json=as_json)

    parameters: list[click.Parameter] = [_DRY_RUN]
    if host == "claude-code":
        parameters.append(_PLUGIN)
    return _command(
        host, run, f"Put navlog's {_what(host, 'into')}.", f"navlog install {host} --dry-run", parameters
    )


def _uninstall(host: str) -> click.Command:
    def run(*, dry_run: bool, as_json: bool) -> None:
        _carry_out(host, "restored", dry_run=dry_run, as_json=as_json)

    return _command(
        host, run, f"Take navlog's {_what(host, 'out of')}.", f"navlog uninstall {host}", [_DRY_RUN]
    )


_DRY_RUN = click.Option(["--dry-run"], is_flag=True, help="Show the change, make none.")
_PLUGIN = click.Option(
    ["--plugin"],
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write a plugin for Claude Code into FOLDER instead, and leave the settings alone.",
)


def _command(
    name: str, run: Callable[..., None], text: str, shown: str, parameters: Sequence[click.Parameter]
) -> click.Command:
    command = Command(name, callback=run, help=text, epilog=example(shown), params=list(parameters))
    return json_option(command)


def _what(host: str, way: str) -> str:
    if host == "mcp":
        return f"MCP server {way} the settings of each client that is there"
    part = {"opencode": "plugin", "pi": "extension"}.get(host)
    return (
        f"{part} {way} the user's folder of {NAMES[host]}"
        if part
        else f"hooks {way} the user settings of {NAMES[host]}"
    )


def _carry_out(host: str, word: str, *, dry_run: bool, as_json: bool) -> None:
    from navlog.daemon.hosts.installing import installer  # noqa: PLC0415  only these commands need it
    from navlog.daemon.hosts.installing.changes import diff  # noqa: PLC0415

    data = home().data
    memory = installer.load_memory(data)
    plan = installer.plan_install if word == "changed" else installer.plan_uninstall
    steps = plan(host, os.environ, memory)
    changes = [step.change for step in steps if step.change.is_one]
    if not dry_run and changes:
        installer.save_memory(data, installer.carry_out(steps, memory))
    paths = [str(change.path) for change in changes]
    if as_json:
        say_json({word: paths, "dry_run": dry_run, "diff": diff(changes)})
    elif dry_run:
        click.echo(diff(changes) or "Nothing would change.", nl=not changes)
    else:
        _tell(host, word, changes, [step.change.path for step in steps])


def _tell(host: str, word: str, changes: Sequence["Change"], looked_at: Sequence[Path]) -> None:
    for change in changes:  # a file that we made is taken away, and that is no restoring
        click.echo(f"{'removed' if change.after is None else word}: {tilde(change.path)}")
    if not looked_at:
        click.echo(
            "No client with MCP was found. For any other:  docs/hosts/mcp.md shows what it has to start."
        )
    elif not changes:
        click.echo("Nothing to change: " + ", ".join(tilde(path) for path in looked_at))
    elif word == "changed" and host in NEXT:
        click.echo(NEXT[host])


def _write_plugin(folder: Path, *, as_json: bool, dry_run: bool) -> None:
    from navlog.daemon.hosts.installing.changes import diff, write  # noqa: PLC0415
    from navlog.daemon.hosts.installing.plugin import plugin_files  # noqa: PLC0415

    changes = [one for one in plugin_files(folder, os.environ) if one.is_one]
    for change in () if dry_run else changes:
        write(change)
    if as_json:
        say_json({"changed": [str(one.path) for one in changes], "dry_run": dry_run, "diff": diff(changes)})
    elif dry_run:
        click.echo(diff(changes) or "Nothing would change.", nl=not changes)
    else:
        place = tilde(folder.absolute())
        click.echo(
            f"plugin: {place}\nIn Claude Code:  /plugin marketplace add {place}    /plugin install navlog"
        )
