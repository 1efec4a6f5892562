"""`bench routing` on a small repository, against the daemon: what a person with a few cases sees."""

import json
from pathlib import Path

import pytest
from service.conftest import Installation

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
    shown = installation.run("bench", "routing", str(cases), "--project", str(shop))
    assert "navlog: no saving is told: recall is under 0.95" in shown.stdout
    assert "expected, but not in this tree: gone.py" in shown.stderr


def test_a_file_that_is_no_cases_is_a_usage_error(installation: Installation, tmp_path: Path) -> None:
    (tmp_path / "cases.json").write_text("{")
    for name in ("cases.json", "nowhere.json"):
        asked = installation.run("bench", "routing", str(tmp_path / name))
        assert asked.returncode == 2
        assert "cannot be read" in asked.stderr
