"""The checks of coding agents: what is installed where, whether it is current, approved, and heard of lately.

Reads the hosts' settings and asks a running daemon; changes nothing.
"""

import os
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from navlog.daemon.check import Check, ok, warn
from navlog.daemon.client import ask
from navlog.daemon.home import Home
from navlog.daemon.hosts.installing.adapters import (
    CODEX_EVENTS,
    HOSTS,
    Place,
    claude_home,
    codex_home,
    mcp_clients,
    opencode_home,
    pi_home,
)
from navlog.daemon.hosts.installing.changes import read
from navlog.schemas.control import SqlArgs, SqlReply
from navlog.schemas.errors import NavlogError

ANSWER_S = 5.0
# (host, the folder that says it is used here, the program)
AGENTS = (
    ("claude-code", claude_home, "claude"),
    ("codex", codex_home, "codex"),
    ("opencode", opencode_home, "opencode"),
    ("pi", pi_home, "pi"),
)
_LAST = "SELECT host, max(last_at) FROM sessions GROUP BY host"


def examine_hosts(home: Home, environ: Mapping[str, str]) -> Iterator[Check]:
    """One line for each agent that is there, and for the MCP clients."""
    last = _last_heard(home)
    for host, folder, program in AGENTS:
        present = folder(environ).exists() or shutil.which(program, path=environ.get("PATH"))
        places = HOSTS[host](environ)
        if present or any(_state(place) for place in places):
            yield _host(host, places, last, environ)
    clients = {name: place for name, (folder, place) in mcp_clients(environ).items() if folder.exists()}
    if clients:
        yield _mcp(clients)


def _host(host: str, places: list[Place], last: Mapping[str, str], environ: Mapping[str, str]) -> Check:
    try:
        states = {_state(place) for place in places}
    except NavlogError as error:
        return warn(host, error.message, error.hint)
    if states == {""}:
        return ok(host, "is here, navlog is not in it", f"navlog install {host}")
    if states != {"current"}:
        return warn(host, "what is installed is another build's or was changed", f"navlog install {host}")
    heard = f"last heard {last[host]}" if host in last else "nothing heard yet"
    if host == "codex" and (missing := _unapproved(environ)):
        detail = f"{missing} of its hooks are not approved, and skipped without a word; {heard}"
        return warn(host, detail, "In Codex:  /hooks")
    return ok(host, f"installed; {heard}", "" if host in last else "Start a session in a registered project.")


def _mcp(clients: Mapping[str, Place]) -> Check:
    lacking = []
    for name, place in clients.items():
        with suppress(NavlogError):
            if _state(place) != "current":
                lacking.append(name)
    if lacking:
        return ok("mcp", f"not in, or not as this build has it: {', '.join(lacking)}", "navlog install mcp")
    return ok("mcp", f"in {', '.join(clients)}")


def _state(place: Place) -> str:
    """ "current", "other" or ""; raises `UsageError` for a file that cannot be read."""
    text = read(place.path)
    if not text or not place.document.has(text):
        return ""
    return "current" if place.document.is_current(text) else "other"


def _unapproved(environ: Mapping[str, str]) -> int:
    """How many of our hooks Codex has no approval of; one of an earlier form counts as approved here.

    It keeps them in config.toml by the place of the hook: FILE:event:group:handler.
    """
    folder = codex_home(environ)
    try:
        text = (folder / "config.toml").read_text(encoding="utf-8")
        states = tomllib.loads(text).get("hooks", {}).get("state", {})
    except (OSError, ValueError, AttributeError):
        states = {}
    path = Path(os.path.realpath(folder)) / "hooks.json"
    files = {f"{name}:" for name in (folder / "hooks.json", path)}
    approved = [key for key in states if any(str(key).startswith(name) for name in files)]
    return max(0, len(CODEX_EVENTS) - len(approved))


def _last_heard(home: Home) -> dict[str, str]:
    try:
        rows = ask(home, "sql", SqlReply, SqlArgs(query=_LAST), silence_s=ANSWER_S).rows
    except NavlogError:
        return {}
    return {str(host): str(at) for host, at in rows}
