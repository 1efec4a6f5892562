"""The positions pass the suite that ships with the eventsourcing library."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from eventsourcing.persistence import Tracking
from eventsourcing.tests import persistence

from navlog.projections.positions import Positions, read_positions
from navlog.projections.store import Store
from navlog.projections.tracking import PositionRecorder
from navlog.schemas import settings


class TestPositionsAsTrackingRecorder(persistence.TrackingRecorderTestCase):
    """Collected from the library: its tests are the attributes named test_…."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.store = Store(Path(folder.name), settings.Store())
        self.addCleanup(self.store.close)
        super().setUp()

    def create_recorder(self) -> PositionRecorder:
        return PositionRecorder(self.store.renew("graph", 1))


def test_the_suite_really_has_tests(request: pytest.FixtureRequest) -> None:
    suite: Any = TestPositionsAsTrackingRecorder
    shipped = {name for name in dir(persistence.TrackingRecorderTestCase) if name.startswith("test_")}
    collected = {item.name for item in request.session.items if getattr(item, "cls", None) is suite}
    assert shipped >= {"test_insert_tracking", "test_wait"}
    assert not collected or collected == shipped  # a worker may hold a part of the session only


def test_what_is_tracked_is_the_projectors_position(tmp_path: Path) -> None:
    store = Store(tmp_path, settings.Store())
    db = store.renew("graph", 1)
    PositionRecorder(db).insert_tracking(Tracking("events", 7))
    assert read_positions(db) == Positions(7, 0)
    store.close()
