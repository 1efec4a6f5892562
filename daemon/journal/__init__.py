"""The log: sealed lines in segments, one writer, and what was acknowledged is there for good.

Knows nothing of what a payload means. The byte format and the rules of recovery are specified in
docs/log-format.md.
"""

from navlog.daemon.journal.journal import Journal, utc_now
from navlog.daemon.journal.shapes import (
    Condition,
    Damage,
    Fence,
    Item,
    JournalState,
    Receipt,
    Repair,
)
from navlog.daemon.journal.storage import Held, RealStorage, Storage

__all__ = [
    "Condition",
    "Damage",
    "Fence",
    "Held",
    "Item",
    "Journal",
    "JournalState",
    "RealStorage",
    "Receipt",
    "Repair",
    "Storage",
    "utc_now",
]
