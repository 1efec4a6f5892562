"""MCP over streamable HTTP, with the SDK (extra ``mcp``): on loopback, behind the `Guard`.

A process of its own that a person starts. What the tools do is asked of the daemon, as the shim does.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import uvicorn
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from navlog.daemon.build import VERSION
from navlog.daemon.mcp.guard import Guard, Receive, Scope, Send
from navlog.daemon.mcp.stdio import ABOUT
from navlog.daemon.mcp.stdio import Server as Shim

LOOPBACK = "127.0.0.1"


def serve(environ: Mapping[str, str], folder: str, token: str, port: int) -> None:
    """Until it is interrupted."""
    app = Guard(application(environ, folder), token, port)
    uvicorn.run(app, host=LOOPBACK, port=port, log_level="warning", server_header=False)


def application(environ: Mapping[str, str], folder: str) -> "Application":
    """The ASGI application, without its guard."""
    shim = Shim(environ, folder)
    tools = [types.Tool.model_validate(one) for one in _tools()]

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=tools)

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:  # noqa: ARG001
        args = {
            "name": params.name,
            "arguments": params.arguments or {},
            "folder": folder,
            "client": "mcp-http",
        }
        text, failed = await asyncio.to_thread(shim.ask, {"verb": "tool", "args": args})
        return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=failed)

    server: Server[Any] = Server(
        "navlog", version=VERSION, instructions=ABOUT, on_list_tools=list_tools, on_call_tool=call_tool
    )
    return Application(StreamableHTTPSessionManager(server, json_response=True, stateless=True))


class Application:
    """ASGI: starts and ends the SDK's sessions with the server."""

    def __init__(self, manager: StreamableHTTPSessionManager) -> None:
        self._manager = manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the server's life."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            await self._manager.handle_request(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        async with self.running():
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
        await send({"type": "lifespan.shutdown.complete"})

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """For who has no server around it."""
        async with self._manager.run():
            yield


def _tools() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(Path(__file__).with_name("tools.json").read_bytes())
    return found
