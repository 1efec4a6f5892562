"""A context provider for the Microsoft Agent Framework: what navlog knows, right before the prompt.

    agent = client.as_agent(context_providers=[InMemoryHistoryProvider(), NavlogContextProvider()])

Asks the daemon's socket, waits `LIMIT_S` at most, and passes through when anything is wrong: no daemon, no
project, a slow answer. Imports neither the daemon nor anything heavy; the framework is the extra
``agent-framework``.
"""

import asyncio
import json
import os
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agent_framework import ContextProvider, HistoryProvider, Message

from navlog.daemon.hosts.agent_framework_messages import Tail
from navlog.daemon.hosts.agent_framework_tail import HOST, Calls, Requests, reduce_tool

LIMIT_S = 0.3
LINE_BYTES = 4 * 1024 * 1024
TAILS = 50  # sessions whose marks are remembered


class NavlogContextProvider(ContextProvider):
    """``project``: a folder of the project, the current one by default. ``limit_s``: the longest wait."""

    DEFAULT_SOURCE_ID = "navlog"

    def __init__(
        self,
        source_id: str = DEFAULT_SOURCE_ID,
        *,
        project: str | os.PathLike[str] | None = None,
        limit_s: float = LIMIT_S,
    ) -> None:
        super().__init__(source_id)
        self._project = str(Path(project or Path.cwd()).absolute())
        self._limit_s = limit_s
        self._tails: dict[str, Tail] = {}

    async def before_run(self, *, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:
        """Adds the block of the prompt, at a session's start the orientation, and what follows the tail."""
        try:
            self._follow(agent, session, context, state)
            name = _name_of(session, state)
            blocks = [] if state.get("started") else [await self._tell("start", name)]
            state["started"] = True
            blocks.append(await self._tell("prompt", name, text=_asked(context)))
            if text := "\n".join(filter(None, blocks)):
                context.extend_messages(self, [Message("user", [text])])
        except Exception:  # noqa: BLE001 - whatever is wrong here is not worth an agent's turn
            return

    async def after_run(self, *, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:  # noqa: ARG002
        """Says what the agent answered."""
        try:
            text = str(getattr(context.response, "text", "") or "")
            await self._tell("turn_end", _name_of(session, state), text=text)
        except Exception:  # noqa: BLE001
            return

    def _follow(self, agent: Any, session: Any, context: Any, state: dict[str, Any]) -> None:
        """Offers the reduce tool and measures this run's requests, where they are whole when we see them."""
        apart = getattr(agent, "require_per_service_call_history_persistence", False)
        if apart or context.service_session_id or context.options.get("conversation_id"):
            return
        tail = self._tail_of(_name_of(session, state))
        providers = getattr(agent, "context_providers", None) or ()
        others = {one.source_id for one in providers if not isinstance(one, HistoryProvider)}
        requests = Requests(tail, state, self._ask_within, self._limit_s, others | {self.source_id})
        context.extend_tools(self.source_id, [reduce_tool(tail, self._ask_within)])
        context.extend_middleware(self.source_id, [requests, Calls(tail)])

    def _tail_of(self, session: str) -> Tail:
        tail = self._tails.pop(session, None) or Tail(session, self._project)
        self._tails[session] = tail
        if len(self._tails) > TAILS:
            del self._tails[next(iter(self._tails))]
        return tail

    async def _ask_within(self, verb: str, args: dict[str, Any], limit_s: float) -> Mapping[str, Any]:
        """The reply, {} for none in time."""
        try:
            async with asyncio.timeout(limit_s):
                reply = await _ask(json.dumps({"verb": verb, "args": args}).encode())
        except (OSError, ValueError, TimeoutError):
            return {}
        return reply if isinstance(reply, dict) else {}

    async def _tell(self, hook: str, session: str, **fields: str) -> str:
        """The block the daemon gives for this call, "" for none in time."""
        payload = {"hook": hook, "session": session, "cwd": self._project, **fields}
        wait_ms = max(1, int(self._limit_s * 1000) - 20)
        args = {"host": HOST, "id": uuid.uuid4().hex, "payload": payload, "wait_ms": wait_ms}
        try:
            return _block(await self._ask_within("hook", args, self._limit_s))
        except ValueError:
            return ""


async def _ask(line: bytes) -> Mapping[str, Any]:
    reader, writer = await asyncio.open_unix_connection(socket_path(os.environ), limit=LINE_BYTES)
    try:
        writer.write(line + b"\n")
        reply: Mapping[str, Any] = json.loads(await reader.readline())
        return reply
    finally:
        writer.close()


def _block(reply: Mapping[str, Any]) -> str:
    said = (reply.get("result") or {}).get("stdout") or "{}"
    return str(json.loads(said).get("block") or "")


def _asked(context: Any) -> str:
    """The words of the run's last message."""
    messages: Sequence[Any] = list(getattr(context, "input_messages", ()) or ())
    return str(getattr(messages[-1], "text", "") or "") if messages else ""


def _name_of(session: Any, state: dict[str, Any]) -> str:
    named = str(getattr(session, "session_id", "") or "")
    return named or str(state.setdefault("session", uuid.uuid4().hex))


def socket_path(environ: Mapping[str, str]) -> str:
    """As `navlog.daemon.home` finds it."""
    run = environ.get("XDG_RUNTIME_DIR", "")
    if run.startswith("/"):
        return str(Path(run) / "navlog" / "navlog.sock")
    data = environ.get("XDG_DATA_HOME", "")
    base = Path(data) if data.startswith("/") else Path.home() / ".local/share"
    home = Path(environ["NAVLOG_HOME"]).expanduser() if environ.get("NAVLOG_HOME") else base / "navlog"
    return str(home / "run" / "navlog.sock")
