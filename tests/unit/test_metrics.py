"""The page a scraper reads, and that it is documented."""

import re
from pathlib import Path

from msgspec.structs import replace

from navlog.daemon.injecting.metrics import HOUR_S, InjectionMetrics
from navlog.projections.injecting.knowing import LATE
from navlog.schemas.sessions import InjectionGiven, Piece
from support.scraping import GIVEN, families, page, page_of

DOCS = Path(__file__).parents[2] / "docs"
COLD = "\nnavlog_injected_cold_share "


def test_the_state_is_read_when_somebody_asks() -> None:
    shown = page()
    assert 'navlog_log_position{log="events"} 7.0' in shown
    assert 'navlog_projector_lag{projection="graph"} 2.0' in shown
    assert "navlog_up_seconds 1.5" in shown
    assert 'navlog_log_fsync_seconds_bucket{le="0.0025",log="events"} 1.0' in shown


def test_every_metric_is_documented_and_no_other() -> None:
    text = (DOCS / "operating.md").read_text()
    documented = re.findall(r"^\| `(navlog_\w+)` \|", text, re.MULTILINE)
    assert len(documented) == len(set(documented))
    assert set(documented) == families(page())


def test_no_label_tells_a_session_or_a_path() -> None:
    assert "secret" not in page()


def test_an_injection_is_counted_by_what_came_of_it() -> None:
    metrics = InjectionMetrics(lambda _project, _msus: [], lambda: 0.0)
    metrics.measured(GIVEN, "p", 0.02)
    metrics.measured(replace(GIVEN, pieces=[], tokens=0), "p", 0.2)
    metrics.measured(replace(GIVEN, pieces=[], skipped=LATE), "p", 0.2)
    shown = page_of(metrics)
    for outcome in ("given", "nothing", "late"):
        assert f'navlog_injections_total{{moment="prompt",outcome="{outcome}",variant=""}} 1.0' in shown
    assert 'navlog_injection_seconds_bucket{le="0.025",moment="prompt"} 1.0' in shown
    assert 'navlog_injection_seconds_count{moment="prompt"} 3.0' in shown
    assert 'navlog_injection_tokens_sum{moment="prompt",variant=""} 900.0' in shown
    assert 'navlog_injection_tokens_count{moment="prompt",variant=""} 1.0' in shown


def test_the_cold_share_is_of_the_records_given_within_the_hour() -> None:
    clock = [0.0]
    heat = {"msu:cold": 0.1, "msu:hot": 0.9}

    def hot_now(_project: str, msus: set[str]) -> list[float]:
        return [score for msu, score in heat.items() if msu in msus]

    metrics = InjectionMetrics(hot_now, lambda: clock[0])
    assert COLD not in page_of(metrics)
    metrics.measured(given("msu:cold", "msu:unknown"), "p", 0.0)
    assert f"{COLD}1.0" in page_of(metrics)
    clock[0] = HOUR_S / 2
    metrics.measured(given("msu:hot"), "p", 0.0)
    assert f"{COLD}0.5" in page_of(metrics)
    clock[0] = HOUR_S
    assert f"{COLD}0.0" in page_of(metrics)
    clock[0] = HOUR_S * 2
    assert COLD not in page_of(metrics)


def given(*msus: str) -> InjectionGiven:
    pieces = [Piece(msu, "msu", "a.py:1", "h", 9) for msu in msus]
    return replace(GIVEN, pieces=[*pieces, Piece("r", "routing", "b.py:1", "h", 9)])
