"""Whether the shared queue answers, and what was put into it; without one the metrics have no values."""

from collections.abc import Callable, Iterator

from prometheus_client import Counter
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector


class SharingMetrics(Collector):
    """``put`` is told how many records were put."""

    def __init__(self) -> None:
        self._puts = Counter("navlog_shared_queue_puts", "Records put into the shared queue.", registry=None)
        self._up: Callable[[], bool] | None = None

    def watch(self, up: Callable[[], bool]) -> None:
        """There is a shared queue, and this says whether it answers."""
        self._up = up

    def put(self, count: int) -> None:
        """So many records were put."""
        self._puts.inc(count)

    def collect(self) -> Iterator[Metric]:
        """A moment's picture."""
        yield from self._puts.collect()
        up = GaugeMetricFamily("navlog_shared_queue_up", "1 while Redis answers, 0 while it does not.")
        if self._up:
            up.add_metric([], float(self._up()))
        yield up
