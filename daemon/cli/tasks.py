"""`task` and `history`: what was worked on, by whom, with which result."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import click

from navlog.daemon.cli.frame import (
    Command,
    Group,
    columns,
    counted,
    example,
    here,
    json_option,
    say_json,
)  # fmt: skip
from navlog.daemon.cli.here import ask_here, project_option
from navlog.schemas.names import shown
from navlog.schemas.tasks import (
    TASKS,
    FileUse,
    HistoryArgs,
    HistoryReply,
    TaskClose,
    TaskInfo,
    TaskName,
    TaskNote,
    TaskRun,
    TaskStart,
)

FILES = 12  # of a task on the screen
RUNS = 8
NO_TASK = "No task yet: an agent's first prompt opens one, or:  navlog task start TITLE"
COLOURS = {
    "completed": "green",
    "open": "cyan",
    "failed": "red",
    "interrupted": "yellow",
    "cancelled": "yellow",
}
Status = Literal["completed", "failed", "cancelled", "interrupted"]


@click.command(cls=Command, epilog=example("navlog history src/auth/jwt.py"))
@click.argument("path", default="")
@project_option
@click.option(
    "--limit", type=click.IntRange(1, TASKS), default=20, metavar="N", help="At most so many tasks."
)
@json_option
def history(path: str, *, project: str | None, limit: int, as_json: bool) -> None:
    """Show past tasks, the latest first: all of the project, or those that worked on PATH.

    A path counts from where you are, or from the project's root.
    """
    local = str(here() / path) if path and not project and Path(path).exists() else path
    reply = ask_here("history", HistoryReply, HistoryArgs(path=local, project=project, limit=limit))
    if as_json:
        say_json(reply)
        return
    for one in reply.tasks:
        _show(one)
    if not reply.tasks:
        click.echo(f"No task worked on {shown(path)}." if path else NO_TASK)


@click.group(cls=Group)
def task() -> None:
    """Name a piece of work, note what was decided, close it; agents' sessions open their own."""


@task.command(cls=Command, epilog=example('navlog task start "Move the cache to Redis"'))
@click.argument("title", nargs=-1, required=True)
@project_option
@click.option("--session", default="", help="The agent's session that works on it; default: whichever comes.")
@json_option
def start(title: tuple[str, ...], *, project: str | None, session: str, as_json: bool) -> None:
    """Open a task called TITLE; sessions without a task of their own work on it from now on."""
    _changed(
        "task-start", TaskStart(title=" ".join(title), project=project, session=session), as_json=as_json
    )


@task.command(cls=Command, epilog=example('navlog task note "Sessions stay in the database"'))
@click.argument("text", nargs=-1, required=True)
@click.option(
    "--task", "name", default="", help="Its id or the beginning of it; default: the latest open one."
)
@project_option
@json_option
def note(text: tuple[str, ...], *, name: str, project: str | None, as_json: bool) -> None:
    """Keep a remark or a decision; later tasks are told."""
    who = os.environ.get("USER", "")
    _changed("task-note", TaskNote(text=" ".join(text), task=name, project=project, who=who), as_json=as_json)


@task.command(cls=Command, epilog=example("navlog task close --status failed --summary 'needs the new API'"))
@click.argument("name", metavar="[TASK]", default="")
@click.option(
    "--status",
    type=click.Choice(["completed", "failed", "cancelled", "interrupted"]),
    default="completed",
    help="How it ended.",
)
@click.option("--summary", default="", help="What came of it.")
@project_option
@json_option
def close(name: str, *, status: Status, summary: str, project: str | None, as_json: bool) -> None:
    """Close TASK: an id or the beginning of one; default: the latest that is open."""
    _changed(
        "task-close", TaskClose(task=name, status=status, summary=summary, project=project), as_json=as_json
    )


@task.command(cls=Command, epilog=example("navlog task show 61509d"))
@click.argument("name", metavar="[TASK]", default="")
@project_option
@json_option
def show(name: str, *, project: str | None, as_json: bool) -> None:
    """Show all that is known of TASK: prompts, files, tests, notes, commits."""
    reply = ask_here("task-show", TaskInfo, TaskName(task=name, project=project))
    if as_json:
        say_json(reply)
    else:
        _show(reply, whole=True)


@task.command("list", cls=Command, epilog=example("navlog task list --limit 5"))
@project_option
@click.option(
    "--limit", type=click.IntRange(1, TASKS), default=20, metavar="N", help="At most so many tasks."
)
@json_option
def list_(*, project: str | None, limit: int, as_json: bool) -> None:
    """List tasks, a line each, the latest first."""
    reply = ask_here("history", HistoryReply, HistoryArgs(project=project, limit=limit))
    if as_json:
        say_json(reply.tasks)
        return
    if not reply.tasks:
        click.echo(NO_TASK)
    for line in columns([_row(one) for one in reply.tasks], indent=""):
        click.echo(line)


# --- asking ---------------------------------------------------------------------------------------------


def _changed(verb: str, args: TaskStart | TaskName, *, as_json: bool) -> None:
    reply = ask_here(verb, TaskInfo, args, changes=True)
    if as_json:
        say_json(reply)
    else:
        _show(reply)


# --- showing --------------------------------------------------------------------------------------------


def _show(one: TaskInfo, *, whole: bool = False) -> None:
    """A task in a few lines, or all of it."""
    state = click.style(one.status, fg=COLOURS[one.status])
    click.echo(f"{one.task}  {_when(one.opened_at)}  {one.host or one.by}  {state}")
    click.secho(f"  {shown(one.title)}", bold=True)
    asked = [text for text in one.asked if whole or text.split("\n")[0][:40] not in one.title]
    rows = [
        *(["asked", shown(" ".join(text.split()))] for text in (asked if whole else asked[-1:])),
        *_file_rows(one.files, len(one.files) if whole else FILES),
        *(_run_row(run) for run in (one.runs if whole else one.runs[-RUNS:])),
        *(["note", shown(f"{note.text} ({note.who})" if note.who else note.text)] for note in one.notes),
        *(["commit", f"{commit.commit[:12]} {shown(commit.subject)}"] for commit in one.commits),
        *([["concepts", shown(", ".join(label for _, label in one.concepts))]] if one.concepts else []),
        *([["result", shown(" ".join(one.summary.split()))]] if one.summary else []),
    ]
    for line in columns(rows, indent="  ") if rows else []:
        click.echo(line)
    click.echo()


def _file_rows(files: list[FileUse], most: int) -> list[list[str]]:
    kinds = ("modified", "tested", "read", "searched")
    rows = []
    for kind in kinds:
        those = [file for file in files if getattr(file, kind)]
        if those:
            names = [f"{shown(file.path)}{_times(getattr(file, kind))}" for file in those[:most]]
            more = f" and {counted(len(those) - most, 'more file')}" if len(those) > most else ""
            rows.append([kind, ", ".join(names) + more])
    return rows


def _times(count: int) -> str:
    return f" ({count}x)" if count > 1 else ""


def _run_row(run: TaskRun) -> list[str]:
    verdict = click.style("failed", fg="red") if run.failed else "passed"
    lines = [line.strip() for line in run.head.splitlines() if line.strip()]
    said = f": {shown(lines[-1])}" if lines else ""
    return [
        "test" if run.kind == "tested" else run.kind,
        f"{verdict}  {shown(' '.join(run.said.split()))}{said}",
    ]


def _row(one: TaskInfo) -> list[str]:
    modified = sum(bool(file.modified) for file in one.files)
    return [
        one.task,
        one.status,
        _when(one.last_at),
        one.host or one.by,
        counted(modified, "file"),
        shown(one.title),
    ]


def _when(time: str) -> str:
    """A time of the log in the zone of whoever reads it."""
    return f"{datetime.fromisoformat(time).replace(tzinfo=UTC).astimezone():%Y-%m-%d %H:%M}"
