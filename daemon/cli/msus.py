"""`msu list`, `msu show`, `msu tail`: what changed lately and what that touches."""

import re
from collections.abc import Sequence

import click
import msgspec

from navlog.daemon.cli.frame import (
    Group,
    columns,
    counted,
    example,
    human_seconds,
    json_option,
    say_json,
)
from navlog.daemon.cli.here import ask_here, project_option
from navlog.schemas.errors import UsageError
from navlog.schemas.names import shown
from navlog.schemas.queue import (
    READER,
    MsuLine,
    MsuListArgs,
    MsuListReply,
    MsuShowArgs,
    MsuShowReply,
    MsuTailArgs,
    MsuTailReply,
    MsuTakeArgs,
    MsuTakeReply,
)
from navlog.schemas.slices import Member

WAIT_S = 20.0  # a request of `tail` waits so long before it is asked anew


@click.group(cls=Group)
def msu() -> None:
    """Show the records of what changed: each change of a file with what it touches."""


@msu.command("list", epilog=example('navlog msu list --task "cookie parsing" --limit 7'))
@project_option
@click.option(
    "--limit", type=click.IntRange(1, 1000), default=20, metavar="N", help="At most so many records."
)
@click.option("--task", default="", help="Those nearest to these words, instead of the hottest.")
@json_option
def list_(*, project: str | None, limit: int, task: str, as_json: bool) -> None:
    """List the records of the last 24 hours, the hottest first."""
    reply = ask_here("msu-list", MsuListReply, MsuListArgs(project=project, limit=limit, task=task))
    if as_json:
        say_json(reply)
        return
    for line in columns([_cells(one) for one in reply.msus], indent="") if reply.msus else ():
        click.echo(line)
    waiting = f" · {counted(reply.waiting, 'change')} not sliced yet" if reply.waiting else ""
    what = counted(len(reply.msus), "record") if reply.msus else "Nothing has changed in the last 24 hours"
    click.echo(f"{what} · position {reply.position:,}{waiting}")


@msu.command("show", epilog=example("navlog msu show django/http/cookie.py"))
@click.argument("which", metavar="MSU")
@project_option
@json_option
def show(which: str, *, project: str | None, as_json: bool) -> None:
    """Show one record whole: MSU is its id, the beginning of it, or a path (its newest record)."""
    reply = ask_here("msu-show", MsuShowReply, MsuShowArgs(msu=which, project=project))
    if as_json:
        say_json(reply)
        return
    record = reply.record
    click.secho(f"{shown(record.path)}  {shown(reply.line.summary)}", bold=True)
    compared = {"none": "a new file", "outline": "compared by outlines: the text before is not known"}
    click.echo(
        f"{record.msu} · {human_seconds(reply.line.age_s)} ago · {compared.get(record.basis, 'compared')}"
        f" · {record.core_tokens:,} + {record.radius_tokens:,} tokens"
    )
    for title, members in (("changed", record.core), ("touched", record.radius)):
        if members:
            click.secho(title, fg="cyan")
        for member in members:
            _show_member(member, reply.texts.get(member.text, ""))
    if record.left:
        left = ", ".join(f"{count} {role}" for role, count in record.left.items())
        click.echo(f"no room for: {left}")


@msu.command("tail", epilog=example("navlog msu tail --json | jq .path"))
@project_option
@click.option(
    "--after", type=click.IntRange(0), metavar="POSITION", help="Begin after this position; default: now."
)
@click.option("--once", is_flag=True, help="Print what is there beyond --after, and end.")
@click.option("--reader", metavar="NAME", help="The daemon keeps NAME's place, from the last day on.")
@json_option
def tail(*, project: str | None, after: int | None, once: bool, reader: str | None, as_json: bool) -> None:
    """Follow the records as they are formed; with --json one object a line. Ctrl-C ends it.

    Any number of readers can follow, each from its own position, or by a name, under which each record comes
    at least once: what was not printed to the end comes again after a minute.
    """
    if reader is not None:
        if after is not None:
            raise UsageError("The daemon keeps a reader's place.", hint="Leave --after or --reader out.")
        if not re.fullmatch(READER, reader):
            raise UsageError(f"{reader!r} is no reader's name.", hint="1 to 100 letters, digits or . : @ - _")
        _take(project, reader, once=once, as_json=as_json)
        return
    while True:
        args = MsuTailArgs(project=project, after=after, wait_s=0.0 if once else WAIT_S)
        reply = ask_here("msu-tail", MsuTailReply, args)
        after = reply.after
        _say(reply.msus, as_json=as_json)
        if once:
            return


def _take(project: str | None, reader: str, *, once: bool, as_json: bool) -> None:
    """What was printed is confirmed with the next request."""
    done: list[int] = []
    while True:
        wait_s = 0.0 if once else WAIT_S
        args = MsuTakeArgs(project=project, reader=reader, done=done, wait_s=wait_s)
        reply = ask_here("msu-take", MsuTakeReply, args)
        _say(reply.msus, as_json=as_json)
        done = [one.position for one in reply.msus]
        if once and not done:
            return


def _say(msus: Sequence[MsuLine], *, as_json: bool) -> None:
    for one in msus:
        click.echo(msgspec.json.encode(one) if as_json else "  ".join(_cells(one)))


def _cells(one: MsuLine) -> list[str]:
    what = f"{counted(one.members, 'place')}, {one.tokens:,} tokens"
    where = f"{shown(one.path)} on {shown(one.machine)}" if one.machine else shown(one.path)
    return [f"{one.score:.2f}", f"{human_seconds(one.age_s)} ago", where, shown(one.summary), what]


def _show_member(member: Member, text: str) -> None:
    pointer = click.style(f"{shown(member.path)}:{member.line}", bold=True)
    cut = "(cut)" if member.cut and member.role == "changed" else ""
    said = (member.role, pointer, shown(member.symbol), shown(member.reason), cut)
    click.echo("  " + "  ".join(part for part in said if part))
    for line in text.expandtabs(4).rstrip().splitlines():
        click.echo(f"      {shown(line)}".rstrip())
