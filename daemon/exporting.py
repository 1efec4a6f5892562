"""`export`: the records of what changed, with their texts, as Parquet files for a warehouse.

The daemon's DuckDB may write below the data home alone, so the files are made there; whoever asked takes them
away. They hold redacted text and nothing that the tables do not hold.
"""

import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.projections.projector import Projector
from navlog.projections.store import Connection, Store
from navlog.schemas.exports import ExportArgs, ExportedTable, ExportReply

FOLDER = "export"  # below what is derived
KEPT_S = 3600.0  # an export that nobody has taken away by then is given up
_QUERIES = {
    "msus": (
        "SELECT msu, project, path, formed_at, position, cause, basis, core_tokens, radius_tokens, record"
        " FROM msus WHERE position > {since} ORDER BY position"
    ),
    "msu_changes": (
        "SELECT c.* FROM msu_changes c JOIN msus m USING (msu) WHERE m.position > {since}"
        " ORDER BY m.position, c.line, c.symbol"
    ),
    "msu_members": (
        "SELECT p.*, t.text FROM msu_members p JOIN msus m USING (msu) LEFT JOIN msu_texts t USING (hash)"
        " WHERE m.position > {since} ORDER BY m.position, p.part, p.path, p.line"
    ),
}


class Exporting:
    """``derived``: the folder that the store may write to."""

    def __init__(
        self, store: Store, msu: Projector, derived: Path, now: Callable[[], float] = time.time
    ) -> None:
        self._store = store
        self._msu = msu
        self._folder = derived / FOLDER
        self._now = now

    def verbs(self) -> Verbs:
        """What the server offers."""
        return {"export": Verb(self.export, ExportArgs, looks=False, timeout_s=None)}

    def export(self, args: ExportArgs, _trace: str, report: Report) -> ExportReply:
        """Up to what is folded now; an old one that nobody took away goes, one that is under way stays."""
        self._msu.catch_up(self._msu.goal)
        _sweep(self._folder, self._now())
        folder = self._folder / uuid4().hex
        folder.mkdir(parents=True)
        position = self._msu.position.events
        tables = []
        with self._store.cursor() as db:
            for done, (name, query) in enumerate(_QUERIES.items()):
                report("exporting", done, len(_QUERIES))
                file = folder / f"{name}-{args.since}-{position}.parquet"
                rows = _write(db, query.format(since=args.since), file)
                tables.append(ExportedTable(name=name, file=file.name, rows=rows))
        return ExportReply(folder=str(folder), since=args.since, position=position, tables=tables)


def _sweep(folder: Path, now: float) -> None:
    for left in folder.glob("*"):
        with suppress(FileNotFoundError):  # whoever asked for it has just taken it away
            if now - left.stat().st_mtime > KEPT_S:
                shutil.rmtree(left, ignore_errors=True)


def _write(db: Connection, query: str, file: Path) -> int:
    quoted = str(file).replace("'", "''")
    row = db.execute(f"COPY ({query}) TO '{quoted}' (FORMAT parquet, COMPRESSION zstd)").fetchone()
    return int(row[0]) if row else 0
