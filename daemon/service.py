"""The daemon's life: check the home, take the lock, open the rooms, serve, and end cleanly.

The order is the safety: nothing is written before the lock is held, nobody is answered before the rooms are
open, the socket is removed while the lock is still held, and the lock goes last.
"""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog

from navlog.daemon import memory
from navlog.daemon.build import VERSION
from navlog.daemon.dispatch import Dispatcher
from navlog.daemon.home import Home, hold, load_settings, prepare
from navlog.daemon.house import Compose, House
from navlog.daemon.http import Http
from navlog.daemon.journal import RealStorage
from navlog.daemon.logging import Target, set_up
from navlog.daemon.metrics import Metrics
from navlog.daemon.server import Server
from navlog.daemon.sockets import Listening, listen
from navlog.daemon.supervision import notify, take_passed_socket, watchdog_s
from navlog.daemon.verbs import Report, Verb
from navlog.schemas.control import Nothing, StatusReply, Stopping
from navlog.schemas.errors import WriterPoisoned

HEARTBEAT_S = 5.0
GRACE_S = 5.0
log = structlog.get_logger()


@dataclass(frozen=True)
class Outcome:
    """How the service ended. ``abandoned``: handlers that still run in threads nobody waits for."""

    abandoned: int = 0


def serve(
    home: Home,
    environ: MutableMapping[str, str],
    compose: Compose,
    *,
    target: Target,
    announce: Callable[[], None],
) -> Outcome:
    """Runs the daemon until it is told to stop; raises `StartRefused` and `UsageError` before it began.

    Raises `WriterPoisoned` (75) at its end when the log's disk failed.

    ``announce`` is called once, when the socket answers.
    """
    os.umask(0o077)
    with ExitStack() as stack:
        prepare(home)
        settings = load_settings(home)
        lock = stack.enter_context(closing(RealStorage().lock(home.log)))
        set_up(target, home.daemon_log)
        passed = take_passed_socket(environ)
        if passed is None:
            stack.callback(os.close, hold(home.socket.parent))
        house = compose(home, settings, lock, stack)
        listening = stack.enter_context(listen(home.socket, passed))
        daemon = _Daemon(home, environ, house, listening)
        log.info("daemon_started", version=VERSION, pid=os.getpid(), data=str(home.data))
        asyncio.run(daemon.run(announce))
        log.info("daemon_stopping")
    if daemon.fatal:
        raise WriterPoisoned(daemon.fatal, hint="It starts again by itself under systemd, else:  navlog up")
    log.info("daemon_stopped")
    return Outcome(abandoned=daemon.dispatcher.running)


class _Daemon:
    """What lives while the event loop turns."""

    def __init__(
        self, home: Home, environ: MutableMapping[str, str], house: House, listening: Listening
    ) -> None:
        self._home = home
        self._environ = environ
        self._house = house
        self._listening = listening
        self._began = self._beat = time.monotonic()
        self._stop = asyncio.Event()
        self.fatal = ""
        self._loop: asyncio.AbstractEventLoop | None = None
        metrics = Metrics()
        metrics.watch(self.status)
        for collector in house.collectors:
            metrics.registry.register(collector)
        self.dispatcher = Dispatcher({**house.verbs, **self._own_verbs()}, metrics)
        http = Http(self.dispatcher, self.status, metrics.text)
        self._server = Server(self.dispatcher, http, str(home.data))

    async def run(self, announce: Callable[[], None]) -> None:
        """Serves until a signal, `down`, or the loss of the socket."""
        self._loop = asyncio.get_running_loop()
        for name in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            self._loop.add_signal_handler(name, self._stop.set)
        await self._server.start(self._listening.socket)
        notify(self._environ, "READY=1", f"MAINPID={os.getpid()}")
        announce()
        beating = asyncio.create_task(self._heartbeat())
        await self._stop.wait()
        notify(self._environ, "STOPPING=1")
        beating.cancel()
        await self._server.close(GRACE_S)
        self.dispatcher.close()

    def status(self) -> StatusReply:
        """The house's state and the process's own."""
        now = time.monotonic()
        state = self._house.state()
        return StatusReply(
            **{name: getattr(state, name) for name in state.__struct_fields__},
            pid=os.getpid(),
            version=VERSION,
            uptime_s=round(now - self._began, 3),
            heartbeat_s=round(now - self._beat, 3),
            memory=resident_bytes(),
            data_home=str(self._home.data),
            socket=str(self._home.socket),
            activated=self._listening.passed,
        )

    def _own_verbs(self) -> Mapping[str, Verb]:
        return {
            "status": Verb(lambda _args, _trace, _report: self.status(), Nothing),
            "down": Verb(self._down, Nothing, looks=False),
        }

    def _down(self, _args: Any, _trace: str, _report: Report) -> Stopping:
        if self._loop:
            self._loop.call_soon_threadsafe(self._stop.set)
        return Stopping(pid=os.getpid(), activated=self._listening.passed)

    async def _heartbeat(self) -> None:
        rest, watchdog = memory.Rest(), watchdog_s(self._environ)
        every = min(HEARTBEAT_S, watchdog / 2) if watchdog else HEARTBEAT_S
        while True:
            self._beat = time.monotonic()
            notify(self._environ, "WATCHDOG=1")
            if self._listening.lost():
                log.warning("socket_lost", socket=str(self._home.socket))
                self._stop.set()
            if fatal := self._house.fatal():
                log.error("daemon_gives_up", why=fatal)
                self.fatal = fatal
                self._stop.set()
            rest.look()
            await asyncio.sleep(every)


def resident_bytes() -> int:
    """This process's resident memory: proc(5), statm."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
