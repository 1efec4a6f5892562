"""A plugin folder for Claude Code: the same hooks and the MCP server, for who prefers plugins to settings.

It is made for this installation (the commands name its interpreter), and is a marketplace of its own.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from navlog.daemon.build import VERSION
from navlog.daemon.hosts.installing.adapters import claude_hooks
from navlog.daemon.hosts.installing.changes import Change, read
from navlog.daemon.hosts.installing.commands import kept_for_server, server_command

ABOUT = "Gives sessions what navlog knows of the project, and writes down what they do."


def plugin_files(folder: Path, environ: Mapping[str, str]) -> list[Change]:
    """What the folder has to hold; raises `UsageError` for a file that cannot be read."""
    command, *arguments = server_command()
    plugin = {"name": "navlog", "version": VERSION, "description": ABOUT, "author": {"name": "navlog"}}
    hooks, _ = claude_hooks(environ).put("")
    server = {"command": command, "args": arguments, "env": kept_for_server(environ)}
    files: dict[str, Any] = {
        ".claude-plugin/plugin.json": plugin,
        ".claude-plugin/marketplace.json": {
            "name": "navlog",
            "owner": {"name": "navlog"},
            "plugins": [{"name": "navlog", "source": "./", "description": ABOUT}],
        },
        "hooks/hooks.json": json.loads(hooks),
        ".mcp.json": {"mcpServers": {"navlog": server}},
    }
    return [
        Change(folder / name, read(folder / name), json.dumps(content, indent=2) + "\n")
        for name, content in files.items()
    ]
