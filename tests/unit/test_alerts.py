"""The alarms and the dashboard name what is there; promtool reads them, and plays the alarms through."""

import json
import re
import shutil
import subprocess
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest

from navlog.schemas.errors import Internal
from support.scraping import families, page, series

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PLAYED = ROOT / "tests/data/alerts/rules_test.yml"
OUTCOMES = {"given", "late", "nothing", Internal("").code}
GIVEN_BY_PROMETHEUS = {"instance", "le"}
_NAMED = re.compile(r"\b(navlog_\w+)(?:\{([^}]*)\})?")
_MATCHER = re.compile(r'(\w+)\s*=~?\s*"([^"]*)"')
_GROUPED = re.compile(r"\bby\s*\(([^)]*)\)")
needs_promtool = pytest.mark.skipif(not shutil.which("promtool"), reason="promtool: apt install prometheus")


def rules() -> list[dict[str, Any]]:
    (group,) = msgspec.yaml.decode((DOCS / "alerts.yml").read_bytes())["groups"]
    found: list[dict[str, Any]] = group["rules"]
    return found


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((DOCS / "dashboard.json").read_text())["panels"]
    return found


def queries() -> list[str]:
    """Every query of the dashboard, as Prometheus gets it."""
    exprs = [target["expr"] for panel in panels() for target in panel.get("targets", ())]
    assert exprs
    return [one.replace("$__rate_interval", "5m").replace("$instance", ".*") for one in exprs]


@pytest.mark.parametrize("expr", [*[rule["expr"] for rule in rules()], *queries()])
def test_a_query_names_metrics_and_labels_that_are_there(expr: str) -> None:
    known = series(page())
    named = _NAMED.findall(expr)
    assert named
    grouped = {label.strip() for group in _GROUPED.findall(expr) for label in group.split(",")}
    for name, matchers in named:
        assert name in known
        asked = dict(_MATCHER.findall(matchers))
        assert set(asked) | grouped <= known[name] | GIVEN_BY_PROMETHEUS
        assert asked.get("outcome", "given") in OUTCOMES


def test_the_dashboard_shows_every_metric() -> None:
    shown = {name for expr in queries() for name, _ in _NAMED.findall(expr)}
    known = families(page())
    left = {one for one in known if not any(name.startswith(one) for name in shown)}
    assert left == set()


def test_panels_have_their_own_places_and_say_what_they_show() -> None:
    ids = [panel["id"] for panel in panels()]
    assert len(ids) == len(set(ids))
    assert all(panel["title"] for panel in panels())
    for one, two in combinations([panel["gridPos"] for panel in panels()], 2):
        beside = one["x"] + one["w"] <= two["x"] or two["x"] + two["w"] <= one["x"]
        below = one["y"] + one["h"] <= two["y"] or two["y"] + two["h"] <= one["y"]
        assert beside or below


def test_every_alarm_waits_and_says_what_is_wrong_and_is_documented() -> None:
    documented = re.findall(r"^\| `([A-Z]\w+)` \|", (DOCS / "operating.md").read_text(), re.MULTILINE)
    assert sorted(documented) == sorted(rule["alert"] for rule in rules())
    for rule in rules():
        assert re.fullmatch(r"[1-9]\d*m", rule["for"])
        assert rule["annotations"]["summary"]


def test_every_alarm_is_played_until_it_fires_and_at_a_time_when_it_does_not() -> None:
    played = msgspec.yaml.decode(PLAYED.read_bytes())["tests"]
    cases = [case for test in played for case in test["alert_rule_test"]]
    alarms = {rule["alert"] for rule in rules()}
    assert {case["alertname"] for case in cases if case["exp_alerts"]} == alarms
    assert {case["alertname"] for case in cases if not case["exp_alerts"]} == alarms


@needs_promtool
def test_promtool_reads_the_rules() -> None:
    promtool("check", "rules", str(DOCS / "alerts.yml"))


@needs_promtool
def test_promtool_finds_nothing_to_say_about_the_page() -> None:
    promtool("check", "metrics", given=page())


@needs_promtool
def test_promtool_plays_the_alarms() -> None:
    promtool("test", "rules", str(PLAYED))


@needs_promtool
def test_promtool_reads_every_query_of_the_dashboard(tmp_path: Path) -> None:
    recorded = [{"record": f"panel:{at}", "expr": expr} for at, expr in enumerate(queries())]
    file = tmp_path / "dashboard.yml"
    file.write_bytes(msgspec.yaml.encode({"groups": [{"name": "dashboard", "rules": recorded}]}))
    promtool("check", "rules", str(file))


def promtool(*words: str, given: str = "") -> None:
    done = subprocess.run(["promtool", *words], input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
