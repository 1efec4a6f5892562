"""What slicing and the queue count, read when somebody asks. No label names a project or a path."""

from collections.abc import Callable, Iterator
from datetime import tzinfo

from prometheus_client import Histogram
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from navlog.projections.msu.projection import MsuProjection
from navlog.projections.slicing.heat import COLD

_SECONDS = (0.005, 0.01, 0.03, 0.06, 0.1, 0.18, 0.3, 1.0, 3.0)
_SCORES = (0.1, 0.3, 0.5, 0.8, 1.0, 1.3, 1.6, 2.0, 3.0)


class SlicingMetrics(Collector):
    """``measured`` is told the seconds of each record; ``projection`` gives the one that stands now."""

    def __init__(
        self, projection: Callable[[], MsuProjection], now: Callable[[], float], zone: tzinfo | None
    ) -> None:
        self._projection = projection
        self._now = now
        self._zone = zone
        self._seconds = Histogram(
            "navlog_slicing_seconds", "Time to form a record.", buckets=_SECONDS, registry=None
        )
        self.measured = self._seconds.observe

    def collect(self) -> Iterator[Metric]:
        """A moment's picture of all projects together."""
        projection, now = self._projection(), self._now()
        queue = projection.queue
        hot = [one for project in queue.held() for one in queue.hot(project, now, self._zone)]
        scores = [one.score for one in hot]
        yield from self._seconds.collect()
        yield _gauge("navlog_msu_waiting", "Changes without a record yet.", len(projection.due))
        yield _gauge("navlog_msu_queue_depth", "Records of the last 24 hours.", len(hot))
        age = max((now - one.entry.at for one in hot), default=0.0)
        yield _gauge("navlog_msu_queue_age_seconds", "Age of the oldest of them.", max(0.0, age))
        cold = sum(score < COLD for score in scores) / len(scores) if scores else 0.0
        yield _gauge("navlog_msu_cold_share", f"Share of them with a hot score below {COLD}.", cold)
        counts = [(str(bound), float(sum(score <= bound for score in scores))) for bound in _SCORES]
        yield HistogramMetricFamily(
            "navlog_msu_hot_score", "Hot scores of the records of the last 24 hours.",
            buckets=[*counts, ("+Inf", float(len(scores)))], sum_value=sum(scores),
        )  # fmt: skip

    def describe(self) -> Iterator[Metric]:
        """Nothing: registering must not ask for the queue."""
        yield from ()


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(name, text, value=value)
