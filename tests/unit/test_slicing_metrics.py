"""What slicing counts, as a scraper reads it."""

from datetime import UTC

from prometheus_client import CollectorRegistry, generate_latest

from navlog.daemon.slicer.metrics import SlicingMetrics
from navlog.projections.embedding.hashing import HashingEmbedder
from navlog.projections.msu import MsuProjection
from navlog.projections.msu.state import Entry
from navlog.schemas.slices import MsuFormed

NOON = 1_780_000_000.0


def test_the_queue_and_the_time_of_slicing_stand_on_the_page() -> None:
    projection = MsuProjection()
    vector = HashingEmbedder().embed(["a"])[0]
    for position, age_s in ((1, 36_000.0), (2, 60.0)):
        msu = MsuFormed(
            msu=f"{position}", path=f"{position}", content="c", before="", basis="none", slicer="t"
        )
        projection.queue.put("secret-project", [Entry(position, NOON - age_s, msu, vector)])
    metrics = SlicingMetrics(lambda: projection, lambda: NOON, UTC)
    metrics.measured(0.02)
    registry = CollectorRegistry()
    registry.register(metrics)
    page = generate_latest(registry).decode()
    assert "navlog_msu_queue_depth 2.0" in page
    assert "navlog_msu_queue_age_seconds 36000.0" in page
    assert "navlog_msu_waiting 0.0" in page
    assert 'navlog_msu_hot_score_bucket{le="+Inf"} 2.0' in page
    assert 'navlog_slicing_seconds_bucket{le="0.03"} 1.0' in page
    assert "secret-project" not in page
