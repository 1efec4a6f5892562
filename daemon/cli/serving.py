"""`serve-mcp`: MCP over HTTP, for clients that cannot start a program."""

import os
import signal

import click

from navlog.daemon.cli.frame import Command, example, here, home, json_option, say_json, tilde
from navlog.schemas.errors import UsageError

PORT = 7337


@click.command("serve-mcp", cls=Command, epilog=example("navlog serve-mcp --port 7337"))
@click.option(
    "--port", type=click.IntRange(1024, 65535), default=PORT, metavar="N", help="The port on loopback."
)
@json_option
def serve_mcp(*, port: int, as_json: bool) -> None:
    """Serve MCP over HTTP on loopback until interrupted, to who has the token.

    The token is drawn once and lies in the data home; needs the extra `mcp`.
    """
    try:
        from navlog.daemon.mcp.streaming import serve  # noqa: PLC0415  an extra, and seconds to import
    except ImportError as fault:
        raise UsageError(
            f"This installation lacks what it takes: {fault}.", hint="pip install 'navlog[mcp]'"
        ) from fault
    from navlog.daemon.mcp.guard import TOKEN, token_of  # noqa: PLC0415

    token, place = token_of(home().data), home().data / TOKEN
    url = f"http://127.0.0.1:{port}/mcp"
    if as_json:
        say_json({"url": url, "token_file": str(place)})
    else:
        click.echo(f"{url}\nAuthorization: Bearer, with what stands in {tilde(place)}")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    serve(os.environ, str(here()), token, port)
