"""What was just saved is what the next prompt is told, through the client that hosts call."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import msgspec
import pytest
from service.conftest import Installation, running

from navlog.daemon.client import ask
from navlog.daemon.hosts import hook
from navlog.schemas.control import SqlArgs, SqlReply
from navlog.schemas.giving import ExplainArgs, ExplainReply

CLIENT = (sys.executable, "-I", "-S", hook.__file__, "claude-code")
WAIT_S = 20.0  # for what the daemon does by itself; how fast that is stands in docs/benchmarks.md
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

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(120)]


class Shop:
    def __init__(self, installation: Installation, root: Path) -> None:
        self.installation, self.root = installation, root

    def prompt(self, session: str, text: str) -> str:
        """What the hook prints for a prompt."""
        call = {
            "session_id": session, "cwd": str(self.root), "hook_event_name": "UserPromptSubmit",
            "prompt": text,
        }  # fmt: skip
        done = subprocess.run(
            CLIENT, input=msgspec.json.encode(call), capture_output=True, check=False,
            env=self.installation.environ, timeout=30,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
        said = msgspec.json.decode(done.stdout) if done.stdout else {}
        return str(said.get("hookSpecificOutput", {}).get("additionalContext", ""))

    def records(self) -> int:
        query = "SELECT count(*) FROM msus"
        return int(ask(self.installation.home, "sql", SqlReply, SqlArgs(query=query)).rows[0][0])

    def save(self, path: str, text: str) -> None:
        """Saved, and formed into a record."""
        before = self.records()
        (self.root / path).write_text(text)
        until = time.monotonic() + WAIT_S
        while self.records() == before:
            assert time.monotonic() < until
            time.sleep(0.02)

    def told(self, text: str) -> tuple[str, str]:
        """(session, block) of a session whose hook was answered in time: on a busy machine not all are."""
        until = time.monotonic() + WAIT_S
        while not (block := self.prompt(session := uuid4().hex, text)):
            assert time.monotonic() < until
        return session, block


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
    _, block = shop.told("parse_price returns the wrong number of cents")
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
    until = time.monotonic() + WAIT_S
    while "round(float(text) * 100)" not in shop.prompt(session, "why does parse_price round floats"):
        assert time.monotonic() < until
