"""Vectors that a model gave, kept by (model, hash of the text): a cache, and as good as gone when it is lost.

SQLite, since several threads read and one writes, and DuckDB's one instance is for what comes by replay. A
file that cannot be read is dropped.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock

import numpy as np

from navlog.projections.embedding import Embedder, Vectors

_TABLE = "CREATE TABLE IF NOT EXISTS vectors(model TEXT, hash BLOB, vector BLOB, PRIMARY KEY (model, hash))"
MOST = 200_000  # vectors; beyond it the oldest half goes


class Kept:
    """An `Embedder` that asks ``inner`` only for what it was never asked before."""

    def __init__(self, inner: Embedder, file: Path) -> None:
        self.provider = inner.provider
        self.model = inner.model
        self._inner = inner
        self._name = f"{inner.provider}/{inner.model}"
        self._lock = Lock()
        self._db = _opened(file)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """A row a text; raises what the provider raises for those that are new."""
        keys = [sha256(text.encode("utf-8", "replace")).digest() for text in texts]
        known = self._known(keys)
        new = [at for at, key in enumerate(keys) if key not in known]
        if new:
            made = self._inner.embed([texts[at] for at in new])
            fresh = {keys[at]: row for at, row in zip(new, made, strict=True)}
            self._keep(fresh)
            known = {**known, **fresh}
        return np.stack([known[key] for key in keys]) if keys else np.zeros((0, 1), np.float32)

    def close(self) -> None:
        """Lets the file go."""
        with self._lock:
            self._db.close()

    def _known(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        found: dict[bytes, Vectors] = {}
        with self._lock, closing(self._db.cursor()) as cursor:
            for key in keys:
                row = cursor.execute(
                    "SELECT vector FROM vectors WHERE model = ? AND hash = ?", (self._name, key)
                ).fetchone()
                if row:
                    found[key] = np.frombuffer(row[0], np.float32)
        return found

    def _keep(self, fresh: Mapping[bytes, Vectors]) -> None:
        rows = [(self._name, key, row.astype(np.float32).tobytes()) for key, row in fresh.items()]
        with self._lock, suppress(sqlite3.Error), self._db:  # a full disk costs the cache, not the answer
            self._db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
            (count,) = self._db.execute("SELECT count(*) FROM vectors").fetchone()
            if count > MOST:
                self._db.execute(
                    "DELETE FROM vectors WHERE rowid IN (SELECT rowid FROM vectors ORDER BY rowid LIMIT ?)",
                    (count // 2,),
                )


def _opened(file: Path) -> sqlite3.Connection:
    for again in (False, True):
        db = sqlite3.connect(file, check_same_thread=False)
        try:
            db.execute(_TABLE)
            db.execute("SELECT count(*) FROM vectors").fetchone()
        except sqlite3.DatabaseError:
            db.close()
            if again:
                raise
            file.unlink(missing_ok=True)
        else:
            return db
    raise AssertionError("the second try raises or returns")
