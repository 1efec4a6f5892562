"""What the verb `export` takes and gives."""

import msgspec

from navlog.schemas.bounds import Count


class ExportArgs(msgspec.Struct, frozen=True, kw_only=True):
    """Everything beyond the event ``since``."""

    since: Count = 0


class ExportedTable(msgspec.Struct, frozen=True, kw_only=True):
    """A Parquet file in ``folder`` of the reply."""

    name: str
    file: str
    rows: int


class ExportReply(msgspec.Struct, frozen=True, kw_only=True):
    """``folder`` is the asker's to take away; ``position``: go on from here the next time."""

    folder: str
    since: int
    position: int
    tables: list[ExportedTable]
