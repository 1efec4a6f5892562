"""`vault path|write|check`: the pages for people."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from navlog.daemon.cli.frame import Group, counted, example, home, json_option, say_json, tilde
from navlog.daemon.client import ask
from navlog.daemon.home import load_settings
from navlog.schemas.control import VaultReply
from navlog.schemas.errors import Degraded, UsageError
from navlog.schemas.names import shown

if TYPE_CHECKING:
    from navlog.projections.pages.checking import Fault

SHOWN = 50  # faults on a screen; --json prints all


@click.group(cls=Group)
def vault() -> None:
    """The pages for people, as an Obsidian vault in the folder that `[vault] path` names."""


@vault.command("path", epilog=example("navlog vault path"))
@json_option
def path(*, as_json: bool) -> None:
    """Print the vault's folder, and the folder that Obsidian should open."""
    from navlog.daemon.vault.folder import obsidian_root  # noqa: PLC0415

    folder = _folder()
    if as_json:
        say_json({"path": str(folder), "open": str(obsidian_root(folder)), "there": folder.is_dir()})
    else:
        click.echo(str(folder))


@vault.command("write", epilog=example("navlog vault write"))
@json_option
def write(*, as_json: bool) -> None:
    """Compare every page with what lies there, and write what differs."""
    _folder()
    done = ask(home(), "vault-write", VaultReply, silence_s=None)
    if as_json:
        say_json(done)
        return
    click.echo(
        f"  {counted(done.pages, 'page')}, {done.written:,} written, {done.removed:,} removed"
        f"  {tilde(Path(done.path))}  {done.elapsed_s:.1f} s"
    )
    for one in done.theirs[:SHOWN]:
        click.secho(f"  not written, another file has its place: {shown(one)}", fg="yellow")


@vault.command("check", epilog=example("navlog vault check"))
@json_option
def check(*, as_json: bool) -> None:
    """Judge the pages by Obsidian's rules: links, names, properties; exit code 1 for a fault."""
    from navlog.daemon.vault.folder import VaultFolder, look, obsidian_root  # noqa: PLC0415
    from navlog.projections.pages.checking import check as judge  # noqa: PLC0415

    folder = _folder()
    try:
        ours, others = look(VaultFolder(folder))
    except OSError as fault:
        raise Degraded(
            f"The vault in {folder} cannot be read: {fault.strerror}.", hint="Write it:  navlog vault write"
        ) from fault
    inside = folder.relative_to(obsidian_root(folder)).parts
    faults = judge(ours, others, "/".join(inside) + "/" if inside else "")
    if as_json:
        say_json({"path": str(folder), "pages": len(ours), "others": len(others), "faults": faults})
    else:
        _show(folder, len(ours), faults)
    if faults:
        click.get_current_context().exit(1)


def _folder() -> Path:
    """The folder the settings name; raises `UsageError` without one."""
    from navlog.daemon.vault.opening import vault_path  # noqa: PLC0415

    place = home()
    folder = vault_path(load_settings(place).vault, place)
    if folder is None:
        raise UsageError(
            "There is no vault.",
            hint=f"Name its folder in {tilde(place.settings)}:  [vault] path, then:  navlog down; navlog up",
        )
    return folder


def _show(folder: Path, pages: int, faults: "list[Fault]") -> None:
    click.echo(f"  {counted(pages, 'page')} in {tilde(folder)}, {counted(len(faults), 'fault')}")
    for fault in faults[:SHOWN]:
        line = f", line {fault.line}" if fault.line else ""
        click.secho(f"  {shown(fault.path)}{line}: {shown(fault.says)}", fg="red")
    if len(faults) > SHOWN:
        click.echo(f"  and {len(faults) - SHOWN:,} more; --json prints all")
