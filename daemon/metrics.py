"""What the daemon counts, in the Prometheus text format; the house's state is read when somebody asks.

Labels are verbs and outcomes, never paths or texts: a metric is no place for a project's secrets.
"""

from collections.abc import Callable, Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from navlog.schemas.control import StatusReply

MEASURES = {
    "injection_recall": "Of the files that agents changed, the share that had been given to them.",
    "quote_miss_ratio": "Of the pieces that agents used, the share that they did not quote.",
    "ctx_util": "The largest block as a share of the model's window.",
    "alert_injection_recall": "1 while injection_recall is below its limit for long enough.",
    "alert_quote_miss_ratio": "1 while quote_miss_ratio is above its limit for long enough.",
}
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1.0, 5.0, 30.0)

_FSYNC_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)


class Metrics:
    """One registry of its own, so that two daemons in one test process do not meet."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "navlog_requests", "Requests by verb and outcome.", ("verb", "outcome"), registry=self.registry
        )
        self.seconds = Histogram(
            "navlog_request_seconds", "Time to the last reply.", ("verb",),
            buckets=_SECONDS, registry=self.registry,
        )  # fmt: skip
        self.refused_peers = Counter(
            "navlog_refused_peers", "Connections of other users.", registry=self.registry
        )

    def watch(self, status: Callable[[], StatusReply]) -> None:
        """Adds the gauges that are read from the status at every scrape."""
        self.registry.register(_StatusCollector(status))

    def text(self) -> bytes:
        """The page a scraper reads."""
        return generate_latest(self.registry)


class LogMetrics(Collector):
    """How long the fsyncs of each log take; `of` is told the seconds by that log's writer."""

    def __init__(self) -> None:
        self._seconds = Histogram(
            "navlog_log_fsync_seconds", "Time of an fsync of the log.", ("log",),
            buckets=_FSYNC_SECONDS, registry=None,
        )  # fmt: skip

    def of(self, log: str) -> Callable[[float], None]:
        """Where the writer of ``log`` tells."""
        return self._seconds.labels(log).observe

    def collect(self) -> Iterator[Metric]:
        """Every log's."""
        yield from self._seconds.collect()


class _StatusCollector(Collector):
    def __init__(self, status: Callable[[], StatusReply]) -> None:
        self._status = status

    def collect(self) -> Iterator[Metric]:
        now = self._status()
        yield _gauge("navlog_up_seconds", "Since the daemon started.", now.uptime_s)
        yield _gauge("navlog_memory_bytes", "Resident memory.", now.memory)
        yield _gauge("navlog_degraded", "How many things work less than they should.", len(now.degraded))
        yield _gauge("navlog_projects", "Registered projects.", len(now.projects))
        positions = GaugeMetricFamily("navlog_log_position", "Last durable position.", labels=["log"])
        for log in now.logs:
            positions.add_metric([log.name], log.position)
        yield positions
        lags = GaugeMetricFamily("navlog_projector_lag", "Events not yet folded.", labels=["projection"])
        for projector in now.projectors:
            lags.add_metric([projector.name], projector.lag)
        yield lags
        yield from _measures(now.measures)

    def describe(self) -> Iterator[Metric]:
        """Nothing: registering must not ask for the status."""
        yield from ()


def _measures(measures: Mapping[str, Mapping[str, float | None]]) -> Iterator[Metric]:
    """``navlog_injection_recall`` and the like, by variant; what could not be measured is left out."""
    for name, text in MEASURES.items():
        family = GaugeMetricFamily(f"navlog_{name}", text, labels=["variant"])
        for variant, values in measures.items():
            if (value := values.get(name)) is not None:
                family.add_metric([variant], value)
        yield family


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value=value)
