"""The commands that hosts are told to run: this installation's interpreter, by its path, without a shim."""

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

from navlog.daemon import hosts, mcp

# What says where navlog lives, if it was set at the time: an agent may be started from elsewhere.
_KEPT = ("NAVLOG_HOME", "XDG_DATA_HOME")
HOOK = str(Path(hosts.__file__).with_name("hook.py"))
SERVER = str(Path(mcp.__file__).with_name("stdio.py"))


def kept(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that a hook needs: it has the agent's for the rest."""
    return {name: environ[name] for name in _KEPT if environ.get(name)}


def kept_for_server(environ: Mapping[str, str]) -> dict[str, str]:
    """What an MCP server needs: clients hand on few variables, and not the one of the socket."""
    return {name: environ[name] for name in (*_KEPT, "XDG_RUNTIME_DIR") if environ.get(name)}


def hook_command(host: str, environ: Mapping[str, str]) -> str:
    """For a shell: what a hook of ``host`` runs."""
    words = [f"{name}={shlex.quote(value)}" for name, value in kept(environ).items()]
    return " ".join([*words, *map(shlex.quote, (sys.executable, "-I", "-S", HOOK, host))])


def is_hook(command: str) -> bool:
    """Whether a command is the hook client's, of this installation or another."""
    return "/daemon/hosts/hook.py" in command and " -I -S " in command


def server_command() -> list[str]:
    """What an MCP client starts."""
    return [sys.executable, "-I", "-S", SERVER]
