"""`install`, `uninstall`, `completion`: what navlog puts into the user's own configuration."""

import os
from contextlib import suppress
from pathlib import Path

import click

from navlog.daemon.cli import hosts
from navlog.daemon.cli.frame import Command, Group, absolute, example, home, json_option, say_json, typed
from navlog.daemon.home import prepare
from navlog.daemon.launch import stop_daemon
from navlog.schemas.errors import DaemonAway

UNIT_NAMES = ("navlog.socket", "navlog.service")
EXPORT_TIMER = "navlog-export.timer"
SHELLS = ("bash", "zsh", "fish")


@click.group(cls=Group)
def install() -> None:
    """Put navlog into the user's configuration; repeated, it changes nothing."""


@click.group(cls=Group)
def uninstall() -> None:
    """Take away exactly what `install` put there."""


@install.command("service", epilog=example("navlog install service --sandbox"))
@click.option("--sandbox", is_flag=True, help="Let the daemon write to its data home alone.")
@json_option
def install_service(*, sandbox: bool, as_json: bool) -> None:
    """Let systemd start the daemon when the first client asks.

    --sandbox needs unprivileged user namespaces; repeat the command without it to take the sandbox away.
    """
    from navlog.daemon.units import install_units, systemctl, units_folder  # noqa: PLC0415

    if sandbox:
        prepare(home())  # inside, the data home can be written but not made
    changed = install_units(os.environ, sandbox=sandbox)
    trouble = systemctl("daemon-reload")
    if not trouble:
        if changed:
            with suppress(DaemonAway):
                stop_daemon(home())  # two cannot hold one socket
        trouble = systemctl("enable", "--now", "navlog.socket")
    _tell(
        as_json, "changed", [str(path) for path in changed], trouble,
        f"units in {units_folder(os.environ)}, socket enabled",
        f"{typed()} down; systemctl --user daemon-reload && systemctl --user enable --now navlog.socket",
    )  # fmt: skip


@uninstall.command("service", epilog=example("navlog uninstall service"))
@json_option
def uninstall_service(*, as_json: bool) -> None:
    """Stop the units and remove them; data and settings stay."""
    from navlog.daemon.units import installed, systemctl, uninstall_units  # noqa: PLC0415

    trouble = systemctl("disable", "--now", *UNIT_NAMES) if installed(os.environ) else ""
    removed = uninstall_units(os.environ)
    if removed:
        trouble = trouble or systemctl("daemon-reload")
    _tell(
        as_json, "removed", [str(path) for path in removed], trouble,
        "nothing of the service is left", "systemctl --user daemon-reload",
    )  # fmt: skip


@install.command("export", epilog=example("navlog install export ~/warehouse/navlog"))
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@json_option
def install_export_units(folder: Path, *, as_json: bool) -> None:
    """Let systemd export what changed to DIR every night, as `navlog export --parquet DIR` does."""
    from navlog.daemon.nightly import install_export  # noqa: PLC0415
    from navlog.daemon.units import systemctl, units_folder  # noqa: PLC0415

    changed = install_export(os.environ, absolute(folder))
    trouble = systemctl("daemon-reload") or systemctl("enable", "--now", EXPORT_TIMER)
    _tell(
        as_json, "changed", [str(path) for path in changed], trouble,
        f"units in {units_folder(os.environ)}, timer enabled",
        f"systemctl --user daemon-reload && systemctl --user enable --now {EXPORT_TIMER}",
    )  # fmt: skip


@uninstall.command("export", epilog=example("navlog uninstall export"))
@json_option
def uninstall_export_units(*, as_json: bool) -> None:
    """Stop the nightly export; what was exported stays."""
    from navlog.daemon.nightly import uninstall_export  # noqa: PLC0415
    from navlog.daemon.units import systemctl  # noqa: PLC0415

    trouble = systemctl("disable", "--now", EXPORT_TIMER)
    removed = uninstall_export(os.environ)
    if removed:
        trouble = systemctl("daemon-reload")
    _tell(
        as_json, "removed", [str(path) for path in removed], trouble if removed else "",
        "nothing of the nightly export is left", "systemctl --user daemon-reload",
    )  # fmt: skip


hosts.add_to(install, uninstall)


@click.command(cls=Command, epilog=example('eval "$(navlog completion bash)"'))
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script for SHELL."""
    from click.shell_completion import get_completion_class  # noqa: PLC0415

    script = get_completion_class(shell)
    if script is not None:  # click has all of SHELLS
        click.echo(script(ctx.find_root().command, {}, "navlog", "_NAVLOG_COMPLETE").source())


def _tell(as_json: bool, word: str, paths: list[str], trouble: str, fine: str, by_hand: str) -> None:
    if as_json:
        say_json({word: paths, "systemd": trouble or "ok"})
        return
    for path in paths:
        click.echo(f"{word}: {path}")
    if trouble:
        click.echo(f"systemd could not be told ({trouble}). Later, by hand:\n  {by_hand}")
    else:
        click.echo(fine)
