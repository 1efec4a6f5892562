"""External providers: their answers and failures are events; nothing of theirs stops anything."""

import json
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from navlog.daemon.journal import Journal
from navlog.daemon.proposing import Proposing
from navlog.projections.concepts.state import Project
from navlog.schemas.concepts import ConceptProviderFailed, ConceptsProposed
from navlog.schemas.envelope import Draft
from navlog.schemas.errors import UsageError
from navlog.schemas.settings import Concepts
from support.meaning import ShopWorld

ANSWER = {"concepts": [{"label": "Fulfilment", "files": [{"path": "shop/stock.py"}]}]}


class Log:
    def __init__(self) -> None:
        self.drafts: list[Draft] = []

    def append(self, drafts: list[Draft]) -> "Future[None]":
        self.drafts += drafts
        done: Future[None] = Future()
        done.set_result(None)
        return done


@pytest.fixture
def project(tmp_path: Path) -> Project:
    world = ShopWorld(tmp_path)
    world.run()
    return world.projection.state["p"]


def asked(project: Project, **settings: Any) -> tuple[Any, Log]:
    log = Log()
    made = Proposing(Concepts(**settings), cast("Journal", log), lambda: {"p": project}, lambda: 0.0)
    return made.ask("p", project), log


def program(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "provider.py"
    path.write_text(text)
    return [sys.executable, str(path)]


def test_a_command_is_shown_names_and_its_answer_is_an_event(project: Project, tmp_path: Path) -> None:
    command = program(
        tmp_path,
        f"import sys; open({str(tmp_path / 'q')!r}, 'w').write(sys.stdin.read());"
        f" print({json.dumps(ANSWER)!r})",
    )
    said, log = asked(project, command=command)
    assert isinstance(said, ConceptsProposed)
    assert [one.label for one in said.concepts] == ["Fulfilment"]
    assert [draft.type for draft in log.drafts] == ["concepts_proposed"]
    question = json.loads((tmp_path / "q").read_text())
    assert question["project"] == "p"
    assert "shop/stock.py" in question["files"]
    assert {"path": "docs/payments.md", "title": "Payments"} in question["documents"]
    assert "def reserve" not in json.dumps(question)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("import sys; sys.exit('no model here')", "It ended with 1: no model here"),
        ("print('[')", "Its answer cannot be read"),
        ("print('{\"concepts\": [{}]}')", "missing required field `label`"),
        ("import time; time.sleep(60)", "It gave no answer within 0.3 s."),
        ("print('x' * 300000)", "It printed more than 262,144 bytes."),
    ],
)  # fmt: skip
def test_a_command_that_fails_is_an_event_that_says_why(
    project: Project, tmp_path: Path, text: str, why: str
) -> None:
    timeout_s = 0.3 if "sleep" in text else 20.0
    said, log = asked(project, command=program(tmp_path, text), timeout_s=timeout_s)
    assert isinstance(said, ConceptProviderFailed)
    assert why in said.why
    assert [draft.type for draft in log.drafts] == ["concept_provider_failed"]


def test_a_command_that_is_not_there_and_the_same_failure_again(project: Project) -> None:
    said, log = asked(project, command=["/not/there/at-all"])
    assert "No such file" in said.why
    project.failed["command:at-all"] = said.why
    assert asked(project, command=["/not/there/at-all"])[1].drafts == []
    assert len(log.drafts) == 1


class Chat(BaseHTTPRequestHandler):
    """Answers like an endpoint for chat completions."""

    asked: dict[str, Any]
    reply: tuple[int, Any]

    def do_POST(self) -> None:
        type(self).asked = {
            "path": self.path, "key": self.headers.get("Authorization"),
            "body": json.loads(self.rfile.read(int(self.headers["Content-Length"]))),
        }  # fmt: skip
        status, body = self.reply
        self.send_response(status)
        self.end_headers()
        self.wfile.write(body if isinstance(body, bytes) else json.dumps(body).encode())

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name in the base class
        """Silent."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Chat) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()


def test_an_endpoint_is_asked_as_a_chat(
    project: Project, endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NAVLOG_CONCEPTS_KEY", "k")
    text = "```json\n" + json.dumps(ANSWER) + "\n```"
    Chat.reply = 200, {"choices": [{"message": {"content": text}}]}
    said, _ = asked(project, endpoint=endpoint, model="m")
    assert isinstance(said, ConceptsProposed)
    assert said.provider == "endpoint:m"
    assert (Chat.asked["path"], Chat.asked["key"]) == ("/v1/chat/completions", "Bearer k")
    assert Chat.asked["body"]["model"] == "m"


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ((500, {"error": "full"}), "says 500"),
        ((200, {"choices": []}), "not that of a chat completion"),
        ((200, b"<html>Log in</html>"), "not that of a chat completion"),
        ((200, {"choices": [{"message": {"content": None}}]}), "not that of a chat completion"),
    ],
)
def test_an_endpoint_that_fails_says_why(
    project: Project, endpoint: str, reply: tuple[int, Any], why: str
) -> None:
    Chat.reply = reply
    said, _ = asked(project, endpoint=endpoint, model="m")
    assert why in said.why


def test_what_stands_before_the_host_is_in_no_event(project: Project, endpoint: str) -> None:
    Chat.reply = 500, {}
    said, _ = asked(project, endpoint=endpoint.replace("://", "://me:secret@"))
    assert said.provider == "endpoint:" + endpoint.split("/")[2]
    assert "secret" not in said.why


def test_only_http_is_spoken(project: Project) -> None:
    assert "is no http or https address" in asked(project, endpoint="ftp://there/v1")[0].why


def test_without_a_provider_there_is_none_to_ask(project: Project) -> None:
    with pytest.raises(UsageError, match="No provider is configured"):
        asked(project)


def test_the_same_question_is_not_asked_twice_and_not_before_its_time(
    project: Project, tmp_path: Path
) -> None:
    clock = [0.0]
    log = Log()
    settings = Concepts(command=program(tmp_path, f"print({json.dumps(ANSWER)!r})"), every_s=100.0)
    made = Proposing(settings, cast("Journal", log), lambda: {"p": project}, lambda: clock[0])
    made.react()
    made.react()
    assert len(log.drafts) == 1
    clock[0] = 200.0
    project.proposals[made.provider] = msgspec.json.decode(log.drafts[0].data, type=ConceptsProposed)
    made.react()
    assert len(log.drafts) == 1
    project.concepts = project.concepts[:1]
    made.react()
    assert len(log.drafts) == 2
