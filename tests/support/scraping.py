"""The page that a scraper reads, with every collector of the daemon on it, and something in each."""

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.registry import Collector

from navlog.daemon.injecting.metrics import InjectionMetrics
from navlog.daemon.injecting.reply_metrics import ReplyMetrics
from navlog.daemon.metrics import LogMetrics, Metrics
from navlog.daemon.sharing.metrics import SharingMetrics
from navlog.daemon.slicer.metrics import SlicingMetrics
from navlog.projections.msu import MsuProjection
from navlog.schemas.control import LogState, ProjectorState, StatusReply
from navlog.schemas.replies import ReplyChecked
from navlog.schemas.sessions import InjectionGiven, Piece

STATUS = StatusReply(
    pid=1, version="0.1.0", uptime_s=1.5, heartbeat_s=0.0, memory=1, data_home="/d", socket="/s",
    logs=[LogState(name="events", position=7, segments=1, bytes=10)],
    projectors=[ProjectorState(name="graph", position=5, lag=2)],
    measures={"": {"injection_recall": 0.5}},
)  # fmt: skip
GIVEN = InjectionGiven(
    injection="1", session="secret-session", host="codex", moment="prompt", position=7, tokens=900,
    pieces=[Piece("msu:1", "msu", "secret.py:1", "h", 9)],
)  # fmt: skip
CHECKED = ReplyChecked(
    session="secret-session", host="codex", references=9, invented=1, missing=["secret.py"]
)


def page() -> str:
    """One request, one fsync and one injection; tests/service compares a real daemon's page."""
    metrics = Metrics()
    metrics.watch(lambda: STATUS)
    metrics.requests.labels("status", "ok").inc()
    metrics.seconds.labels("status").observe(0.01)
    fsyncs = LogMetrics()
    fsyncs.of("events")(0.002)
    injections = InjectionMetrics(lambda _project, _msus: [0.2], lambda: 0.0)
    injections.measured(GIVEN, "p", 0.02)
    slicing = SlicingMetrics(MsuProjection, lambda: 0.0, None)
    sharing = SharingMetrics()
    sharing.watch(lambda: True)
    replies = ReplyMetrics(dict)
    replies.counted(CHECKED)
    for one in (fsyncs, injections, slicing, sharing, replies):
        metrics.registry.register(one)
    return metrics.text().decode()


def page_of(collector: Collector) -> str:
    """One collector's part of the page."""
    registry = CollectorRegistry()
    registry.register(collector)
    return generate_latest(registry).decode()


def families(text: str) -> set[str]:
    """The metrics of a page, by the names that stand in its TYPE lines."""
    types = [line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")]
    return {name for name in types if not name.endswith("_created")}


def series(text: str) -> dict[str, set[str]]:
    """What a query can name: family, or family_bucket and the like -> the labels it has had a value with."""
    found: dict[str, set[str]] = {name: set() for name in families(text)}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, _, rest = line.partition("{")
            labels = {part.partition("=")[0] for part in rest.partition("}")[0].split(",") if "=" in part}
            found.setdefault(name.split(" ")[0], set()).update(labels)
    return found
