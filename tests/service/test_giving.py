"""What a session is given by a real daemon: recorded before, once, explained after; tools, POST, imports."""

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from service.conftest import Installation, running

from navlog.daemon.client import ask, connect
from navlog.schemas.concept import Concept
from navlog.schemas.control import SqlArgs, SqlReply
from navlog.schemas.errors import UsageError
from navlog.schemas.giving import (
    AsOfArgs,
    AsOfReply,
    ExplainArgs,
    ExplainReply,
    GiveArgs,
    GiveReply,
    ToolArgs,
    ToolReply,
)
from navlog.schemas.importing import ImportArgs, ImportReply
from navlog.schemas.meaning import (
    Action,
    Candidate,
    CandidatesArgs,
    CandidatesReply,
    ConceptArgs,
    ConceptReply,
    JudgeArgs,
    JudgeReply,
)
from navlog.schemas.wire import HookArgs

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(120)]
FILES = {
    "README.md": "# Shop\n\nShop sells many things to many people in town.\n",
    "shop/till.py": 'def total(prices):\n    """Adds the prices up."""\n    return sum(prices)\n',
    "shop/door.py": "def opens_at():\n    return 9\n",
}


class Shop:
    def __init__(self, installation: Installation, root: Path) -> None:
        self.installation, self.root = installation, root

    def give(self, session: str, task: str = "", moment: Any = "prompt") -> str:
        args = GiveArgs(
            task=task, project=str(self.root), session=session, host="h", moment=moment, wait_ms=20_000
        )
        return ask(self.installation.home, "give", GiveReply, args).block

    def tool(self, name: str, **arguments: Any) -> ToolReply:
        args = ToolArgs(
            name=name, arguments=msgspec.Raw(msgspec.json.encode(arguments)), folder=str(self.root)
        )
        return ask(self.installation.home, "tool", ToolReply, args)

    def concept(self, name: str) -> Concept:
        args = ConceptArgs(concept=name, project=str(self.root))
        return ask(self.installation.home, "concept-show", ConceptReply, args).concept

    def candidates(self) -> list[Candidate]:
        args = CandidatesArgs(project=str(self.root))
        return ask(self.installation.home, "overlay-candidates", CandidatesReply, args).candidates

    def judge(self, action: Action, target: str, **said: Any) -> JudgeReply:
        args = JudgeArgs(action=action, target=target, project=str(self.root), who="ann", **said)
        return ask(self.installation.home, "overlay", JudgeReply, args)

    def count(self, where: str) -> int:
        query = f"SELECT count(*) FROM events WHERE {where}"  # noqa: S608 - a test's own
        return int(ask(self.installation.home, "sql", SqlReply, SqlArgs(query=query)).rows[0][0])


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    root = tmp_path_factory.mktemp("w") / "shop"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    with running(tmp_path_factory) as installation:
        assert installation.run("up", str(root), timeout=60).returncode == 0
        yield Shop(installation, root)


def test_a_session_is_oriented_once(shop: Shop) -> None:
    block = shop.give("oriented", moment="start")
    assert "Shop sells many things" in block
    assert shop.give("oriented", moment="start") == ""
    assert "Shop sells many things" in shop.give("oriented", moment="compact")


def test_a_prompt_is_pointed_to_its_file_and_the_log_knows(shop: Shop) -> None:
    block = shop.give("prompted", "add a discount to the total of the prices")
    assert "- shop/till.py:1  total" in block
    number = block.split()[1].rstrip(">")
    (explained,) = ask(shop.installation.home, "explain", ExplainReply, ExplainArgs(id=number)).injections
    assert (explained.block, explained.exact) == (block, True)
    knew = ask(shop.installation.home, "as-of", AsOfReply, AsOfArgs(position=0, session="prompted")).sessions
    assert "shop/till.py:1" in [piece.pointer for piece in knew[0].pieces]


def test_what_a_hook_did_not_hear_in_the_end_is_given_again(shop: Shop) -> None:
    """On a busy machine the daemon answers in time and its client is gone: it spools the call."""
    task = "add a discount to the total of the prices"
    said = {"hook": "prompt", "session": "deaf", "cwd": str(shop.root), "text": task}
    call = HookArgs(host="h", id="0" * 32, payload=msgspec.Raw(msgspec.json.encode(said)), wait_ms=20_000)
    args = msgspec.json.encode(call)
    with connect(shop.installation.home) as channel, channel.makefile("rb") as lines:
        channel.settimeout(20)
        channel.sendall(b'{"verb": "hook", "trace": "%b", "args": %b}\n' % (call.id.encode(), args))
        assert b"shop/till.py:1" in lines.readline()
    assert "shop/till.py:1" not in shop.give("deaf", task)
    spool = shop.installation.home.spool
    spool.mkdir(mode=0o700, exist_ok=True)
    (spool / "1.json").write_bytes(args)
    until = time.monotonic() + 30
    while list(spool.glob("*.json")) and time.monotonic() < until:
        time.sleep(0.05)
    assert shop.count(f"type = 'injection_given' AND trace = '{call.id}' AND data->>'skipped' = 'late'") == 1
    assert "shop/till.py:1" in shop.give("deaf", task)


def test_a_restart_forgets_nothing_that_was_given(shop: Shop) -> None:
    task = "when does the door open: opens_at"
    assert "shop/door.py" in shop.give("restarted", task)
    shop.installation.run("down")
    assert shop.installation.run("up", str(shop.root), timeout=60).returncode == 0
    assert "shop/door.py" not in shop.give("restarted", task)


def test_posting_a_question_is_recorded_and_getting_is_not(shop: Shop) -> None:
    before = shop.count("type = 'injection_given'")
    body = json.dumps({"task": "total prices", "project": str(shop.root)}).encode()
    assert b"shop/till.py" in http(shop, b"POST /v1/context HTTP/1.1\r\nContent-Length: %d" % len(body), body)
    assert shop.count("type = 'injection_given'") == before + 1
    query = f"GET /v1/context?task=total+prices&project={shop.root} HTTP/1.1".encode()
    assert b"shop/till.py" in http(shop, query)
    assert shop.count("type = 'injection_given'") == before + 1


def http(shop: Shop, head: bytes, body: bytes = b"") -> bytes:
    with socket.socket(socket.AF_UNIX) as channel:
        channel.connect(str(shop.installation.home.socket))
        channel.sendall(head + b"\r\nHost: navlog\r\nConnection: close\r\n\r\n" + body)
        return b"".join(iter(lambda: channel.recv(65536), b""))


def test_tools_answer_with_fenced_data_and_say_what_is_wrong(shop: Shop) -> None:
    assert "- shop/till.py:1  total" in shop.tool("search", words="total").text
    assert shop.tool("context", task="total prices").text.startswith("<navlog ")
    assert shop.tool("nothing").failed
    assert "cannot be read" in shop.tool("search").text
    assert shop.tool("context", task="x", project="/nowhere").failed


def test_a_proposal_moves_nothing_until_a_person_accepts_it(shop: Shop) -> None:
    shop.judge("create", "", label="Till")
    fields = {"concept": "concept:till", "alias": "checkout"}
    reply = shop.tool("propose", judgement="alias_added", fields=fields, why="the readme says so")
    assert not reply.failed
    assert shop.count("type = 'judgement_proposed'") == 1
    assert shop.tool("propose", judgement="alias_added", fields={"concept": "x"}, why="y").failed
    assert "before" in shop.tool("propose", judgement="alias_added", fields=fields, why="again").text
    said = shop.tool("propose", judgement="alias_added", fields={**fields, "concept": "tyll"}, why="y")
    assert (said.failed, "Near: till" in said.text) == (True, True)
    assert "checkout" not in shop.concept("till").aliases
    (waiting,) = [one for one in shop.candidates() if one.by]
    assert "checkout" in waiting.says
    shop.judge("accept", waiting.concept)
    assert "checkout" in shop.concept("till").aliases
    assert not [one for one in shop.candidates() if one.by]
    with pytest.raises(UsageError, match="accepted already"):
        shop.judge("reject", waiting.concept)
    shop.judge("reopen", waiting.concept)
    assert "checkout" not in shop.concept("till").aliases
    shop.judge("accept", waiting.concept)
    assert "checkout" in shop.concept("till").aliases
    shop.judge("reopen", waiting.concept)
    shop.judge("reject", waiting.concept)
    assert "checkout" not in shop.concept("till").aliases
    said = shop.tool("propose", judgement="alias_added", fields=fields, why="the readme says so")
    assert (said.failed, "it is rejected. ann decided." in said.text) == (True, True)
    listed = shop.installation.run("overlay", "list", "--proposals", "--project", str(shop.root)).stdout
    assert "rejected by ann" in listed


def test_what_agentnavi_kept_comes_in_once(shop: Shop, tmp_path: Path) -> None:
    who = {"agent": "codex", "external_session_id": "an1"}
    entries = [
        ("session_upsert", who),
        (
            "task_created",
            {**who, "task_id": "an-t1", "title": "Count the coins", "prompt": "Count the coins"},
        ),
        (
            "task_event",
            {**who, "event_type": "modify", "task_id": None, "paths": ["shop/till.py"], "data": {}},
        ),
        ("task_closed", {"task_id": "an-t1", "status": "completed", "summary": "counted"}),
    ]
    lines = [
        json.dumps({
            "schema_version": 1, "event_id": f"log_{number}", "event_type": type_, "payload": payload,
            "created_at": "2026-01-01T00:00:00+00:00", "project": {"id": "shop", "root": str(shop.root)},
        })
        for number, (type_, payload) in enumerate(entries)
    ]  # fmt: skip
    (tmp_path / "events.jsonl").write_text("\n".join([*lines, "oops {", ""]))
    args = ImportArgs(path=str(tmp_path))
    first = ask(shop.installation.home, "import-agentnavi", ImportReply, args)
    assert (first.entries, first.added, first.known, first.damage) == (4, 5, 0, 1)
    second = ask(shop.installation.home, "import-agentnavi", ImportReply, args)
    assert (second.added, second.known) == (0, 5)
    assert "counted" in shop.installation.run("history", "--project", str(shop.root)).stdout
    assert "Count the coins" in shop.give("after import", "count the coins in the till")


def test_a_transcript_comes_in_as_its_hooks_would_have(shop: Shop, tmp_path: Path) -> None:
    place = {"sessionId": "tr1", "cwd": str(shop.root), "timestamp": "2026-01-01T00:00:00Z"}
    use = {
        "type": "tool_use",
        "id": "toolu_1",
        "name": "Edit",
        "input": {"file_path": str(shop.root / "shop/door.py")},
    }
    rows = [
        {"type": "user", "uuid": "u1", **place, "message": {"content": "Open the door at eight"}},
        {"type": "assistant", "uuid": "u2", **place, "message": {"content": [use]}},
        {"type": "user", "uuid": "u3", **place,
         "message": {"content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "ok"}]}},
    ]  # fmt: skip
    (tmp_path / "tr1.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n" + "\0" * 100 + "\n")
    args = ImportArgs(path=str(tmp_path))
    first = ask(shop.installation.home, "import-transcripts", ImportReply, args)
    assert (first.entries, first.damage, first.skipped) == (3, 1, [])
    assert first.added >= 3
    second = ask(shop.installation.home, "import-transcripts", ImportReply, args)
    assert (second.added, second.known) == (0, first.added)
    assert "Open the door at eight" in shop.installation.run("history", "--project", str(shop.root)).stdout


def test_a_row_over_the_limit_still_says_which_tool_was_used(shop: Shop, tmp_path: Path) -> None:
    place = {"sessionId": "tr2", "cwd": str(shop.root), "timestamp": "2026-01-01T00:00:00Z"}
    use = {"type": "tool_use", "id": "toolu_big", "name": "Bash", "input": {"command": "cat shop/till.py"}}
    result = {"type": "tool_result", "tool_use_id": "toolu_big", "content": "a line\n" * 3_000_000}
    rows = [
        {"type": "user", "uuid": "b1", **place, "message": {"content": "Read the till"}},
        {"type": "assistant", "uuid": "b2", **place, "message": {"content": [use]}},
        {"type": "user", "uuid": "b3", **place, "message": {"content": [result]}},
    ]
    (tmp_path / "tr2.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    reply = ask(shop.installation.home, "import-transcripts", ImportReply, ImportArgs(path=str(tmp_path)))
    assert (reply.entries, reply.damage) == (3, 1)
    assert "of its texts the beginnings were read" in reply.damaged[0].why
    used = "type = 'tool_used' AND data->>'session' = 'tr2' AND data->>'call' = 'toolu_big'"
    assert shop.count(f"{used} AND data->>'kind' = 'read' AND data->>'head' LIKE 'a line%'") == 1


def test_the_project_itself_stays_as_it_was(shop: Shop) -> None:
    found = [path for path in shop.root.rglob("*") if path.is_file()]
    assert {str(path.relative_to(shop.root)) for path in found} == set(FILES)
