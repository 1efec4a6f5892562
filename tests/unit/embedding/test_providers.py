"""Embedders over HTTP, against a small server that is slow, wrong, broken or busy."""

import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from navlog.daemon.embedding import embedder_of
from navlog.daemon.embedding.keeping import Kept
from navlog.daemon.embedding.providers import BATCH, HttpEmbedder
from navlog.projections.embedding import Vectors
from navlog.projections.embedding.hashing import HashingEmbedder
from navlog.schemas.errors import EmbeddingFailed, UsageError
from navlog.schemas.settings import Embed


class Server(ThreadingHTTPServer):
    """Answers with the length of each text, unless ``reply`` says something else."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, dict[str, Any], str]] = []
        self.status = 200
        self.reply: bytes | None = None
        self.headers: dict[str, str] = {}
        self.held = threading.Event()
        self.held.set()

    def handle_error(self, *_: object) -> None:
        """Whoever does not wait any more closes the line."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = msgspec.json.decode(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, body, self.headers.get("Authorization", "")))
        self.server.held.wait(5)
        reply = self.server.reply if self.server.reply is not None else good(self.path, body["input"])
        self.send_response(self.server.status)
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


def good(path: str, texts: list[str]) -> bytes:
    rows = [[float(len(text)), 1.0] for text in texts]
    if path == "/api/embed":
        return msgspec.json.encode({"embeddings": rows})
    data = [{"embedding": row, "index": index} for index, row in enumerate(rows)]
    return msgspec.json.encode({"data": data[::-1]})  # the order is in the index


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.01,))
        thread.start()
        yield made
        made.held.set()
        made.shutdown()
        thread.join()


def openai(server: Server, timeout: float = 5.0) -> HttpEmbedder:
    return HttpEmbedder("openai", server.url, "small", "secret", timeout)


@pytest.mark.parametrize(
    ("provider", "path"), [("openai", "/v1/embeddings"), ("ollama", "/api/embed")], ids=str
)
def test_each_provider_is_asked_in_its_own_way(server: Server, provider: str, path: str) -> None:
    rows = HttpEmbedder(provider, server.url + "/", "small", "", 5.0).embed(["a", "abc"])
    assert np.allclose(rows, [[0.7071, 0.7071], [0.9487, 0.3162]], atol=1e-4)
    assert server.asked == [(path, {"model": "small", "input": ["a", "abc"]}, "")]


@pytest.mark.parametrize("provider", ["openai", "ollama"])
def test_fewer_numbers_are_asked_for_and_cut_to_where_a_server_gives_all(
    server: Server, provider: str
) -> None:
    short = HttpEmbedder(provider, server.url, "small", "", 5.0, 1)
    assert short.embed(["a", "abc"]).tolist() == [[1.0], [1.0]]
    assert server.asked[0][1] == {"model": "small", "dimensions": 1, "input": ["a", "abc"]}
    assert short.model == "small@1", "kept apart from the vectors of full length"


def test_the_key_goes_along_as_a_bearer_token(server: Server) -> None:
    openai(server).embed(["a"])
    assert server.asked[0][2] == "Bearer secret"


def test_many_texts_go_in_several_requests_and_come_back_in_order(server: Server) -> None:
    texts = ["x" * (number + 1) for number in range(BATCH + 3)]
    rows = openai(server).embed(texts)
    assert [len(body["input"]) for _, body, _ in server.asked] == [BATCH, 3]
    assert (np.diff(rows[:, 0]) > 0).all()


@pytest.mark.parametrize(
    "reply",
    [
        b"", b"<html>", b"{}", b'{"data": []}', b'{"data": [{"embedding": [], "index": 0}]}',
        b'{"data": [{"embedding": ["a"], "index": 0}]}', b'{"data": [{"embedding": [1e999], "index": 0}]}',
        b'{"data": [{"embedding": [1], "index": 0}, {"embedding": [1], "index": 1}]}', b"\xff\xfe",
    ],
    ids=repr,
)  # fmt: skip
def test_a_wrong_answer_is_an_error_and_never_a_vector(server: Server, reply: bytes) -> None:
    server.reply = reply
    with pytest.raises(EmbeddingFailed):
        openai(server).embed(["a"])


def test_vectors_of_several_lengths_are_refused(server: Server) -> None:
    server.reply = b'{"data": [{"embedding": [1], "index": 0}, {"embedding": [1, 2], "index": 1}]}'
    with pytest.raises(EmbeddingFailed, match="several lengths"):
        openai(server).embed(["a", "b"])


def test_one_that_is_too_slow_is_not_waited_for(server: Server) -> None:
    server.held.clear()
    with pytest.raises(EmbeddingFailed, match="did not answer"):
        openai(server, timeout=0.05).embed(["a"])


def test_user_and_password_of_an_address_are_told_nobody() -> None:
    embedder = HttpEmbedder("ollama", "http://me:secret@127.0.0.1:9", "m", "", 1.0)
    with pytest.raises(EmbeddingFailed) as fault:
        embedder.embed(["a"])
    assert "secret" not in str(fault.value)


def test_one_that_is_busy_says_how_long_to_wait(server: Server) -> None:
    server.status, server.reply, server.headers = 429, b"slow down", {"Retry-After": "7"}
    with pytest.raises(EmbeddingFailed) as fault:
        openai(server).embed(["a"])
    assert fault.value.retry_s == 7.0


def test_one_that_is_broken_is_quoted(server: Server) -> None:
    server.status, server.reply = 500, b"out of memory"
    with pytest.raises(EmbeddingFailed, match="500: out of memory"):
        openai(server).embed(["a"])


def test_a_refused_key_leads_to_its_setting(server: Server) -> None:
    server.status, server.reply = 401, b""
    with pytest.raises(EmbeddingFailed) as fault:
        openai(server).embed(["a"])
    assert "key_env" in fault.value.hint


def test_no_text_follows_a_redirect(server: Server) -> None:
    server.status, server.reply, server.headers = 302, b"", {"Location": f"{server.url}/elsewhere"}
    with pytest.raises(EmbeddingFailed, match="302"):
        openai(server).embed(["a"])
    assert len(server.asked) == 1


def test_nobody_there_is_said() -> None:
    with pytest.raises(EmbeddingFailed, match="did not answer"):
        HttpEmbedder("ollama", "http://127.0.0.1:9", "m", "", 1.0).embed(["a"])


def test_an_address_of_another_kind_is_refused() -> None:
    with pytest.raises(UsageError):
        HttpEmbedder("ollama", "file:///etc", "m", "", 1.0).embed(["a"])


# --- kept -----------------------------------------------------------------------------------------------


class Counted(HashingEmbedder):
    """Counts the texts it was asked for."""

    def __init__(self, model: str = "one") -> None:
        self.model = model
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return super().embed(texts)


def test_a_text_is_asked_for_once_even_after_a_restart(tmp_path: Path) -> None:
    file, inner = tmp_path / "v.sqlite", Counted()
    first = Kept(inner, file)
    rows = first.embed(["a b", "c d"])
    first.close()
    again = Kept(inner, file)
    assert (again.embed(["c d", "e f", "a b"])[[2, 0]] == rows).all()
    assert inner.asked == ["a b", "c d", "e f"]
    again.close()


def test_another_model_has_vectors_of_its_own(tmp_path: Path) -> None:
    one, two = Counted("one"), Counted("two")
    for inner in (one, two):
        kept = Kept(inner, tmp_path / "v.sqlite")
        kept.embed(["a b"])
        kept.close()
    assert one.asked == two.asked == ["a b"]


def test_a_damaged_file_is_dropped(tmp_path: Path) -> None:
    file = tmp_path / "v.sqlite"
    file.write_bytes(b"no database " * 100)
    kept = Kept(Counted(), file)
    assert kept.embed(["a b"]).shape[0] == 1
    kept.close()


def test_nothing_asked_is_nothing_given(tmp_path: Path) -> None:
    kept = Kept(Counted(), tmp_path / "v.sqlite")
    assert len(kept.embed([])) == 0
    kept.close()


# --- choosing -------------------------------------------------------------------------------------------


def test_hashing_is_the_default(tmp_path: Path) -> None:
    assert embedder_of(Embed(), tmp_path, {}).provider == "hashing"


def test_a_model_needs_its_address_and_its_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="url and a model"):
        embedder_of(Embed(provider="ollama"), tmp_path, {})


def test_the_key_is_read_from_the_environment(server: Server, tmp_path: Path) -> None:
    settings = Embed(provider="openai", url=server.url, model="small", key_env="MY_KEY")
    embedder = embedder_of(settings, tmp_path, {"MY_KEY": "abc"})
    embedder.embed(["a"])
    assert server.asked[0][2] == "Bearer abc"
    assert isinstance(embedder, Kept)
    embedder.close()
