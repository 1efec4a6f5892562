"""Outlines of blobs, made once and kept in one SQLite file: extraction is most of a benchmark's time."""

import sqlite3
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import msgspec

from benchmarks.routing.repository import Repository
from navlog.daemon.extract import EXTRACTOR, outline
from navlog.schemas.events import OutlineRecorded
from navlog.schemas.settings import Extract

# A benchmark waits for what the daemon would cut short when the machine is busy.
SETTINGS = Extract(parse_s=10.0)


class Outlines:
    """blob and file ending -> outline; ``folder`` is where the cache lies."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(folder / "outlines.sqlite", isolation_level=None, timeout=60)
        self._db.executescript("pragma journal_mode = wal; pragma synchronous = off")
        self._db.execute("create table if not exists outlines (key text primary key, data blob)")
        self._decoder = msgspec.msgpack.Decoder(OutlineRecorded)

    def of(self, repository: Repository, files: Mapping[str, str]) -> dict[str, OutlineRecorded]:
        """path -> outline for path -> blob; what the snapshot lacks is left out."""
        found = {path: data for path, blob in files.items() if (data := self._get(_key(path, blob)))}
        missing: dict[str, list[str]] = {}
        for path in files.keys() - found.keys():
            missing.setdefault(files[path], []).append(path)
        for blob, content in repository.blobs(sorted(missing)):
            for path in missing[blob]:
                found[path] = self._make(_key(path, blob), path, content)
        return {path: self._decoder.decode(zlib.decompress(data)) for path, data in sorted(found.items())}

    def _get(self, key: str) -> bytes | None:
        row = self._db.execute("select data from outlines where key = ?", (key,)).fetchone()
        return row[0] if row else None

    def _make(self, key: str, path: str, content: bytes) -> bytes:
        data = zlib.compress(msgspec.msgpack.encode(outline(path, content, SETTINGS)), 1)
        self._db.execute("insert or replace into outlines values (?, ?)", (key, data))
        return data


def _key(path: str, blob: str) -> str:
    return f"{EXTRACTOR} {blob} {PurePosixPath(path).suffix.lower() or PurePosixPath(path).name}"
