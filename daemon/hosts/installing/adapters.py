"""Where each host keeps its settings at the user's level, and what of ours goes there.

docs/hosts describes each. A project's own settings are never touched.
"""

import json
import os
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from navlog.daemon.hosts.installing.commands import hook_command, is_hook, kept_for_server, server_command
from navlog.daemon.hosts.installing.documents import (
    MARK,
    Document,
    Hook,
    Hooks,
    OwnFile,
    Server,
    TomlServer,
)

# Seconds after which a host ends a hook by force. The client ends itself after 260 ms; this is for the case
# that it cannot. Codex knows whole seconds only.
FORCE_S = 1
CLAUDE_EVENTS = (
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch",
    "Stop", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "SessionEnd",
)  # fmt: skip
CODEX_EVENTS = (
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SubagentStart", "SubagentStop",
    "PreCompact", "PostCompact", "SessionEnd",
)  # fmt: skip

# What the plugin offers in OpenCode, where alone it does anything: the MCP server leaves it out.
OPENCODE_HAS = ("ctx_reduce",)


class Place(NamedTuple):
    """A file of the host's, and our part of it."""

    path: Path
    document: Document


def claude_home(environ: Mapping[str, str]) -> Path:
    """CLAUDE_CONFIG_DIR, else ~/.claude."""
    return _folder(environ, "CLAUDE_CONFIG_DIR", ".claude")


def codex_home(environ: Mapping[str, str]) -> Path:
    """CODEX_HOME, else ~/.codex."""
    return _folder(environ, "CODEX_HOME", ".codex")


def opencode_home(environ: Mapping[str, str]) -> Path:
    """OpenCode's folder in the XDG configuration."""
    config = environ.get("XDG_CONFIG_HOME", "")
    return (Path(config) if config.startswith("/") else _user(environ) / ".config") / "opencode"


def pi_home(environ: Mapping[str, str]) -> Path:
    """PI_CODING_AGENT_DIR, else ~/.pi/agent."""
    return _folder(environ, "PI_CODING_AGENT_DIR", ".pi/agent")


def claude_code(environ: Mapping[str, str]) -> list[Place]:
    """Hooks in the user's settings.json."""
    return [Place(claude_home(environ) / "settings.json", claude_hooks(environ))]


def claude_hooks(environ: Mapping[str, str]) -> Hooks:
    """All its hooks, each by the same client."""
    return _hooks("claude-code", CLAUDE_EVENTS, environ)


def codex(environ: Mapping[str, str]) -> list[Place]:
    """Hooks in hooks.json; the person approves them in Codex, which keeps that in config.toml."""
    return [Place(codex_home(environ) / "hooks.json", _hooks("codex", CODEX_EVENTS, environ))]


def opencode(environ: Mapping[str, str]) -> list[Place]:
    """A plugin that runs inside OpenCode."""
    return [Place(opencode_home(environ) / "plugin" / "navlog.js", OwnFile(_plugin("opencode", environ)))]


def pi(environ: Mapping[str, str]) -> list[Place]:
    """An extension that runs inside pi."""
    return [Place(pi_home(environ) / "extensions" / "navlog.js", OwnFile(_plugin("pi", environ)))]


def mcp(environ: Mapping[str, str]) -> list[Place]:
    """The MCP server, for every client whose folder is there."""
    return [place for home, place in mcp_clients(environ).values() if home.exists()]


def mcp_clients(environ: Mapping[str, str]) -> dict[str, tuple[Path, Place]]:
    """Client -> (the folder that says it is installed, where its list of servers is)."""
    command, *arguments = server_command()
    entry = {"type": "stdio", "command": command, "args": arguments, "env": kept_for_server(environ)}
    local = {
        "type": "local",
        "command": [*server_command(), *OPENCODE_HAS],
        "environment": kept_for_server(environ),
        "enabled": True,
    }
    own = environ.get("CLAUDE_CONFIG_DIR", "")
    servers = (Path(own) if own.startswith("/") else _user(environ)) / ".claude.json"
    claude, codex_folder, code = claude_home(environ), codex_home(environ), opencode_home(environ)
    return {
        "claude-code": (claude, Place(servers, Server("mcpServers", entry))),
        "codex": (
            codex_folder,
            Place(codex_folder / "config.toml", TomlServer(command, arguments, kept_for_server(environ))),
        ),
        "opencode": (code, Place(_opencode_settings(code), Server("mcp", local))),
    }


HOSTS: Mapping[str, Callable[[Mapping[str, str]], list[Place]]] = {
    "claude-code": claude_code,
    "codex": codex,
    "opencode": opencode,
    "pi": pi,
    "mcp": mcp,
}


def _hooks(host: str, events: tuple[str, ...], environ: Mapping[str, str]) -> Hooks:
    handler = {"type": "command", "command": hook_command(host, environ), "timeout": FORCE_S}
    return Hooks([Hook(event, handler) for event in events], is_hook)


def _plugin(host: str, environ: Mapping[str, str]) -> str:
    """The host's plugin in one file, with the command that keeps what the daemon did not hear."""
    folder = resources.files("navlog.daemon.hosts.installing")
    telling, tailing, own = (
        folder.joinpath(f"{name}.js").read_text(encoding="utf-8") for name in ("telling", "tailing", host)
    )
    for name, value in (("HOST", host), ("CLIENT", hook_command(host, environ))):
        telling = telling.replace(f'const {name} = "";', f"const {name} = {json.dumps(value)};", 1)
    return f"// {MARK} {host}\n{telling}\n{tailing}\n{own}"


def _opencode_settings(folder: Path) -> Path:
    with_comments = folder / "opencode.jsonc"
    return with_comments if with_comments.exists() else folder / "opencode.json"


def _folder(environ: Mapping[str, str], name: str, default: str) -> Path:
    named = environ.get(name, "")
    return Path(named) if named.startswith("/") else _user(environ) / default


def _user(environ: Mapping[str, str]) -> Path:
    return Path(environ.get("HOME") or os.path.expanduser("~"))  # noqa: PTH111 - HOME may be unset
