"""`status` and `doctor`: how it goes, and what to mend."""

import os
from pathlib import Path

import click

from navlog.daemon.cli.frame import (
    Command,
    columns,
    counted,
    example,
    home,
    human_bytes,
    human_seconds,
    json_option,
    say_json,
    tilde,
)  # fmt: skip
from navlog.daemon.cli.nudges import row as tail_row
from navlog.daemon.client import ask
from navlog.schemas.control import LogState, ProjectInfo, StatusReply, WatchState
from navlog.schemas.errors import Degraded
from navlog.schemas.names import shown

MARKS = {"ok": ("ok  ", "green"), "warn": ("warn", "yellow"), "fail": ("fail", "red")}


@click.command(cls=Command, epilog=example("navlog status --json"))
@json_option
def status(*, as_json: bool) -> None:
    """Show the daemon, the log, the projects; exit code 75 while anything works less than it should."""
    now = ask(home(), "status", StatusReply)
    if as_json:
        say_json(now)
    else:
        click.echo("\n".join(_screen(now)))
        for one in now.degraded:
            click.secho(f"degraded    {one.reason}", fg="red")
            if one.hint:
                click.echo(f"            {one.hint}")
    if now.degraded:
        click.get_current_context().exit(Degraded.exit_code)


@click.command(cls=Command, epilog=example("navlog doctor"))
@json_option
def doctor(*, as_json: bool) -> None:
    """Check what navlog stands on, each with one line and one command; exit code 1 when anything fails."""
    from navlog.daemon.doctor import examine  # noqa: PLC0415  runs programs; nobody else needs it

    checks = examine(home(), os.environ)
    if as_json:
        say_json(checks)
    else:
        width = max(len(check.name) for check in checks)
        for check in checks:
            mark, colour = MARKS[check.state]
            click.echo(f"{click.style(mark, fg=colour)}  {check.name.ljust(width)}  {check.detail}")
            if check.hint:
                click.echo(f"{' ' * (width + 8)}{check.hint}")
    if any(check.state == "fail" for check in checks):
        click.get_current_context().exit(1)


def _screen(now: StatusReply) -> list[str]:
    alive = f"up {human_seconds(now.uptime_s)}, heartbeat {now.heartbeat_s:.0f} s ago"
    return [
        f"daemon      {now.version}, pid {now.pid}, {alive}, {human_bytes(now.memory)}",
        f"data        {now.data_home}",
        f"socket      {now.socket}{' (systemd)' if now.activated else ''}",
        *map(_log_line, now.logs),
        *(f"projection  {one.name}: position {one.position:,}, lag {one.lag:,}" for one in now.projectors),
        *_projects(now),
        *_sessions(now),
        *_tails(now),
    ]


def _log_line(log: LogState) -> str:
    written = f", last fsync {log.last_fsync_s * 1000:.1f} ms" if log.last_fsync_s else ""
    size = f"{counted(log.segments, 'segment')}, {human_bytes(log.bytes)}"
    return f"log         {log.name}: position {log.position:,}, {size}{written}"


def _projects(now: StatusReply) -> list[str]:
    if not now.projects:
        return ["projects    none yet. Add one:  navlog up PATH"]
    watches = {watch.project: watch for watch in now.watches}
    rows = [_project_row(one, watches.get(one.id)) for one in now.projects]
    return ["projects", *columns(rows, indent="  ")]


def _sessions(now: StatusReply) -> list[str]:
    """The latest sessions, and what waits in the spool or cannot be read."""
    names = {one.id: one.name for one in now.projects}
    rows = [
        [
            one.host,
            one.session[:8],
            names.get(one.project, one.project),
            f"{counted(one.prompts, 'prompt')}, {counted(one.tools, 'tool call')}",
            f"ended {one.ended_at}" if one.ended_at else f"last seen {one.last_at}",
            one.task and f"task {one.task}",
            one.degraded and f"paths only: {one.degraded}",
        ]
        for one in now.sessions
    ]
    spool = now.spool
    return [
        *(["sessions", *columns(rows, indent="  ")] if rows else []),
        *([f"spool       {counted(spool.waiting, 'hook call')} waiting"] if spool.waiting else []),
        *([f"spool       {_set_aside(now)}"] if spool.damaged else []),
    ]


def _set_aside(now: StatusReply) -> str:
    """Their names say nothing; where they lie does."""
    folder = tilde(Path(now.data_home) / "spool" / "damaged")
    return f"set aside, no hook call: {counted(len(now.spool.damaged), 'file')} in {folder}"


def _tails(now: StatusReply) -> list[str]:
    """The tails measured last."""
    rows = [tail_row(one) for one in now.tails]
    return ["tails", *columns(rows, indent="  ")] if rows else []


def _project_row(one: ProjectInfo, watch: WatchState | None) -> list[str]:
    watched = f"{counted(watch.folders, 'folder')}, {watch.coverage:.0%} watched" if watch else "not watched"
    note = f" ({watch.note.splitlines()[0]})" if watch and watch.note else ""
    return [
        one.name,
        one.id,
        counted(one.files, "file"),
        watched + note,
        one.changed_at or "never changed",
        shown(one.root),
    ]
