"""How far a projection has read, kept in the same file and transaction as what it computed.

DuckDB's own log drops a damaged tail in silence: because the position goes with the rows, what is lost is
only read again.
"""

from typing import Literal

import msgspec

from navlog.projections.store import Connection

Log = Literal["events", "overlays"]


class Positions(msgspec.Struct, frozen=True):
    """The last event and the last overlay that are in the tables."""

    events: int = 0
    overlays: int = 0


def read_positions(db: Connection) -> Positions:
    """The positions in the file behind ``db``."""
    rows = db.execute("SELECT log, position FROM positions WHERE log IN ('events', 'overlays')").fetchall()
    return Positions(**dict(rows))


def write_positions(db: Connection, positions: Positions) -> None:
    """Moves both positions, inside the caller's transaction."""
    db.execute(
        "UPDATE positions SET position = CASE log WHEN 'events' THEN ? ELSE ? END"
        " WHERE log IN ('events', 'overlays')",
        [positions.events, positions.overlays],
    )
