"""`bench routing` on a small repository, against the daemon: what a person with a few cases sees."""

import json
from pathlib import Path

import msgspec
import pytest
from service.conftest import Installation

from navlog.daemon.client import ask
from navlog.daemon.home import Home
from navlog.schemas.tasks import HistoryArgs, HistoryReply
from navlog.schemas.wire import HookArgs, HookReply
from support.shop import make_shop

pytestmark = [pytest.mark.slow_start, pytest.mark.timeout(90)]


def test_navlog_stands_beside_the_others_on_a_persons_own_cases(
    installation: Installation, tmp_path: Path
) -> None:
    shop = make_shop(tmp_path / "shop")
    cases = tmp_path / "cases.json"
    wanted = {"id": "1", "task": "expire the session cookie", "expected_files": ["shop/sessions/cookies.py"]}
    cases.write_text(json.dumps([wanted, {**wanted, "id": "2", "expected_files": ["gone.py"]}]))
    assert installation.run("up", str(shop)).returncode == 0
    asked = installation.run("bench", "routing", str(cases), "--project", str(shop), "--json")
    assert asked.returncode == 0, asked.stderr
    told = json.loads(asked.stdout)
    ways = {one["way"]: one for one in told["ways"]}
    assert told["missing"] == ["gone.py"]
    assert ways.keys() - {"ripgrep"} == {"full scan", "file names", "BM25", "navlog"}
    assert ways["navlog"]["acc"]["@1"] == 0.5
    assert ways["navlog"]["token_reduction"] is None
    assert ways["full scan"]["tokens"] > ways["navlog"]["tokens"]
    savings = {one["beside"]: one for one in told["savings"]}
    assert (savings["full scan"]["cases"], savings["full scan"]["counted"]) == (2, 1)
    assert 0 < savings["full scan"]["token_reduction"] < 1
    shown = installation.run("bench", "routing", str(cases), "--project", str(shop))
    assert "fewer tokens (1 of 2 cases count)" in shown.stdout
    assert "navlog: no saving is told: recall is under 0.95" in shown.stdout
    assert "expected, but not in this tree: gone.py" in shown.stderr


def test_a_file_that_is_no_cases_is_a_usage_error(installation: Installation, tmp_path: Path) -> None:
    (tmp_path / "cases.json").write_text("{")
    for name in ("cases.json", "nowhere.json"):
        asked = installation.run("bench", "routing", str(tmp_path / name))
        assert asked.returncode == 2
        assert "cannot be read" in asked.stderr


def test_real_runs_are_written_down_and_stand_beside_each_other(
    installation: Installation, tmp_path: Path
) -> None:
    shop = make_shop(tmp_path / "shop")
    cases = tmp_path / "cookies.json"
    wanted = "shop/sessions/cookies.py"
    cases.write_text(json.dumps([{"id": "expire", "task": "expire it", "expected_files": [wanted]}]))
    assert installation.run("up", str(shop)).returncode == 0
    home = installation.home
    for session, read in (("a", [wanted]), ("b", [wanted, "shop/checkout.py"])):
        for number, call in enumerate(_session(session, str(shop), read)):
            _hook(home, f"{session}{number}".zfill(32), call)
    history = ask(home, "history", HistoryReply, HistoryArgs(project=str(shop)))
    tasks = {one.sessions[0]: one.task for one in history.tasks}
    record = ("bench", "record", str(cases), "expire", "--project", str(shop), "--success")
    spent = ("--tokens", "3000", "--turns", "4", "--resident-tokens", "900", "--seconds", "61.5")
    without = installation.run(*record, "--arm", "without", "--task", tasks["b"], *spent)
    assert (without.returncode, without.stderr) == (0, "")
    assert "cookies expire, without navlog: recall 1.00, 2 files read, 0 files changed" in without.stdout
    alone = installation.run("bench", "runs", "--project", str(shop))
    assert "cookies: no case has both runs" in alone.stdout
    done = installation.run(*record, "--arm", "with", "--task", tasks["a"], "--tokens", "1500", "--json")
    assert (json.loads(done.stdout)["read"], json.loads(done.stdout)["needless"]) == ([wanted], 0.0)
    told = json.loads(installation.run("bench", "runs", "--project", str(shop), "--json").stdout)
    (saving,) = told["savings"]
    assert (saving["counted"], saving["tokens"], saving["read"], saving["turns"]) == (1, 0.5, 0.5, None)
    shown = installation.run("bench", "runs", "--project", str(shop)).stdout
    assert "cookies: saved 50.0 % of tokens, 50.0 % of files read (1 of 1 pair of runs)" in shown
    for wrong in (("expire", "nothing"), ("nothing", tasks["a"])):
        case, task = wrong
        asked = ("bench", "record", str(cases), case, "--arm", "with", "--task", task)
        assert installation.run(*asked, "--project", str(shop)).returncode == 2


def _hook(home: Home, name: str, call: dict[str, object]) -> None:
    payload = msgspec.Raw(msgspec.json.encode(call))
    ask(home, "hook", HookReply, HookArgs(host="claude-code", id=name, payload=payload))


def _session(session: str, root: str, read: list[str]) -> list[dict[str, object]]:
    """The hook calls of a session that reads files."""
    call: dict[str, object] = {"session_id": session, "cwd": root}
    used = {**call, "hook_event_name": "PostToolUse", "tool_name": "Read", "tool_response": "x"}
    task = "Expire the session cookie when a user leaves"
    return [
        {**call, "hook_event_name": "SessionStart", "source": "startup"},
        {**call, "hook_event_name": "UserPromptSubmit", "prompt": task},
        *({**used, "tool_use_id": path, "tool_input": {"file_path": f"{root}/{path}"}} for path in read),
    ]
