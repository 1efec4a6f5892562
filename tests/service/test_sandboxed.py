"""In a sandbox that forbids sockets a real daemon's snapshot answers, and the reason is named."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from service.conftest import Installation, running

from navlog.daemon.launch import start
from navlog.daemon.mcp import stdio
from support.forbidding import CALLS, can_forbid, without
from support.shop import git, make_shop

pytestmark = [
    pytest.mark.slow_start,
    pytest.mark.timeout(120),
    pytest.mark.skipif(not can_forbid(), reason="the kernel takes no seccomp filter from this process"),
]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Installation, Path]]:
    root = make_shop(tmp_path_factory.mktemp("w") / "shop")
    with running(tmp_path_factory) as installation:
        start(installation.home, installation.environ)
        installation.index(root)
        while not list(installation.home.data.glob("snapshots/*.json")):
            time.sleep(0.1)
        yield installation, root


def confined(
    call: int, installation: Installation, root: Path, *command: str, said: str = ""
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        without(call, *command), input=said, capture_output=True, text=True, check=False, cwd=root,
        env=installation.environ, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_a_command_answers_from_the_snapshot_and_says_why(shop: tuple[Installation, Path], call: int) -> None:
    installation, root = shop
    command = (sys.executable, "-I", "-m", "navlog.daemon")
    done = confined(call, installation, root, *command, "context", "pricing total of an order")
    assert done.returncode == 0
    assert "This sandbox forbids the connection to navlog. From its snapshot" in done.stdout
    assert "- shop/pricing/total.py  order_total" in done.stdout
    refused = confined(call, installation, root, *command, "impact", "order_total")
    assert refused.returncode == 75
    assert "may not connect" in refused.stderr
    told = confined(call, installation, root, *command, "doctor")
    assert "sandbox" in told.stdout
    assert "answer from the snapshots of 1 project" in told.stdout
    assert git(root, "status", "--porcelain") == ""


@pytest.mark.parametrize("call", CALLS)
def test_the_mcp_server_answers_from_the_snapshot_and_says_why(
    shop: tuple[Installation, Path], call: int
) -> None:
    installation, root = shop
    asked = {"name": "search", "arguments": {"words": "order total"}}
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked})
    done = confined(call, installation, root, sys.executable, "-I", "-S", stdio.__file__, said=line + "\n")
    (reply,) = map(json.loads, done.stdout.splitlines())
    text = reply["result"]["content"][0]["text"]
    assert not reply["result"]["isError"]
    assert "This sandbox forbids the connection" in text
    assert "- shop/pricing/total.py  order_total" in text
