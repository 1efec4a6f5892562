"""What injections count, read when somebody asks. No label names a project, a session or a path."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from threading import Lock

from prometheus_client import Counter, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from navlog.projections.injecting.knowing import LATE
from navlog.projections.slicing.heat import COLD
from navlog.schemas.sessions import InjectionGiven

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.3, 1.0, 5.0)
_TOKENS = (1, 250, 500, 1000, 1500, 2000, 2800, 3600)  # soft target and cap: architecture, answering
HOUR_S = 3600.0
MOST = 10_000  # records given within an hour that are looked back on

Heat = Callable[[str, set[str]], Sequence[float]]


class InjectionMetrics(Collector):
    """``heat`` gives the hot scores of a project's records with these ids now, none of those nobody knows.

    ``now`` is in seconds and never goes back.
    """

    def __init__(self, heat: Heat, now: Callable[[], float]) -> None:
        self._heat = heat
        self._now = now
        self._seconds = Histogram(
            "navlog_injection_seconds", "From the question to the block in the log.", ("moment",),
            buckets=_SECONDS, registry=None,
        )  # fmt: skip
        self._tokens = Histogram(
            "navlog_injection_tokens", "Tokens of a block.", ("moment", "variant"),
            buckets=_TOKENS, registry=None,
        )  # fmt: skip
        self._injections = Counter(
            "navlog_injections", "Injections by what came of them.", ("moment", "outcome", "variant"),
            registry=None,
        )  # fmt: skip
        self._scores: deque[tuple[float, float]] = deque(maxlen=MOST)
        self._lock = Lock()

    def measured(self, event: InjectionGiven, project: str, seconds: float) -> None:
        """An injection that the log has: what it was, and how long it took."""
        outcome = "given" if event.pieces else "late" if event.skipped == LATE else "nothing"
        self._seconds.labels(event.moment).observe(seconds)
        self._injections.labels(event.moment, outcome, event.variant).inc()
        if event.pieces:
            self._tokens.labels(event.moment, event.variant).observe(event.tokens)
        if records := {piece.id for piece in event.pieces if piece.kind == "msu"}:
            now, scores = self._now(), self._heat(project, records)
            with self._lock:
                self._scores.extend((now, score) for score in scores)

    def collect(self) -> Iterator[Metric]:
        """A moment's picture of all sessions together."""
        for one in (self._seconds, self._tokens, self._injections):
            yield from one.collect()
        with self._lock:
            scores = [score for at, score in self._scores if at > self._now() - HOUR_S]
        text = f"Share of the records given within the hour that had a hot score below {COLD} then."
        cold = GaugeMetricFamily("navlog_injected_cold_share", text)
        if scores:
            cold.add_metric([], sum(score < COLD for score in scores) / len(scores))
        yield cold

    def describe(self) -> Iterator[Metric]:
        """Nothing: registering must not ask for scores."""
        yield from ()
