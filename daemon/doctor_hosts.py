"""The checks of coding agents: what is installed where, whether it is current, approved, and heard of lately.

Reads the hosts' settings and asks a running daemon; changes nothing.
"""

import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

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
from navlog.schemas.names import shown

ANSWER_S = 5.0
# (host, the folder that says it is used here, the program)
AGENTS = (
    ("claude-code", claude_home, "claude"),
    ("codex", codex_home, "codex"),
    ("opencode", opencode_home, "opencode"),
    ("pi", pi_home, "pi"),
)
# What the adapters were measured with (docs/hosts): the hooks they use are there.
TRIED = {"claude-code": (2, 1, 332), "codex": (0, 171, 0), "opencode": (1, 18, 33), "pi": (0, 73, 1)}
NUDGED = ("claude-code", "codex")  # whose transcripts are read
VERSION_S = 5.0  # some start slowly
_NUMBERS = re.compile(r"\d+\.\d+(\.\d+)?")
_LAST = "SELECT host, max(last_at) FROM sessions GROUP BY host"


def examine_hosts(home: Home, environ: Mapping[str, str]) -> Iterator[Check]:
    """One line for each agent that is there, and for the MCP clients."""
    last = _last_heard(home)
    for host, folder, program in AGENTS:
        present = folder(environ).exists() or shutil.which(program, path=environ.get("PATH"))
        places = HOSTS[host](environ)
        if present or any(_state(place) for place in places):
            yield _host(host, places, last, environ)
            yield from _client(host, program, environ)
    yield from _sandbox(environ)
    clients = {name: place for name, (folder, place) in mcp_clients(environ).items() if folder.exists()}
    if clients:
        yield _mcp(clients)
    yield from _nudges(clients, environ)


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


def _client(host: str, program: str, environ: Mapping[str, str]) -> Iterator[Check]:
    """A line for a client that is older than any that navlog was tried with."""
    said, version = _version(program, environ)
    tried = TRIED[host]
    if version and version[:2] < tried[:2]:
        oldest = ".".join(map(str, tried))
        detail = f"{said} is older than {oldest}, which navlog was tried with: hooks may be missing"
        yield warn(f"{host} client", detail, f"Update {program}, then:  navlog doctor")


def _version(program: str, environ: Mapping[str, str]) -> tuple[str, tuple[int, ...]]:
    """As the program says it, in words and in numbers; ("", ()) where it says nothing."""
    path = shutil.which(program, path=environ.get("PATH", ""))
    if path is None:
        return "", ()
    quiet = {**environ, "DISABLE_AUTOUPDATER": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1"}
    try:
        done = subprocess.run(
            [path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, env=quiet,
            timeout=VERSION_S, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return "", ()
    found = _NUMBERS.search(done.stdout)
    return (found[0], tuple(int(part) for part in found[0].split("."))) if found else ("", ())


def _sandbox(environ: Mapping[str, str]) -> Iterator[Check]:
    """Where Codex runs commands in its sandbox, which is its default."""
    mode = _codex_config(environ).get("sandbox_mode", "read-only")
    if codex_home(environ).exists() and mode != "danger-full-access":
        detail = (
            f"{shown(str(mode))}: commands that Codex runs may have no sockets. Its hooks have them; "
            "`navlog context` inside answers from the snapshot"
        )
        yield ok("codex sandbox", detail)


def _mcp(clients: Mapping[str, Place]) -> Check:
    lacking = []
    for name, place in clients.items():
        with suppress(NavlogError):
            if _state(place) != "current":
                lacking.append(name)
    if lacking:
        return ok("mcp", f"not in, or not as this build has it: {', '.join(lacking)}", "navlog install mcp")
    return ok("mcp", f"in {', '.join(clients)}")


def _nudges(clients: Mapping[str, Place], environ: Mapping[str, str]) -> Iterator[Check]:
    """Whose sessions hear how much of them is spent: the hooks count, the server has the tool."""
    hooked = [host for host in NUDGED if any(_has(place) for place in HOSTS[host](environ))]
    without = [host for host in hooked if host not in clients or not _has(clients[host])]
    if without:
        detail = f"sessions of {', '.join(without)} have no ctx_reduce, so they are not told what is spent"
        yield ok("nudges", detail, "navlog install mcp")
    elif hooked:
        detail = f"{', '.join(hooked)}: what is set aside takes effect at the next compaction"
        yield ok("nudges", detail)


def _has(place: Place) -> bool:
    with suppress(NavlogError):
        return bool(_state(place))
    return False


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
    hooks = _codex_config(environ).get("hooks", {})
    states = hooks.get("state", {}) if isinstance(hooks, dict) else {}
    path = Path(os.path.realpath(folder)) / "hooks.json"
    files = {f"{name}:" for name in (folder / "hooks.json", path)}
    approved = [key for key in states if any(str(key).startswith(name) for name in files)]
    return max(0, len(CODEX_EVENTS) - len(approved))


def _codex_config(environ: Mapping[str, str]) -> dict[str, Any]:
    """Its settings; {} where there are none, or none that can be read."""
    try:
        return tomllib.loads((codex_home(environ) / "config.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _last_heard(home: Home) -> dict[str, str]:
    try:
        rows = ask(home, "sql", SqlReply, SqlArgs(query=_LAST), silence_s=ANSWER_S).rows
    except NavlogError:
        return {}
    return {str(host): str(at) for host, at in rows}
