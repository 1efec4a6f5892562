"""`up` and `down`."""

import os
import shlex
import time
from pathlib import Path

import click

from navlog.daemon.cli.asking import show_answer
from navlog.daemon.cli.foreground import be_the_daemon
from navlog.daemon.cli.frame import (
    Command,
    absolute,
    counted,
    example,
    home,
    human_bytes,
    json_option,
    off_the_path,
    say_json,
    tilde,
    typed,
)  # fmt: skip
from navlog.daemon.cli.progress import progress
from navlog.daemon.client import NOBODY_LISTENS, OnProgress, ask
from navlog.daemon.home import Home
from navlog.daemon.launch import ensure_daemon, stop_daemon
from navlog.schemas.control import (
    Indexed,
    ProjectAdd,
    ProjectInfo,
    ProjectName,
    Sample,
    StatusReply,
    Stopping,
)
from navlog.schemas.errors import DaemonAway, TimedOut
from navlog.schemas.names import shown
from navlog.schemas.wire import ContextArgs, ContextReply, Progress

LABEL = 24
REGISTRY_S = 600.0  # a log of a million events is read again within minutes


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
    place, path = home(), absolute(path or Path())
    daemon, started = ensure_daemon(place, os.environ)
    if not as_json:
        _line("daemon", f"{'started' if started else 'runs'}, pid {daemon.pid}, socket {daemon.socket}")
    indexed, took = _index(place, path, quiet=as_json)
    answer = _sample(place, indexed.project) if sample else None
    if as_json:
        say_json({"daemon": daemon, "started": started, "indexed": indexed, "sample": answer})
        return
    _show_index(indexed.project, took)
    if answer:
        _show_sample(indexed.project, *answer)
    elif sample:
        _line("try it", "nothing to ask: no definition says in a sentence what it does")
    show_places(place)


@click.command(cls=Command, epilog=example("navlog down"))
@json_option
def down(*, as_json: bool) -> None:
    """Stop the daemon; everything it knows is on disk."""
    stopped = _stop(home())
    if as_json:
        say_json(stopped or {"pid": None, "activated": False})
        return
    click.echo(f"stopped (pid {stopped.pid})" if stopped else "it was not running")
    if stopped and stopped.activated:
        click.echo("systemd starts it again when somebody asks; to prevent that:")
        click.echo("  systemctl --user stop navlog.socket")


def _stop(place: Home) -> Stopping | None:
    """What ended; None when there was nothing to end."""
    try:
        return stop_daemon(place)
    except DaemonAway as away:
        if isinstance(away.__cause__, NOBODY_LISTENS):
            return None
        raise


def _index(place: Home, path: Path, *, quiet: bool) -> tuple[Indexed, float]:
    began = time.monotonic()
    with progress(quiet=quiet) as tell:
        project = _added(place, ProjectAdd(path=os.fspath(path)), tell)
        indexed = ask(
            place, "indexed", Indexed, ProjectName(project=project.id), silence_s=None, on_progress=tell
        )
    return indexed, time.monotonic() - began


def _added(place: Home, args: ProjectAdd, tell: OnProgress) -> ProjectInfo:
    """While derived files come back, which folders are projects is not known at once: it is waited for."""
    deadline = time.monotonic() + REGISTRY_S
    while True:
        try:
            return ask(place, "project-add", ProjectInfo, args)
        except TimedOut:
            if time.monotonic() > deadline:
                raise
            tell(Progress(stage="reading the log", done=0))


def _sample(place: Home, project: ProjectInfo) -> tuple[str, ContextReply] | None:
    task = ask(place, "sample", Sample, ProjectName(project=project.id)).task
    if not task:
        return None
    return task, ask(place, "context", ContextReply, ContextArgs(task=task, project=project.id, limit=5))


def _show_index(project: ProjectInfo, took: float) -> None:
    known = f"{counted(project.files, 'file')}, {took:.1f} s"
    _line(f"indexed {shown(project.name)}", known if project.files else "no file; is it the right folder?")


def _show_sample(project: ProjectInfo, task: str, answer: ContextReply) -> None:
    _line("try it", f"{typed()} context {shlex.quote(task)} --project {tilde(Path(project.root))}")
    click.echo()
    show_answer(answer)
    click.echo()


def show_places(place: Home) -> None:
    """Where everything lies and what to type next."""
    log = sum(log.bytes for log in ask(place, "status", StatusReply).logs)
    derived = sum(file.stat().st_size for file in place.derived.rglob("*") if file.is_file())
    _line("data", f"{tilde(place.data)} (log {human_bytes(log)}, derived {human_bytes(derived)})")
    _line("stop", f"{typed()} down")
    if own := off_the_path():
        _line("to call it by name", f"mkdir -p ~/.local/bin && ln -s {tilde(own)} ~/.local/bin/")


def _line(label: str, text: str) -> None:
    click.echo(f"  {label} {'.' * max(3, LABEL - len(label))} {text}")
