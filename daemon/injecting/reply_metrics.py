"""What replies refer to, and who is given paths only, read when somebody asks. No label names a session."""

from collections import Counter as Count
from collections.abc import Callable, Iterator, Mapping

from prometheus_client import Counter
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from navlog.schemas.replies import ReplyChecked

REASONS = ("blind", "invented")


class ReplyMetrics(Collector):
    """``degraded`` gives the sessions that are given paths only, each with why."""

    def __init__(self, degraded: Callable[[], Mapping[str, str]]) -> None:
        self._degraded = degraded
        self._references, self._hallucinated = (
            Counter(f"navlog_{name}", text, ("variant",), registry=None)
            for name, text in (
                ("references", "Files and definitions that replies referred to."),
                ("hallucinated_references", "Those of them that are not in the project."),
            )
        )

    def counted(self, checked: ReplyChecked) -> None:
        """A reply was checked."""
        self._references.labels(checked.variant).inc(checked.references)
        self._hallucinated.labels(checked.variant).inc(checked.invented)

    def collect(self) -> Iterator[Metric]:
        """A moment's picture."""
        yield from self._references.collect()
        yield from self._hallucinated.collect()
        reasons = Count(self._degraded().values())
        family = GaugeMetricFamily(
            "navlog_degraded_sessions", "Sessions that are given paths only.", labels=["why"]
        )
        for why in REASONS:
            family.add_metric([why], reasons[why])
        yield family

    def describe(self) -> Iterator[Metric]:
        """Nothing: registering must not ask for sessions."""
        yield from ()
