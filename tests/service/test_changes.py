"""What was just saved is what the next prompt is told, through the client that hosts call."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import msgspec
import pytest
from service.conftest import Installation, running

from navlog.daemon.client import ask
from navlog.daemon.hosts import hook
from navlog.schemas.control import SqlArgs, SqlReply
from navlog.schemas.giving import ExplainArgs, ExplainReply
from navlog.schemas.wire import HookArgs, HookReply

CLIENT = (sys.executable, "-I", "-S", hook.__file__, "claude-code")
WAIT_S, WAIT_MS = (
    60.0,
    20_000,
)  # for what the daemon does by itself; how fast that is stands in docs/benchmarks.md
TILL = '''def parse_price(text: str) -> int:
    """Reads a price."""
    return int(text)


def unrelated_thing() -> None:
    """Does nothing."""
'''
FILES = {
    "shop/__init__.py": "",
    "shop/till.py": TILL,
    "shop/door.py": "from shop.till import parse_price\n\n\ndef enter(line):\n    return parse_price(line)\n",
    "shop/paint.py": "def colour() -> str:\n    return 'red'\n",
    "tests/test_till.py": "from shop.till import parse_price\n\n\ndef test_price():\n    parse_price('1')\n",
}

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(180)]


class Shop:
    def __init__(self, installation: Installation, root: Path) -> None:
        self.installation, self.root = installation, root

    def payload(self, session: str, name: str, **fields: str) -> bytes:
        call = {"session_id": session, "cwd": str(self.root), "hook_event_name": name, **fields}
        return msgspec.json.encode(call)

    def call(self, session: str, name: str, **fields: str) -> str:
        """What a hook is answered that has all the time it needs."""
        payload = msgspec.Raw(self.payload(session, name, **fields))
        args = HookArgs(host="claude-code", id=uuid4().hex, payload=payload, wait_ms=WAIT_MS)
        return given(ask(self.installation.home, "hook", HookReply, args).stdout)

    def prompt(self, session: str, text: str) -> str:
        """The block that a prompt is given."""
        return self.call(session, "UserPromptSubmit", prompt=text)

    def through_the_client(self, text: str) -> str:
        """The same as a host gets it, which waits 300 ms: on a busy machine it is asked again and again."""
        until = time.monotonic() + WAIT_S
        while "Changed lately" not in (block := self.client(text)):
            assert time.monotonic() < until
        return block

    def client(self, text: str) -> str:
        done = subprocess.run(
            CLIENT, input=self.payload(uuid4().hex, "UserPromptSubmit", prompt=text), capture_output=True,
            env=self.installation.environ, timeout=30, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
        return given(done.stdout.decode())

    def stop(self, session: str, reply: str) -> None:
        """The end of a turn, once its reply was read."""
        before = self.count(session)
        assert self.call(session, "Stop", last_assistant_message=reply) == ""
        self.waits_for(lambda: self.count(session) > before)

    def count(self, session: str) -> int:
        """How many replies of a session were read."""
        where = f"type = 'reply_checked' AND data->>'session' = '{session}'"
        query = f"SELECT count(*) FROM events WHERE {where}"  # noqa: S608 - a test's own
        return int(ask(self.installation.home, "sql", SqlReply, SqlArgs(query=query)).rows[0][0])

    def degraded(self) -> dict[str, str]:
        """The sessions that are given paths only."""
        return {one.session: one.degraded for one in self.installation.status().sessions if one.degraded}

    def waits_for(self, what: Callable[[], bool]) -> None:
        """What the daemon does by itself, in a while."""
        until = time.monotonic() + WAIT_S
        while not what():
            assert time.monotonic() < until
            time.sleep(0.05)

    def records(self) -> int:
        query = "SELECT count(*) FROM msus"
        return int(ask(self.installation.home, "sql", SqlReply, SqlArgs(query=query)).rows[0][0])

    def save(self, path: str, text: str) -> None:
        """Saved, and formed into a record."""
        before = self.records()
        (self.root / path).write_text(text)
        self.waits_for(lambda: self.records() > before)

    def told(self, text: str) -> tuple[str, str]:
        """(session, block) of a new session."""
        session = uuid4().hex
        return session, self.prompt(session, text)


def given(stdout: str) -> str:
    """The block in what a hook prints."""
    said = msgspec.json.decode(stdout) if stdout else {}
    return str(said.get("hookSpecificOutput", {}).get("additionalContext", ""))


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    root = tmp_path_factory.mktemp("w").resolve() / "shop"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    with running(tmp_path_factory) as installation:
        assert installation.run("up", str(root), timeout=60).returncode == 0
        one = Shop(installation, root)
        one.save("shop/till.py", TILL.replace("return int(text)", "return int(text.replace('.', ''))"))
        yield one


def test_the_next_prompt_names_what_was_saved_with_its_call_sites(shop: Shop) -> None:
    block = shop.through_the_client("parse_price returns the wrong number of cents")
    assert "# Changed lately" in block
    assert "- shop/till.py:1  body of parse_price" in block
    assert "return int(text.replace('.', ''))" in block
    assert "call: shop/door.py:5  enter" in block
    assert "test: tests/test_till.py:5  test_price" in block


def test_an_unrelated_prompt_is_not_told(shop: Shop) -> None:
    _, block = shop.told("what does colour in paint.py give back")
    assert "Changed lately" not in block


def test_a_session_is_told_once(shop: Shop) -> None:
    session, _ = shop.told("parse_price returns the wrong number of cents")
    said = [shop.prompt(session, f"is parse_price right now, number {n}") for n in range(3)]
    assert not [block for block in said if "body of parse_price" in block]
    record = shop.installation.run("msu", "list", "--project", str(shop.root), "--json")
    (line,) = [one for one in msgspec.json.decode(record.stdout)["msus"] if one["path"] == "shop/till.py"]
    reply = ask(shop.installation.home, "explain", ExplainReply, ExplainArgs(id=line["msu"], limit=50))
    sessions = [one.given.session for one in reply.injections]
    assert len(sessions) == len(set(sessions))


def test_a_newer_record_of_the_same_file_is_told_again(shop: Shop) -> None:
    session, _ = shop.told("parse_price returns the wrong number of cents")
    shop.save("shop/till.py", TILL.replace("return int(text)", "return round(float(text) * 100)"))
    block = shop.prompt(session, "why does parse_price round floats")
    assert "round(float(text) * 100)" in block


def test_a_session_that_cannot_see_the_code_gets_paths_until_it_can(shop: Shop) -> None:
    task = "parse_price returns the wrong number of cents"
    session = uuid4().hex
    shop.stop(session, "我看不到最新的代码,请把文件贴出来。")
    shop.waits_for(lambda: session in shop.degraded())
    block = shop.prompt(session, task)
    assert "- shop/till.py" in block.splitlines()
    assert "parse_price" not in block
    number = block.split()[1].rstrip(">")
    (given,) = ask(shop.installation.home, "explain", ExplainReply, ExplainArgs(id=number)).injections
    assert given.given.skipped == "paths only: blind"
    assert "paths only: blind" in shop.installation.run("status").stdout
    for _ in range(3):
        shop.stop(session, "`parse_price` in `shop/till.py` strips the dot now.")
    shop.waits_for(lambda: session not in shop.degraded())
    assert "body of parse_price" in shop.prompt(session, task)


def test_a_person_ends_it(shop: Shop) -> None:
    session = uuid4().hex
    shop.stop(session, " ".join(f"`invented_{n}` in `shop/file_{n}.py` is wrong." for n in range(12)))
    shop.waits_for(lambda: session in shop.degraded())
    assert shop.degraded()[session] == "invented"
    done = shop.installation.run("trust", session[:12])
    assert (done.returncode, session in done.stdout) == (0, True)
    assert session not in shop.degraded()
    assert shop.installation.run("trust", session[:12]).returncode == 2
