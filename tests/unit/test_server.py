"""The socket's two languages, on a server in this process with small verbs."""

import asyncio
import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec
import pytest

from navlog.daemon.client import ask
from navlog.daemon.dispatch import THREADS, Dispatcher
from navlog.daemon.home import Home
from navlog.daemon.http import BODY_BYTES, Http
from navlog.daemon.metrics import Metrics
from navlog.daemon.server import REQUEST_BYTES, Server
from navlog.daemon.sockets import listen
from navlog.daemon.verbs import Report, Verb
from navlog.schemas.control import DegradedReason, Nothing, StatusReply
from navlog.schemas.errors import DaemonAway, Internal, RequestRefused, TimedOut, UnknownProject
from navlog.schemas.wire import PROTOCOL, ContextArgs, Progress

STATUS = StatusReply(
    pid=1, version="0.1.0", uptime_s=1.0, heartbeat_s=0.0, memory=1, data_home="/d", socket="/s", position=7
)


class Answers:
    """Verbs for tests; ``go`` lets the slow one end, ``ended`` says how it did."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.ended = threading.Event()
        self.status = STATUS

    def verbs(self) -> dict[str, Verb]:
        return {
            "echo": Verb(lambda args, _trace, _report: args, ContextArgs),
            "trace": Verb(lambda _args, trace, _report: {"trace": trace}),
            "fail": Verb(self.fail),
            "bug": Verb(lambda _args, _trace, _report: int("x")),
            "write": Verb(lambda _args, _trace, _report: {"done": True}, looks=False),
            "count": Verb(self.count),
            "slow": Verb(self.slow, timeout_s=0.05),
            "follow": Verb(self.follow, waits=True),
        }

    def fail(self, _args: Nothing, _trace: str, _report: Report) -> object:
        raise UnknownProject("No project there.", hint="navlog up")

    def count(self, _args: Nothing, _trace: str, report: Report) -> object:
        report("counting", 1, 3)
        self.go.wait(5)
        return {"counted": 3}

    def follow(self, _args: Nothing, _trace: str, _report: Report) -> object:
        return {"went": self.go.wait(30)}

    def slow(self, _args: Nothing, _trace: str, report: Report) -> object:
        try:
            while not self.go.wait(0.001):
                report("waiting", 0)
        finally:
            self.ended.set()
        return {}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path, tmp_path / "s", tmp_path / "config.toml")


@pytest.fixture
def answers(home: Home) -> Iterator[Answers]:
    """A server in a thread of its own."""
    answers, ready, stop = Answers(), threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        metrics = Metrics()
        dispatcher = Dispatcher(answers.verbs(), metrics)
        http = Http(dispatcher, lambda: answers.status, metrics.text)
        metrics.watch(lambda: answers.status)
        server = Server(dispatcher, http, str(home.data))
        with listen(home.socket, None) as listening:
            await server.start(listening.socket)
            ready.set()
            await stop.wait()
            await server.close(grace_s=2.0)
        dispatcher.close()
        await loop.shutdown_default_executor()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    assert ready.wait(5)
    yield answers
    answers.go.set()
    loop.call_soon_threadsafe(stop.set)
    thread.join(5)
    loop.close()
    assert not thread.is_alive()


@pytest.fixture
def wire(answers: Answers, home: Home) -> Iterator[socket.socket]:  # noqa: ARG001  the server must run
    with socket.socket(socket.AF_UNIX) as channel:
        channel.settimeout(5)
        channel.connect(os.fspath(home.socket))
        yield channel


def say(wire: socket.socket, data: bytes) -> dict[str, Any]:
    if data:
        wire.sendall(data)
    with wire.makefile("rb") as lines:
        reply: dict[str, Any] = json.loads(lines.readline())
    return reply


def http(wire: socket.socket, request: bytes) -> tuple[int, dict[str, str], bytes]:
    wire.sendall(request)
    with wire.makefile("rb") as stream:
        status = int(stream.readline().split()[1])
        head = dict(line.decode().strip().split(": ", 1) for line in iter(stream.readline, b"\r\n"))
        return status, head, stream.read(int(head["content-length"]))


def get(target: str) -> bytes:
    return f"GET {target} HTTP/1.1\r\nhost: navlog\r\n\r\n".encode()


def post(target: str, body: bytes) -> bytes:
    return f"POST {target} HTTP/1.1\r\nhost: navlog\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body


# --- JSON lines -----------------------------------------------------------------------------------------


def test_a_verb_answers_and_the_reply_carries_the_trace(wire: socket.socket) -> None:
    reply = say(wire, b'{"verb": "trace", "trace": "t-1"}\n')
    assert reply["result"] == {"trace": "t-1"}
    assert reply["trace"] == "t-1"
    assert reply["navlog"] == PROTOCOL


def test_a_trace_is_drawn_when_the_client_sends_none(wire: socket.socket) -> None:
    reply = say(wire, b'{"verb": "trace"}\n')
    assert reply["result"]["trace"] == reply["trace"] != ""


@pytest.mark.parametrize(
    "line",
    [b"nonsense\n", b"{\n", b"[1]\n", b"\xff\xfe\n", b'{"verb": 1}\n', b'{"verb": "a\xff"}\n', b"GET me\n",
     b'{"verb": "x", "y": ' + b"[" * 50_000 + b"\n", b"\0" * 100 + b"\n"],
    ids=range(9),
)  # fmt: skip
def test_a_line_that_is_no_request_gets_an_error_and_the_connection_goes_on(
    wire: socket.socket, line: bytes
) -> None:
    assert say(wire, line)["error"]["code"] == "RequestRefused"
    assert "result" in say(wire, b'{"verb": "trace"}\n')


def test_a_request_of_ten_megabytes_is_refused_and_the_connection_goes_on(wire: socket.socket) -> None:
    reply = say(wire, b'{"verb": "echo", "args": {"task": "' + b"x" * 10_000_000 + b'"}}\n')
    assert f"{REQUEST_BYTES:,}" in reply["error"]["message"]
    assert "result" in say(wire, b'{"verb": "trace"}\n')


def test_a_request_just_under_the_limit_is_answered(wire: socket.socket) -> None:
    task = "x" * (REQUEST_BYTES - 200)
    reply = say(wire, msgspec.json.encode({"verb": "echo", "args": {"task": task}}) + b"\n")
    assert reply["result"]["task"] == task


def test_empty_lines_are_passed_over_and_a_last_line_needs_no_newline(wire: socket.socket) -> None:
    wire.sendall(b'\n\r\n{"verb": "trace"}')
    wire.shutdown(socket.SHUT_WR)
    assert "result" in say(wire, b"")


def test_pipelined_requests_are_answered_in_order(wire: socket.socket) -> None:
    wire.sendall(b"".join(b'{"verb": "trace", "trace": "t%d"}\n' % n for n in range(50)))
    with wire.makefile("rb") as lines:
        assert [json.loads(lines.readline())["trace"] for _ in range(50)] == [f"t{n}" for n in range(50)]


def test_another_protocol_is_refused_but_may_ask_who_we_are(wire: socket.socket) -> None:
    assert "protocol 99" in say(wire, b'{"verb": "echo", "navlog": 99}\n')["error"]["message"]
    assert say(wire, b'{"verb": "status", "navlog": 99}\n')["error"]["message"].startswith("There is no verb")


def test_a_client_that_means_another_data_home_is_refused(wire: socket.socket, home: Home) -> None:
    assert "/elsewhere" in say(wire, b'{"verb": "trace", "home": "/elsewhere"}\n')["error"]["message"]
    assert "result" in say(wire, msgspec.json.encode({"verb": "trace", "home": str(home.data)}) + b"\n")


# --- the client -----------------------------------------------------------------------------------------


def test_of_too_many_connections_the_longest_idle_one_gives_way(
    wire: socket.socket, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("navlog.daemon.server.CONNECTIONS", 2)
    assert say(wire, b'{"verb": "trace"}\n')["result"]
    with ExitStack() as stack:
        others = [stack.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(2)]
        for other in others:
            other.settimeout(5)
            other.connect(str(home.socket))
            assert say(other, b'{"verb": "trace"}\n')["result"]
        assert wire.recv(1) == b""  # it was told by the end of its connection
        assert say(others[0], b'{"verb": "trace"}\n')["result"]


@pytest.mark.usefixtures("answers")
def test_an_error_is_raised_at_the_client_as_it_was_raised(home: Home) -> None:
    with pytest.raises(UnknownProject, match="No project there") as raised:
        ask(home, "fail", dict)
    assert raised.value.hint == "navlog up"


@pytest.mark.usefixtures("answers")
def test_a_fault_in_a_handler_is_named_and_the_daemon_goes_on(home: Home) -> None:
    with pytest.raises(Internal, match="ValueError"):
        ask(home, "bug", dict)
    assert ask(home, "write", dict) == {"done": True}


def test_progress_comes_before_the_result(answers: Answers, home: Home) -> None:
    seen: list[Progress] = []

    def told(now: Progress) -> None:
        seen.append(now)
        answers.go.set()

    assert ask(home, "count", dict, on_progress=told) == {"counted": 3}
    assert seen == [Progress(stage="counting", done=1, total=3)]


def test_a_verb_over_its_time_is_given_up_and_its_handler_ends(answers: Answers, home: Home) -> None:
    with pytest.raises(TimedOut, match=r"0\.05 s"):
        ask(home, "slow", dict)
    assert answers.ended.wait(5)
    assert not answers.go.is_set()


def test_those_who_wait_for_news_keep_nobody_from_an_answer(answers: Answers, home: Home) -> None:
    """`msu tail` asks for 20 seconds at a time; forty of them once stopped every hook and question."""
    with ExitStack() as stack:
        for _ in range(THREADS + 8):
            channel = stack.enter_context(socket.socket(socket.AF_UNIX))
            channel.connect(os.fspath(home.socket))
            channel.sendall(b'{"verb": "follow"}\n')
        for _ in range(3):  # the server takes connections in turn: by now it has read those above
            assert ask(home, "trace", dict[str, str], silence_s=5)["trace"]
        answers.go.set()


def test_a_client_that_leaves_ends_the_long_verb_it_asked_for(answers: Answers, home: Home) -> None:
    with socket.socket(socket.AF_UNIX) as leaving:
        leaving.connect(os.fspath(home.socket))
        leaving.sendall(b'{"verb": "slow"}\n')
    assert answers.ended.wait(5)


@pytest.mark.usefixtures("answers")
def test_a_request_too_long_is_refused_at_the_client_too(home: Home) -> None:
    with pytest.raises(RequestRefused, match="longer"):
        ask(home, "echo", dict, ContextArgs(task="x" * 10_000_000))


def test_no_daemon_and_a_silent_one_are_told_apart(home: Home) -> None:
    with pytest.raises(DaemonAway, match="No daemon is running"):
        ask(home, "status", dict)
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(os.fspath(home.socket))
        silent.listen()
        with pytest.raises(TimedOut):
            ask(home, "status", dict, silence_s=0.05)


# --- HTTP -----------------------------------------------------------------------------------------------


def test_get_and_post_ask_the_same_verb(wire: socket.socket) -> None:
    status, head, body = http(wire, get("/v1/echo?task=%E7%BC%93%E5%AD%98+x&limit=3"))
    assert status == 200
    assert json.loads(body) == {"task": "缓存 x", "project": None, "limit": 3, "budget": None}
    assert head["content-type"] == "application/json"
    assert head["navlog-trace"]
    assert http(wire, post("/v1/echo", b'{"task": "y"}'))[2].startswith(b'{"task":"y"')
    assert http(wire, post("/v1/echo?task=z", b""))[2].startswith(b'{"task":"z"')


def test_get_may_not_ask_for_what_changes_something(wire: socket.socket) -> None:
    status, head, _ = http(wire, get("/v1/write"))
    assert (status, head["allow"]) == (405, "POST")
    assert http(wire, post("/v1/write", b""))[0] == 200


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (get("/v1/nope"), 404),
        (get("/nope"), 404),
        (get("/v1/fail"), 404),
        (get("/v1/bug"), 500),
        (get("/v1/slow"), 504),
        (get("/v1/echo?limit=many"), 400),
        (get("/v1/echo?task=x&projct=1"), 400),
        (get("/v1/echo?task=x&limit=0"), 400),
        (post("/v1/echo", b'{"task": "x", "budget": -1}'), 400),
        (post("/v1/echo", b"{"), 400),
        (post("/health", b""), 405),
        (b"GET / HTTP/1.1\r\nno host\r\n\r\n", 400),
        (b"PUT /v1/echo HTTP/1.1\r\nhost: x\r\n\r\n", 405),
    ],
)
def test_an_error_is_json_with_a_fitting_status(wire: socket.socket, request_: bytes, status: int) -> None:
    got, _, body = http(wire, request_)
    assert got == status
    assert json.loads(body)["error"]["message"]


@pytest.mark.usefixtures("answers")
def test_a_body_of_ten_megabytes_is_refused_announced_or_not(home: Home) -> None:
    head = b"POST /v1/echo HTTP/1.1\r\nhost: x\r\n"
    chunks = b"transfer-encoding: chunked\r\n\r\n" + b"fffff\r\n" + b"x" * 0xFFFFF + b"\r\n"
    for request in (
        head + b"content-length: 10000000\r\n\r\n" + b"x" * 10_000_000,
        head + chunks + (b"fffff\r\n" + b"x" * 0xFFFFF + b"\r\n") * 9 + b"0\r\n\r\n",
    ):
        with socket.socket(socket.AF_UNIX) as wire:
            wire.connect(os.fspath(home.socket))
            status, _, body = http(wire, request)
        assert status == 413
        assert f"{BODY_BYTES:,}" in json.loads(body)["error"]["message"]


def test_a_client_that_waits_for_100_continue_gets_it(wire: socket.socket) -> None:
    wire.sendall(b"POST /v1/echo HTTP/1.1\r\nhost: x\r\ncontent-length: 13\r\nexpect: 100-continue\r\n\r\n")
    assert wire.recv(100).startswith(b"HTTP/1.1 100")
    assert http(wire, b'{"task": "y"}')[2].startswith(b'{"task":"y"')


def test_health_says_whether_anything_is_degraded(answers: Answers, wire: socket.socket) -> None:
    assert http(wire, get("/health"))[0] == 200
    answers.status = msgspec.structs.replace(STATUS, degraded=[DegradedReason(reason="the disk is full")])
    status, _, body = http(wire, get("/health"))
    assert status == 503
    assert json.loads(body)["degraded"][0]["reason"] == "the disk is full"


def test_metrics_count_requests_by_verb_and_outcome_and_never_by_unknown_names(wire: socket.socket) -> None:
    for line in (b'{"verb": "trace"}\n', b'{"verb": "fail"}\n', b'{"verb": "secret-name"}\n'):
        say(wire, line)
    page = http(wire, get("/metrics"))[2].decode()
    assert 'navlog_requests_total{outcome="ok",verb="trace"} 1.0' in page
    assert 'navlog_requests_total{outcome="UnknownProject",verb="fail"} 1.0' in page
    assert 'navlog_requests_total{outcome="RequestRefused",verb="unknown"} 1.0' in page
    assert "secret-name" not in page
    assert "navlog_degraded 0.0" in page
