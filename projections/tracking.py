"""The positions as the eventsourcing library's TrackingRecorder: the same rows, under its contract.

Apart from `navlog.projections.positions` because the library takes a while to import and the projectors do
without it.
"""

import threading

from eventsourcing.persistence import IntegrityError, Tracking, TrackingRecorder

from navlog.projections.positions import advance, position_of
from navlog.projections.store import Connection


class PositionRecorder(TrackingRecorder):
    """Tracks any number of logs by name in the file behind ``db``; any thread may ask."""

    def __init__(self, db: Connection) -> None:
        super().__init__()
        self._db = db
        self._turn = threading.Lock()

    def insert_tracking(self, tracking: Tracking) -> None:
        """Raises IntegrityError unless this moves the log forward."""
        with self._turn:
            if not advance(self._db, tracking.application_name, tracking.notification_id):
                raise IntegrityError(f"{tracking.application_name} is not before {tracking.notification_id}")

    def max_tracking_id(self, application_name: str) -> int | None:
        """The last position of that log."""
        with self._turn:
            return position_of(self._db, application_name)
