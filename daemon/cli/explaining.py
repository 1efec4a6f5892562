"""`explain` and `as-of`: what an agent was given, and why."""

import click

from navlog.daemon.cli.frame import Command, counted, example, home, json_option, say_json
from navlog.daemon.client import ask
from navlog.projections.injecting.block import given, lines_of
from navlog.schemas.giving import (
    AsOfArgs,
    AsOfReply,
    ExplainArgs,
    Explained,
    ExplainReply,
    PieceGiven,
    SessionKnew,
    TrustArgs,
    TrustReply,
)
from navlog.schemas.names import shown
from navlog.schemas.sessions import Piece


@click.command(cls=Command, epilog=example("navlog explain 45a10bfec45f5497"))
@click.argument("id_", metavar="ID")
@click.option(
    "--limit", type=click.IntRange(1, 1000), default=5, metavar="N", help="At most so many injections."
)
@json_option
def explain(id_: str, *, limit: int, as_json: bool) -> None:
    """Show why something was given: ID is an injection's number, a piece, a trace, or any event's id.

    An injection's number stands in the first line of its block.
    """
    reply = ask(home(), "explain", ExplainReply, ExplainArgs(id=id_, limit=limit))
    if as_json:
        say_json(reply)
        return
    for one in reply.injections:
        _show(one)
    if not reply.injections:
        click.echo(bytes(reply.event).decode())


@click.command("as-of", cls=Command, epilog=example("navlog as-of 7012"))
@click.argument("position", type=click.IntRange(0))
@click.option("--session", default="", help="One session; default: each that had been given something.")
@json_option
def as_of(position: int, *, session: str, as_json: bool) -> None:
    """Show what each session had been given and still had before it at POSITION; 0 is now.

    A compaction takes away what was given before it.
    """
    reply = ask(home(), "as-of", AsOfReply, AsOfArgs(position=position, session=session))
    if as_json:
        say_json(reply)
        return
    for one in reply.sessions:
        _show_session(one)
    if not reply.sessions:
        click.echo(f"No session had been given anything as of position {reply.position:,}.")


@click.command(cls=Command, epilog=example("navlog trust 3f2a91c0"))
@click.argument("session")
@json_option
def trust(session: str, *, as_json: bool) -> None:
    """Give SESSION everything again, if its replies were so bad that it is given paths only.

    SESSION is the beginning of its id, as `navlog status` shows it.
    """
    reply = ask(home(), "trust", TrustReply, TrustArgs(session=session))
    if as_json:
        say_json(reply)
    else:
        click.echo(f"{shown(reply.session)} is given everything again.")


def _show(one: Explained) -> None:
    event = one.given
    click.secho(f"injection {event.injection}  {one.at}  position {one.position:,}", bold=True)
    rows = {
        "session": f"{shown(event.session) or '(none)'}, {shown(event.host)}, at: {event.moment}",
        "project": f"{one.project}, from tables as of position {event.position:,}",
        "trace": one.trace,
        "asked": " ".join(shown(one.task).split()),
        "missing": event.skipped,
        "cost": f"{event.tokens:,} tokens, {counted(len(one.pieces), 'piece')}" if one.pieces else "",
        "text": ""
        if not event.block
        else "as it was given"
        if one.exact
        else "put together otherwise by now",
    }
    for name, value in rows.items():
        if value:
            click.echo(f"  {name.ljust(8)} {value}")
    for piece in one.pieces:
        click.secho(f"  {shown(piece.id)}  ({piece.tokens:,} tokens)", fg="cyan")
        _show_piece(piece)


def _show_session(one: SessionKnew) -> None:
    pieces = f"{counted(len(one.pieces), 'piece')}, {one.tokens:,} tokens"
    click.secho(f"session {shown(one.session)}  {shown(one.host)}  {pieces}", bold=True)
    last = ""
    for piece in one.pieces:
        if piece.injection != last:
            click.secho(f"  injection {piece.injection}, position {piece.position:,}", fg="cyan")
            last = piece.injection
        _show_piece(piece)


def _show_piece(piece: PieceGiven) -> None:
    as_recorded = Piece(piece.id, "note", piece.pointer, "", piece.tokens, piece.reason)
    for line in lines_of(given(as_recorded, piece.text)):
        click.echo(f"    {line}")
