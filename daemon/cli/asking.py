"""`context`, `impact` and `sql`: questions to the daemon that change nothing."""

import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import click

from navlog.daemon.cli.frame import (
    Command,
    columns,
    counted,
    example,
    here,
    home,
    json_option,
    say_json,
)
from navlog.daemon.cli.here import ask_here, project_option
from navlog.daemon.client import ask
from navlog.daemon.mcp.stdio import looked_up, snapshot_of
from navlog.schemas.control import SqlArgs, SqlReply
from navlog.schemas.errors import SocketForbidden, UsageError
from navlog.schemas.names import shown
from navlog.schemas.wire import (
    PLACES,
    STEPS,
    ContextArgs,
    ContextReply,
    ElsewhereArgs,
    ElsewhereHit,
    ElsewhereReply,
    ImpactArgs,
    ImpactHit,
    ImpactReply,
    Item,
)

TEXT_LINES = 4
NOBODY = "Nobody in the project uses it"
AGAIN = "It is not wholly known yet: ask again in a moment."
OTHERWISE = "Name a symbol, a path or a word from the code."
COLOURS = {"FRESH": "green", "STALE": "yellow", "GONE": "red"}


@click.command(
    cls=Command, epilog=example('navlog context "session cookie samesite" --project ~/src/django --limit 5')
)
@click.argument("task", nargs=-1, required=True)
@project_option
@click.option("--limit", type=click.IntRange(1), metavar="N", help="At most so many files.")
@click.option("--budget", type=click.IntRange(1), metavar="TOKENS", help="At most so many tokens of text.")
@click.option("--full", is_flag=True, help="Print each text whole.")
@json_option
def context(
    task: tuple[str, ...],
    *,
    project: str | None,
    limit: int | None,
    budget: int | None,
    full: bool,
    as_json: bool,
) -> None:
    """Show what an agent has to know for TASK.

    TASK is words, `-- TASK` when it begins with a hyphen, or `-` for standard input. Looks, records nothing.
    """
    words = sys.stdin.read() if task == ("-",) else " ".join(task)
    if not words.strip():
        raise UsageError("The task is empty.", hint='Say it in words:  navlog context "rename the cache key"')
    args = ContextArgs(task=words, project=project, limit=limit, budget=budget)
    try:
        reply = ask_here("context", ContextReply, args)
    except SocketForbidden:
        if as_json or not _from_snapshot(words, project):
            raise
        return
    if as_json:
        say_json(reply)
    else:
        show_answer(reply, lines=None if full else TEXT_LINES)


def _from_snapshot(words: str, project: str | None) -> bool:
    """In a sandbox without sockets: what the daemon wrote down for it, with the reason; False for nothing."""
    folder = project if project and project.startswith("/") else str(here())
    if snapshot := snapshot_of(folder, home().data):
        for line in looked_up(snapshot, words):
            click.echo(shown(line))
    return bool(snapshot)


@click.command(cls=Command, epilog=example('navlog sql "select type, count(*) from events group by type"'))
@click.argument("query")
@json_option
def sql(query: str, *, as_json: bool) -> None:
    """Ask the tables and the view `events` with one SELECT; `-` reads it from standard input."""
    reply = ask(home(), "sql", SqlReply, SqlArgs(query=sys.stdin.read() if query == "-" else query))
    if as_json:
        say_json([dict(zip(reply.columns, row, strict=True)) for row in reply.rows])
        return
    cells = [["" if value is None else shown(str(value)) for value in row] for row in reply.rows]
    for line in columns([reply.columns, *cells], indent=""):
        click.echo(line)
    if reply.truncated:
        click.echo(f"({len(cells)} rows; there are more: store.sql_rows is the limit)", err=True)


@click.command(cls=Command, epilog=example("navlog impact django/http/cookie.py:parse_cookie"))
@click.argument("target")
@project_option
@click.option(
    "--depth", type=click.IntRange(1, STEPS), default=2, metavar="N", help="So many steps away at most."
)
@click.option(
    "--limit", type=click.IntRange(1, PLACES), default=50, metavar="N", help="At most so many places."
)
@json_option
def impact(target: str, *, project: str | None, depth: int, limit: int, as_json: bool) -> None:
    """Show who is touched when TARGET changes: a path, a symbol, path:symbol, a setting, concept:NAME.

    A path counts from where you are, or from the project's root.
    """
    meant = target if project else _from_here(target)
    args = ImpactArgs(target=meant, project=project, depth=depth, limit=limit)
    reply = ask_here("impact", ImpactReply, args)
    if as_json:
        say_json(reply)
    else:
        show_impact(reply)


def show_impact(reply: ImpactReply) -> None:
    """What was understood, then a line for each place that is touched, for a person."""
    for one in reply.targets:
        name = ".".join(part for part in (one.owner, one.symbol) if part)
        place = f"{shown(one.path)}:{one.line}" if one.path else "defined nowhere here:"
        click.secho(f"{place}  {shown(name)}".rstrip(), bold=True)
    for line in columns([_touched(hit) for hit in reply.hits]):
        click.echo(line)
    cut = f"{len(reply.hits):,} of " if len(reply.hits) < reply.found else ""
    what = cut + counted(max(len(reply.hits), reply.found), "place") if reply.hits else NOBODY
    click.echo(f"{what} · position {reply.position:,}")
    if reply.stale:
        click.secho(f"stale: {reply.stale}", fg="yellow", err=True)


def _from_here(target: str) -> str:
    """A file that is named from where the shell stands is sent by its whole path."""
    path = target.partition(":")[0]
    return str(here() / target) if path and Path(path).is_file() else target


def _touched(hit: ImpactHit) -> list[str]:
    place = f"{shown(hit.path)}:{hit.line}"
    name = ".".join(part for part in (hit.owner, hit.symbol) if part)
    return [str(hit.distance), f"{hit.confidence:.2f}", place, shown(name), hit.reason]


@click.command(cls=Command, epilog=example("navlog elsewhere src/api.py:create_order"))
@click.argument("target")
@project_option
@click.option("--limit", type=click.IntRange(1, 200), default=20, metavar="N", help="At most so many places.")
@json_option
def elsewhere(target: str, *, project: str | None, limit: int, as_json: bool) -> None:
    """Show on which branches and worktrees TARGET, a path or a symbol, is another one than here."""
    reply = ask_here("elsewhere", ElsewhereReply, ElsewhereArgs(target=target, project=project, limit=limit))
    if as_json:
        say_json(reply)
        return
    for hit in reply.hits:
        click.echo(_elsewhere_line(hit))
        if hit.text:
            click.echo(f"    {shown(hit.text)}")
    found = "asked" if reply.hits else "asked: no difference found on any"
    click.echo(f"{counted(reply.asked, 'tip')} {found} · position {reply.position:,}")
    for why in filter(None, (reply.note, reply.stale and f"stale: {reply.stale}")):
        click.secho(why, fg="yellow", err=True)


def _elsewhere_line(hit: ElsewhereHit) -> str:
    where = f" (in {shown(hit.worktree)})" if hit.worktree else ""
    place = f"{shown(hit.path)}:{hit.line}" if hit.line else shown(hit.path)
    what = {"A": "added", "D": "deleted"}.get(hit.status, "changed")
    return f"on {shown(hit.ref)}{where}, {_ago(hit.age_s)}: {place} {what}"


def _ago(seconds: float) -> str:
    for unit, size in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= size:
            return f"{counted(int(seconds // size), unit)} ago"
    return "just now"


def show_answer(reply: ContextReply, lines: int | None = TEXT_LINES) -> None:
    """The answer for a person; ``lines``: how much of each text, None: all."""
    for item in reply.items:
        _show_item(item, lines)
    if not reply.items:
        click.echo("Nothing in the project speaks for any file.")
        click.echo(f"  {AGAIN if reply.stale else OTHERWISE}")
    if reply.concepts:
        click.echo("concepts: " + ", ".join(shown(one["label"]) for one in reply.concepts))
    for task in reply.tasks:
        _show_task(task)
    parts = [counted(len(reply.items), "file"), counted(reply.tokens, "token"), f"{reply.elapsed_ms:.0f} ms"]
    click.echo(" · ".join([*parts, f"position {reply.position:,}"]))
    if reply.stale:
        click.secho(f"stale: {reply.stale}", fg="yellow", err=True)


def _show_item(item: Item, lines: int | None) -> None:
    pointer = click.style(f"{shown(item.path)}:{item.line}", bold=True)
    state = click.style(item.state, fg=COLOURS[item.state])
    click.echo("  ".join(part for part in (pointer, shown(item.symbol), shown(item.reason), state) if part))
    for line in dedent(item.text.expandtabs(4)).rstrip().splitlines()[:lines]:
        click.echo(f"    {shown(line)}".rstrip())


def _show_task(task: dict[str, Any]) -> None:
    """A past task: what was asked, what broke, what came of it."""
    click.echo(f"task {task['task']}  {click.style(shown(task['title']), bold=True)}  {task['status']}")
    tests = f"tests {task['tests']}" if task["tests"] else ""
    said = [", ".join(map(shown, task["modified"])), tests, task["reason"]]
    rows = [" · ".join(filter(None, said)), *task["broke"][-1:], *task["commits"][-1:], *task["notes"]]
    rows.append(task["summary"])
    for line in filter(None, rows):
        click.echo(f"    {shown(' '.join(line.split()))}")
