"""`up` and `down`."""

import os
import sys
import time
from pathlib import Path
from typing import Literal

import click
import msgspec

from navlog.daemon.cli.asking import show_answer
from navlog.daemon.cli.frame import Command, example, home, human_bytes, human_seconds, json_option, say_json
from navlog.daemon.cli.progress import progress
from navlog.daemon.client import ask
from navlog.daemon.home import Home
from navlog.daemon.launch import Ready, ensure_daemon, stop_daemon
from navlog.daemon.verbs import fault_of
from navlog.schemas.control import Indexed, ProjectAdd, ProjectInfo, ProjectName, Sample, StatusReply
from navlog.schemas.errors import NavlogError
from navlog.schemas.wire import ContextArgs, ContextReply


@click.command(cls=Command, epilog=example("navlog up ~/src/django --sample"))
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--foreground", is_flag=True, help="Be the daemon, in this terminal; PATH is not used.")
@click.option("--sample", is_flag=True, help="Ask one question made from the project's own names.")
@click.option("--ready-fd", type=int, hidden=True, help="Where a detached daemon says that it answers.")
@json_option
def up(path: Path | None, *, foreground: bool, sample: bool, ready_fd: int | None, as_json: bool) -> None:
    """Start the daemon if none runs, and index PATH (default: here).

    Waits until the project answers, then prints where everything is.
    """
    if foreground:
        if path is not None:
            raise click.UsageError(
                "--foreground runs the daemon alone; register a project with: navlog up PATH"
            )
        be_the_daemon(home(), ready_fd)
        return
    place = home()
    daemon, started = ensure_daemon(place, os.environ)
    if not as_json:
        word = "started" if started else "running"
        click.echo(f"  daemon ... {word}, pid {daemon.pid}, socket {daemon.socket}")
    indexed, took = _index(place, path or Path(), quiet=as_json)
    answer = _sample(place, indexed.project) if sample else None
    if as_json:
        say_json({"daemon": daemon, "started": started, "indexed": indexed, "sample": answer})
        return
    click.echo(f"  indexed .. {indexed.project.name}, {indexed.project.files:,} files, {took:.1f} s")
    if answer:
        click.echo(f'\n  navlog context "{answer[0]}"\n')
        show_answer(answer[1])
    _show_places(place)


@click.command(cls=Command, epilog=example("navlog down"))
@json_option
def down(*, as_json: bool) -> None:
    """Stop the daemon; everything it knows is on disk."""
    stopped = stop_daemon(home())
    if as_json:
        say_json(stopped)
        return
    click.echo(f"stopped (pid {stopped.pid})")
    if stopped.activated:
        click.echo("systemd starts it again when somebody asks; to prevent that:")
        click.echo("  systemctl --user stop navlog.socket")


def be_the_daemon(place: Home, ready_fd: int | None) -> None:
    """Runs the service in this process until it ends; says into ``ready_fd`` how the start went."""
    from navlog.daemon.compose import compose  # noqa: PLC0415  the rooms are heavy
    from navlog.daemon.service import serve  # noqa: PLC0415

    pipe = None
    if ready_fd is not None:
        os.set_inheritable(ready_fd, False)
        pipe = os.fdopen(ready_fd, "wb")
    os.chdir("/")  # no project's file system is kept busy by us

    def announce(error: NavlogError | None = None) -> None:
        if pipe and not pipe.closed:
            fault = fault_of(error) if error else None
            pipe.write(msgspec.json.encode(Ready(pid=os.getpid(), error=fault)) + b"\n")
            pipe.close()

    try:
        outcome = serve(place, os.environ, compose, target=_target(ready_fd), announce=announce)
    except NavlogError as error:
        announce(error)
        raise
    if outcome.abandoned:
        os._exit(0)  # everything is closed; a handler nobody waits for must not keep the process


def _target(ready_fd: int | None) -> Literal["file", "stderr", "terminal"]:
    if ready_fd is not None:
        return "file"
    return "terminal" if sys.stderr.isatty() else "stderr"


def _index(place: Home, path: Path, *, quiet: bool) -> tuple[Indexed, float]:
    began = time.monotonic()
    project = ask(place, "project-add", ProjectInfo, ProjectAdd(path=os.fspath(path.absolute())))
    with progress(quiet=quiet) as tell:
        indexed = ask(
            place, "indexed", Indexed, ProjectName(project=project.id), silence_s=None, on_progress=tell
        )
    return indexed, time.monotonic() - began


def _sample(place: Home, project: ProjectInfo) -> tuple[str, ContextReply] | None:
    task = ask(place, "sample", Sample, ProjectName(project=project.id)).task
    if not task:
        return None
    return task, ask(place, "context", ContextReply, ContextArgs(task=task, project=project.id, limit=5))


def _show_places(place: Home) -> None:
    now = ask(place, "status", StatusReply)
    size = human_bytes(sum(log.bytes for log in now.logs))
    click.echo(
        f"\n  data: {place.data} (log {size})    stop: navlog down    up {human_seconds(now.uptime_s)}"
    )
