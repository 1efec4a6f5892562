"""Plain HTTP/1.1 on the same socket: `/v1/<verb>`, `/health`, `/metrics`.

GET is for verbs that only look; POST may change something. Speaks to local clients of the same user only: no
TLS, no CORS, no cookies, no files.
"""

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

import h11
import msgspec

from navlog.daemon.build import VERSION
from navlog.daemon.dispatch import Dispatcher
from navlog.daemon.streams import skip
from navlog.daemon.verbs import Verb, fault_of, read_args, read_query, unknown_verb, usable_trace
from navlog.schemas.control import StatusReply
from navlog.schemas.errors import Degraded, NavlogError, RequestRefused, TimedOut, UnknownProject, UsageError
from navlog.schemas.wire import Progress

BODY_BYTES = 4 * 1024 * 1024
HEAD_BYTES = 64 * 1024
READ_BYTES = 64 * 1024
JSON = "application/json"


class Answer(NamedTuple):
    """A whole response."""

    status: int
    body: bytes
    kind: str = JSON
    trace: str = ""
    allow: str = ""


class Http:
    """Answers HTTP connections; ``status`` gives what `/health` shortens."""

    def __init__(
        self, dispatcher: Dispatcher, status: Callable[[], StatusReply], metrics: Callable[[], bytes]
    ) -> None:
        self._dispatcher = dispatcher
        self._status = status
        self._metrics = metrics

    async def serve(self, first: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Speaks HTTP until either side ends it; ``first`` was read already."""
        wire = _Wire(first, reader, writer)
        try:
            while (request := await wire.request()) is not None:
                await wire.respond(await self._answer(request, wire))
                if not await wire.goes_on():
                    return
        except h11.RemoteProtocolError as fault:
            status = getattr(fault, "error_status_hint", 400)
            await wire.respond(_refused(RequestRefused(f"This is not HTTP: {fault}"), status))

    async def _answer(self, request: h11.Request, wire: "_Wire") -> Answer:
        trace = usable_trace(_header(request, b"navlog-trace"))
        try:
            answer = await self._route(request, wire, trace)
        except _TooLarge:
            limit = RequestRefused(f"A body has at most {BODY_BYTES:,} bytes; this one is longer.")
            answer = _refused(limit, 413)
        except NavlogError as error:
            answer = _refused(error, _status_of(error))
        return answer._replace(trace=trace)

    async def _route(self, request: h11.Request, wire: "_Wire", trace: str) -> Answer:
        target = urlsplit(request.target.decode("ascii"))
        method = request.method.decode("ascii")
        if target.path.startswith("/v1/"):
            return await self._verb(method, unquote(target.path[4:]), target.query, wire, trace)
        body = await wire.body()
        if target.path not in ("/health", "/metrics"):
            missing = RequestRefused(
                f"There is no page {target.path[:80]!r}.", hint="/v1/<verb>, /health, /metrics"
            )
            return _refused(missing, 404)
        if method != "GET" or body:
            return _not_allowed(method, "GET")
        return await asyncio.to_thread(self._health if target.path == "/health" else self._scrape)

    async def _verb(self, method: str, name: str, query: str, wire: "_Wire", trace: str) -> Answer:
        if name not in self._dispatcher.verbs:
            await wire.body()
            return _refused(unknown_verb(self._dispatcher.verbs, name), 404)
        verb = self._dispatcher.verbs[name]
        allow = "GET, POST" if verb.looks else "POST"
        if method not in allow.split(", "):
            await wire.body()
            return _not_allowed(method, allow)
        read = await self._arguments(method, query, wire)
        result = await self._dispatcher.run(name, read, trace, _say_nothing, record=method == "POST")
        return Answer(200, result)

    @staticmethod
    async def _arguments(method: str, query: str, wire: "_Wire") -> Callable[[Verb], msgspec.Struct]:
        body = await wire.body()
        if method == "GET" or not body:
            fields = dict(parse_qsl(query, keep_blank_values=True))
            return lambda verb: read_query(verb, fields)
        return lambda verb: read_args(verb, body)

    def _health(self) -> Answer:
        now = self._status()
        word = "degraded" if now.degraded else "ok"
        page = {"status": word, "version": now.version, "position": now.position, "degraded": now.degraded}
        return Answer(503 if now.degraded else 200, msgspec.json.encode(page))

    def _scrape(self) -> Answer:
        return Answer(200, self._metrics(), kind="text/plain; version=0.0.4; charset=utf-8")


class _TooLarge(Exception):
    """The body is over the limit; the rest of it is not read."""


class _Wire:
    """h11's state machine with our streams."""

    def __init__(self, first: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._machine = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)
        self._announced = 0
        self._machine.receive_data(first)

    async def request(self) -> h11.Request | None:
        """The next request's head, None when the client has ended."""
        event = await self._next()
        if not isinstance(event, h11.Request):
            return None
        self._announced = int(_header(event, b"content-length") or 0)  # h11 has checked that it is a number
        return event

    async def body(self) -> bytes:
        """The request's whole body; raises `_TooLarge` as soon as that is known."""
        if self._announced > BODY_BYTES:
            raise _TooLarge
        parts: list[bytes] = []
        size = 0
        while isinstance(event := await self._next(), h11.Data):
            parts.append(bytes(event.data))
            size += len(event.data)
            if size > BODY_BYTES:
                raise _TooLarge
        return b"".join(parts)

    async def respond(self, answer: Answer) -> None:
        """Sends the whole answer."""
        if self._machine.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            return
        head = [
            ("content-type", answer.kind),
            ("content-length", str(len(answer.body))),
            ("server", f"navlog/{VERSION}"),
        ]
        if answer.trace:
            head.append(("navlog-trace", answer.trace))
        if answer.allow:
            head.append(("allow", answer.allow))
        phrase = HTTPStatus(answer.status).phrase
        self._write(h11.Response(status_code=answer.status, reason=phrase, headers=head))
        self._write(h11.Data(data=answer.body))
        self._write(h11.EndOfMessage())
        await self._writer.drain()

    async def goes_on(self) -> bool:
        """Whether the connection can carry another request; what is left of a refused one is skipped."""
        if self._machine.our_state is h11.DONE and self._machine.their_state is h11.DONE:
            self._machine.start_next_cycle()
            return True
        if self._machine.their_state is h11.SEND_BODY and not self._machine.they_are_waiting_for_100_continue:
            self._writer.write_eof()
            await skip(self._reader)
        return False

    async def _next(self) -> object:
        while (event := self._machine.next_event()) is h11.NEED_DATA:
            if self._machine.they_are_waiting_for_100_continue:
                self._write(h11.InformationalResponse(status_code=100, headers=[]))
            self._machine.receive_data(await self._reader.read(READ_BYTES))
        return event

    def _write(self, event: h11.Event) -> None:
        self._writer.write(self._machine.send(event) or b"")


async def _say_nothing(progress: Progress) -> None:
    """A plain HTTP answer has no place for progress."""


def _header(request: h11.Request, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in request.headers if key == name), "")


def _refused(error: NavlogError, status: int) -> Answer:
    return Answer(status, msgspec.json.encode({"error": fault_of(error)}))


def _not_allowed(method: str, allow: str) -> Answer:
    error = RequestRefused(f"{method[:20]} may not ask for this.", hint=f"Use {allow}.")
    return _refused(error, 405)._replace(allow=allow)


def _status_of(error: NavlogError) -> int:
    match error:
        case UnknownProject():
            return 404
        case UsageError():
            return 400
        case TimedOut():
            return 504
        case Degraded():
            return 503
        case _:
            return 500
