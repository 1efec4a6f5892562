"""The page a scraper reads, and that it is documented."""

import re
from pathlib import Path

from navlog.daemon.metrics import Metrics
from navlog.daemon.slicer.metrics import SlicingMetrics
from navlog.projections.msu import MsuProjection
from navlog.schemas.control import LogState, ProjectorState, StatusReply

STATUS = StatusReply(
    pid=1, version="0.1.0", uptime_s=1.5, heartbeat_s=0.0, memory=1, data_home="/d", socket="/s",
    logs=[LogState(name="events", position=7, segments=1, bytes=10)],
    projectors=[ProjectorState(name="graph", position=5, lag=2)],
)  # fmt: skip


def page() -> str:
    metrics = Metrics()
    metrics.watch(lambda: STATUS)
    metrics.registry.register(SlicingMetrics(MsuProjection, lambda: 0.0, None))
    metrics.requests.labels("status", "ok").inc()
    metrics.seconds.labels("status").observe(0.01)
    return metrics.text().decode()


def test_the_state_is_read_when_somebody_asks() -> None:
    shown = page()
    assert 'navlog_log_position{log="events"} 7.0' in shown
    assert 'navlog_projector_lag{projection="graph"} 2.0' in shown
    assert "navlog_up_seconds 1.5" in shown


def test_every_metric_is_documented_and_no_other() -> None:
    text = (Path(__file__).parents[2] / "docs/wire.md").read_text()
    documented = set(re.findall(r"^\| `(navlog_\w+)` \|", text, re.MULTILINE))
    types = [line.split()[2] for line in page().splitlines() if line.startswith("# TYPE")]
    assert documented == {name for name in types if not name.endswith("_created")}
