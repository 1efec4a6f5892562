"""`nudge explain`, `nudge status`, and the line of it in `status`: how much of a session's tail is spent."""

from collections.abc import Mapping, Sequence

import click

from navlog.daemon.cli.frame import Group, columns, counted, example, home, json_option, say_json
from navlog.daemon.client import ask
from navlog.projections.nudging.standing import listed
from navlog.schemas.names import shown
from navlog.schemas.tails import (
    NudgeExplainArgs,
    NudgeExplained,
    NudgeStatusArgs,
    NudgeStatusReply,
    TailPart,
    TailState,
)

WIDTH = 40
COLOURS = {"quiet": "green", "gentle": "yellow", "firm": "yellow", "urgent": "red", "channel2": "red"}
# What a segment of the bar stands for: its sign, its word, the reason codes in it, its colour.
SEGMENTS: Sequence[tuple[str, str, tuple[str, ...], str]] = (
    ("█", "spent", ("reclaimable",), "red"),
    ("▓", "set aside", ("queued", "dropped"), "blue"),
    ("▒", "protected", ("protected", "recent_reduce"), "green"),
    ("░", "the rest", ("untagged",), "white"),
)
TOOL = {True: "has ctx_reduce", False: "no ctx_reduce", None: "not judged yet"}


@click.group(cls=Group)
def nudge() -> None:
    """Show how much of a session's tail is spent, and when it is told so."""


@nudge.command("status", epilog=example("navlog nudge status"))
@click.option(
    "--limit", type=click.IntRange(1, 1000), default=10, metavar="N", help="At most so many sessions."
)
@json_option
def status(*, limit: int, as_json: bool) -> None:
    """Show the sessions measured last, each with a bar of its tail."""
    reply = ask(home(), "nudge-status", NudgeStatusReply, NudgeStatusArgs(limit=limit))
    if as_json:
        say_json(reply)
        return
    if not reply.tails:
        click.echo("No session has been measured yet. Those of a connected host are:  navlog install --help")
        return
    for line in columns([row(one) for one in reply.tails], indent=""):
        click.echo(line)
    click.echo(legend())


@nudge.command("explain", epilog=example("navlog nudge explain 3f2a91c0"))
@click.argument("session")
@click.option("--brief", is_flag=True, help="Without the list of the parts.")
@json_option
def explain(session: str, *, brief: bool, as_json: bool) -> None:
    """Show what was counted of a SESSION's tail, part by part, and what follows from it."""
    reply = ask(home(), "nudge-explain", NudgeExplained, NudgeExplainArgs(session=session))
    if as_json:
        say_json(reply)
        return
    state = reply.state
    click.secho(f"session {shown(state.session)}", bold=True)
    click.echo(f"  {bar(state.tokens)}  {click.style(_band(state), fg=COLOURS[state.band])}")
    click.echo(f"  {legend(state.tokens)}")
    for name, value in _facts(reply).items():
        click.echo(f"  {name.ljust(9)} {value}")
    if not brief:
        click.secho("parts", fg="cyan")
        for line in columns(list(map(_part, reply.parts))) if reply.parts else ():
            click.echo(line)


def row(one: TailState) -> list[str]:
    """A session in one line, its bar first."""
    lease = "" if one.lease == "empty" else f"message {one.lease}"
    return [bar(one.tokens, WIDTH // 2), _band(one), shown(one.session)[:8], TOOL[one.usable], lease]


def bar(tokens: Mapping[str, int], width: int = WIDTH) -> str:
    """The tail as a row of signs: what is spent first. A segment that is there has at least one sign."""
    sums = [sum(tokens.get(code, 0) for code in codes) for _, _, codes, _ in SEGMENTS]
    whole = sum(sums)
    if not whole:
        return "·" * width
    sizes = [max(1, part * width // whole) if part else 0 for part in sums]
    largest = sizes.index(max(sizes))
    sizes[largest] += width - sum(sizes)
    return "".join(sign * size for (sign, *_), size in zip(SEGMENTS, sizes, strict=True))


def legend(tokens: Mapping[str, int] | None = None) -> str:
    """What the signs mean, with their tokens as counted locally."""
    words = []
    for sign, name, codes, colour in SEGMENTS:
        here = "" if tokens is None else f" {sum(tokens.get(code, 0) for code in codes):,}"
        words.append(f"{click.style(sign, fg=colour)} {name}{here}")
    return "  ".join(words)


def _band(one: TailState) -> str:
    word = "message due" if one.band == "channel2" else one.band
    return f"{one.u:,} of {one.t:,} tokens spent ({one.severity:.0%}), {word}"


def _facts(one: NudgeExplained) -> dict[str, str]:
    judged = TOOL[one.state.usable] + (f": {one.why}" if one.why else "")
    last = "nothing was said yet"
    if one.fired:
        last = (
            f"{one.level}, last said at {one.watermark:,} tokens in turn {one.fired} of {one.state.turn}; "
            f"again after {one.cadence:,} more"
        )
    protected = f"the newest {one.floor:,} tokens of tool outputs"
    rows = {
        "next": one.next,
        "reminder": last,
        "grace": one.grace and f"after a reduce, {one.grace}",
        "message": one.state.lease,
        "set aside": listed(one.queued),
        "protected": protected + (f": tags from {one.cutoff}" if one.cutoff is not None else ""),
        "tool": judged,
        "counted": f"by {one.counter}, {counted(one.state.measured, 'measurement')}, profile {one.profile}",
    }
    return {name: value for name, value in rows.items() if value}


def _part(one: TailPart) -> list[str]:
    tag = f"§{one.tag}" if one.tag >= 0 else "-"
    return [tag, one.tool or one.kind or "-", f"{one.tokens:,}", one.reason, shown(one.block)]
