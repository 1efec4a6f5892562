"""Where nobody works there is no worker: the first sign of work brings one, before there is a file."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from service.conftest import Installation, running

from navlog.daemon.hosts import hook

CLIENT = (sys.executable, "-I", "-S", hook.__file__, "claude-code")
READY_S = 2.0
WAIT_S = 20.0

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(90)]


@pytest.fixture(scope="module")
def resting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Installation, Path]]:
    root = tmp_path_factory.mktemp("p").resolve()
    (root / "login.py").write_text("def login(user: str) -> bool:\n    return bool(user)\n")
    with running(tmp_path_factory) as one:
        one.home.settings.parent.mkdir(parents=True, exist_ok=True)
        one.home.settings.write_text(f"[extract]\nidle_s = 0.1\nready_s = {READY_S}\n")
        assert one.run("up").returncode == 0
        one.index(root)
        yield one, root


def workers(one: Installation) -> list[str]:
    """The daemon's child processes."""
    tasks = Path(f"/proc/{one.status().pid}/task").iterdir()
    return [child for task in tasks for child in (task / "children").read_text().split()]


def waits_for(what: Callable[[], bool]) -> None:
    until = time.monotonic() + WAIT_S
    while not what():
        assert time.monotonic() < until
        time.sleep(0.02)


def call(one: Installation, cwd: Path) -> None:
    said = {"session_id": "s", "cwd": str(cwd), "hook_event_name": "UserPromptSubmit", "prompt": "Fix it"}
    subprocess.run(CLIENT, input=msgspec.json.encode(said), env=one.environ, check=True, timeout=30)


def test_a_hook_of_a_project_brings_a_worker_and_rest_ends_it(
    resting: tuple[Installation, Path], tmp_path: Path
) -> None:
    one, root = resting
    waits_for(lambda: not workers(one))
    call(one, tmp_path)  # nobody's project
    assert not workers(one)
    call(one, root)
    waits_for(lambda: bool(workers(one)))
    waits_for(lambda: not workers(one))


def test_a_save_after_a_rest_is_in_the_answer(resting: tuple[Installation, Path]) -> None:
    one, root = resting
    waits_for(lambda: not workers(one))
    (root / "door.py").write_text("def opens_at() -> int:\n    return 9\n")
    waits_for(lambda: [item.symbol for item in one.context("opens at", root).items[:1]] == ["opens_at"])
    assert one.context("opens at", root).stale == ""
