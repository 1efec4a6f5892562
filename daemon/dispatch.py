"""Runs verbs for the server: in a thread each, bounded in time, counted, logged under their trace.

A handler cannot be killed: when nobody waits for it any more, its next progress report ends it.
"""

import asyncio
import contextvars
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import structlog

from navlog.daemon.metrics import Metrics
from navlog.daemon.verbs import Handler, Verb, Verbs, find_verb
from navlog.schemas.errors import Internal, NavlogError, TimedOut
from navlog.schemas.wire import Progress

THREADS = 32
WAITING = 256  # as many as there can be connections: a thread that waits costs its stack alone
PROGRESS_EVERY_S = 0.05
Tell = Callable[[Progress], Awaitable[None]]
log = structlog.get_logger()


class Dispatcher:
    """Asks the table of verbs; one for all connections."""

    def __init__(self, verbs: Verbs, metrics: Metrics) -> None:
        self.verbs = verbs
        self.metrics = metrics
        self.running = 0
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="verb")
        self._waiting = ThreadPoolExecutor(WAITING, thread_name_prefix="waiting")

    async def run(
        self,
        name: str,
        read: Callable[[Verb], msgspec.Struct],
        trace: str,
        tell: Tell,
        *,
        record: bool = False,
    ) -> bytes:
        """The verb's result as JSON; raises `NavlogError` and nothing else.

        ``read`` makes the verb's arguments; ``record``: as POST asks for it.
        """
        structlog.contextvars.bind_contextvars(trace=trace)
        began, known, outcome = time.perf_counter(), name if name in self.verbs else "unknown", "ok"
        try:
            verb = find_verb(self.verbs, name)
            if record and verb.record:
                verb = verb._replace(handle=verb.record)
            return await self._bounded(verb, read(verb), trace, tell)
        except NavlogError as error:
            outcome = error.code
            raise
        finally:
            # In the loop's next round: the reply goes out in this one.
            asyncio.get_running_loop().call_soon(self._count, known, outcome, time.perf_counter() - began)

    def _count(self, verb: str, outcome: str, took: float) -> None:
        self.metrics.requests.labels(verb, outcome).inc()
        self.metrics.seconds.labels(verb).observe(took)
        log.info("request", verb=verb, outcome=outcome, ms=round(took * 1000, 1))

    def close(self) -> None:
        """Takes no more work and does not wait for what runs."""
        for pool in (self._pool, self._waiting):
            pool.shutdown(wait=False, cancel_futures=True)

    async def _bounded(self, verb: Verb, args: msgspec.Struct, trace: str, tell: Tell) -> bytes:
        loop = asyncio.get_running_loop()
        report = _Report(loop)
        self.running += 1
        context = contextvars.copy_context()
        pool = self._waiting if verb.waits or verb.timeout_s is None else self._pool
        future = loop.run_in_executor(pool, context.run, _call, verb.handle, args, trace, report)
        future.add_done_callback(self._ended)
        try:
            async with asyncio.timeout(verb.timeout_s):
                return await _follow(future, report, tell)
        except TimeoutError:
            raise TimedOut(
                f"No answer within {verb.timeout_s:g} s.", hint="Ask again, or look at:  navlog status"
            ) from None
        finally:
            report.given_up = True

    def _ended(self, future: asyncio.Future[bytes]) -> None:
        self.running -= 1
        if not future.cancelled():
            future.exception()  # a failure nobody waits for any more is not worth a warning


class _Report:
    """`navlog.daemon.verbs.Report`: keeps only the newest progress, so a slow reader costs nothing."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.given_up = False
        self.told: asyncio.Future[None] = loop.create_future()
        self.latest = Progress(stage="", done=0)
        self._loop = loop

    def __call__(self, stage: str, done: int, total: int = 0) -> None:
        if self.given_up:
            raise TimedOut("Nobody waits for this answer any more.")
        self.latest = Progress(stage=stage, done=done, total=total)
        self._loop.call_soon_threadsafe(self._tell)

    def listen(self) -> None:
        """From now on ``told`` is the next progress."""
        self.told = self._loop.create_future()

    def _tell(self) -> None:
        if not self.told.done():
            self.told.set_result(None)


async def _follow(future: asyncio.Future[bytes], report: _Report, tell: Tell) -> bytes:
    either: set[asyncio.Future[Any]]
    while not future.done():
        either = {future, report.told}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not future.done():
            report.listen()
            await tell(report.latest)
            await asyncio.wait({future}, timeout=PROGRESS_EVERY_S)
    return future.result()


def _call(handler: Handler, args: msgspec.Struct, trace: str, report: _Report) -> bytes:
    try:
        return msgspec.json.encode(handler(args, trace, report))
    except NavlogError:
        raise
    except Exception as fault:
        log.exception("handler_failed")
        raise Internal(
            f"A fault of navlog's own: {type(fault).__name__}: {fault}",
            hint=f"The daemon's log has the details under trace {trace}.",
        ) from fault
