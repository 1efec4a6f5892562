"""How far a projection has read, kept in the same file and transaction as what it computed.

The file may be behind by records that change nothing in the projection: they are read again, in vain.

DuckDB's own log drops a damaged tail in silence: because the position goes with the rows, what is lost is
only read again.
"""

from typing import Literal, get_args

import msgspec

from navlog.projections.store import Connection

Log = Literal["events", "overlays"]
LOGS: tuple[Log, ...] = get_args(Log)


class Positions(msgspec.Struct, frozen=True):
    """The last event and the last overlay that are in the tables."""

    events: int = 0
    overlays: int = 0


def moved(positions: Positions, log: Log, position: int) -> Positions:
    """``positions`` with ``log`` at another one."""
    return msgspec.structs.replace(positions, **{log: position})


def read_positions(db: Connection) -> Positions:
    """The positions in the file behind ``db``."""
    return Positions(events=position_of(db, "events") or 0, overlays=position_of(db, "overlays") or 0)


def position_of(db: Connection, log: str) -> int | None:
    """The last position of ``log`` that is in the tables; None when none ever was."""
    row = db.execute("SELECT position FROM positions WHERE log = ?", [log]).fetchone()
    return row[0] if row else None


def advance(db: Connection, log: str, position: int) -> bool:
    """Moves ``log`` to ``position``, in the caller's transaction; False if it was there or beyond."""
    before = position_of(db, log)
    if before is not None and before >= position:
        return False
    db.execute("DELETE FROM positions WHERE log = ?", [log])
    db.execute("INSERT INTO positions VALUES (?, ?)", [log, position])
    return True
