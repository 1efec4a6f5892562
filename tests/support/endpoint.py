"""A small server of our own that speaks what is asked of services: right, wrong, slow, broken, busy."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import msgspec


class Asked(NamedTuple):
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


Reply = tuple[int, dict[str, str], bytes]
Answering = Callable[[Asked], Reply | None]  # None: the connection is closed without a word


class _Handler(BaseHTTPRequestHandler):
    """Notes what is asked, and says what it is told to say."""

    service: "Service"

    def do_GET(self) -> None:
        self._answer("GET")

    def do_POST(self) -> None:
        self._answer("POST")

    def _answer(self, method: str) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        one = Asked(method, self.path, dict(self.headers.items()), body)
        self.service.asked.append(one)
        reply = self.service.answering(one)
        if reply is None:
            self.close_connection = True
            return
        status, headers, data = reply
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(OSError):  # whoever asked is gone
            self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Nothing: a test's output is its own."""


class Service:
    """``asked`` are the requests so far; ``release`` ends a slow answer."""

    def __init__(self, answering: Answering) -> None:
        self.asked: list[Asked] = []
        self.answering = answering
        self.release = threading.Event()
        handler = type("Handler", (_Handler,), {"service": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self.release.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def service(answering: Answering) -> Iterator[Service]:
    """Serves until the block ends."""
    one = Service(answering)
    one.start()
    try:
        yield one
    finally:
        one.stop()


def said(*texts: str) -> Answering:
    """A model that answers with each text in turn, and then with the last one again."""
    left = list(texts)

    def answer(_: Asked) -> Reply:
        text = left.pop(0) if len(left) > 1 else left[0]
        return (
            200,
            {},
            msgspec.json.encode({"choices": [{"message": {"role": "assistant", "content": text}}]}),
        )

    return answer


def always(status: int, body: bytes = b"", **headers: str) -> Answering:
    """The same answer to everybody."""
    return lambda _: (status, {name.replace("_", "-"): value for name, value in headers.items()}, body)
