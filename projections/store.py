"""The one DuckDB instance of the daemon, and the derived files attached to it.

An in-memory main database; one file per projection and generation (``derived/graph-7.duckdb``), attached
under the projection's name. DuckDB's limits hold for the instance and cannot be taken back, so they are set
once, in the order of `LIMITS`, before anything else runs. Refuses to open what another version wrote or what
cannot be read: such a file is dropped and its projection starts from nothing. A path is never used twice.
"""

import os
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from weakref import WeakSet

import duckdb

from navlog.schemas import settings

Connection = duckdb.DuckDBPyConnection
NEXT = "_next"
BUSY_S = 0.02  # between two tries to close a cursor that another thread is in
BUSY_TRIES = 250
_FILE = re.compile(r"([a-z]+)-([0-9]+)\.duckdb")
_ABOUT = """
CREATE TABLE about(version INTEGER, complete BOOLEAN);
CREATE TABLE positions(log VARCHAR, position BIGINT);
"""


class Unusable(Exception):
    """A derived file that is dropped; the text says why."""


class Store:
    """Opens, renews and swaps the derived files below ``home``; every cursor belongs to one instance.

    ``derived``: where they lie instead.

    ``marks``: per log, the highest position any derived file had kept when the store was opened. A log that
    ends before its mark has lost records.
    """

    def __init__(self, home: Path, limits: settings.Store, derived: Path | None = None) -> None:
        self._derived = derived or home / "derived"
        self._paths: dict[str, Path] = {}
        self._highest: dict[str, int] = {}
        self._cursors: WeakSet[Connection] = WeakSet()
        self._guard = threading.RLock()
        log, scratch = home / "log", self._derived / "tmp"
        for folder in (home, log, self._derived, scratch):
            folder.mkdir(mode=0o700, exist_ok=True)
        self._main = duckdb.connect(":memory:")
        for statement in _locks(scratch, [log, self._derived], limits):
            self._main.execute(statement)
        self.marks = self._survey()

    def open(self, name: str, version: int) -> tuple[Connection, str]:
        """A cursor on ``name``'s newest usable generation, and why it is a new one ("" when it is not)."""
        with self._guard:
            why = "there was none"
            for path in sorted(self._generations(name), key=_generation, reverse=True):
                try:
                    self._attach(name, path)
                    _check(self._main, name, version)
                except (duckdb.Error, Unusable) as fault:
                    why = f"{path.name}: {fault}"
                    self._forget(name)
                else:
                    self._paths[name] = path
                    self._sweep(name)
                    return self._cursor(name), ""
            return self.renew(name, version), why

    def renew(self, name: str, version: int) -> Connection:
        """A new, empty generation in the place of the present one."""
        with self._guard:
            self._forget(name)
            self._paths[name] = self._create(name, name, version, complete=True)
            self._sweep(name)
            return self._cursor(name)

    def begin(self, name: str, version: int) -> Connection:
        """A cursor on a new generation that is built beside the present one; `swap` or `abandon` ends it."""
        with self._guard:
            self.abandon(name)
            self._paths[name + NEXT] = self._create(name, name + NEXT, version, complete=False)
            return self._cursor(name + NEXT)

    def swap(self, name: str, built: Connection) -> Connection:
        """Puts the generation behind ``built`` in the place of the present one, while others go on reading.

        From then on ``built`` reads and writes under the projection's own name.
        """
        with self._guard:
            built.execute("UPDATE about SET complete = true")
            built.execute("USE memory")
            path = self._paths.pop(name + NEXT)
            self._main.execute(f"DETACH {name}{NEXT}")
            self._attach(name, path)
            self._paths[name] = path
            self._sweep(name)
            built.execute(f"USE {name}")
            return built

    def abandon(self, name: str) -> None:
        """Forgets a generation that was begun and not swapped in."""
        with self._guard:
            self._forget(name + NEXT)
            self._sweep(name)

    def cursor(self) -> Connection:
        """A cursor of its own for readers: every attached projection's tables, by plain names."""
        with self._guard:
            cursor = self._main.cursor()
            self._cursors.add(cursor)
            cursor.execute(f"SET search_path = '{','.join([*self.names(), 'memory'])}'")
            return cursor

    def names(self) -> list[str]:
        """The projections that are attached."""
        return sorted(name for name in self._paths if not name.endswith(NEXT))

    def close(self) -> None:
        """Writes what is pending and closes the instance, which lives as long as any of its cursors.

        A statement that still runs in another thread, of a replay that nobody waits for, is interrupted.
        """
        with self._guard:
            for cursor in list(self._cursors):
                _end(cursor)
            self._main.close()

    # --- files ------------------------------------------------------------------------------------------

    def _cursor(self, catalog: str) -> Connection:
        cursor = self._main.cursor()
        self._cursors.add(cursor)
        cursor.execute(f"USE {catalog}")
        return cursor

    def _attach(self, catalog: str, path: Path) -> None:
        self._main.execute(f"ATTACH OR REPLACE {_quoted(path)} AS {catalog}")

    def _create(self, name: str, catalog: str, version: int, *, complete: bool) -> Path:
        generation = 1 + max((_generation(path) for path in self._generations(name)), default=0)
        generation = max(generation, self._highest.get(name, 0) + 1)
        self._highest[name] = generation
        path = self._derived / f"{name}-{generation}.duckdb"
        self._attach(catalog, path)
        cursor = self._cursor(catalog)
        cursor.execute(_ABOUT)
        cursor.execute("INSERT INTO about VALUES (?, ?)", [version, complete])
        cursor.close()
        return path

    def _forget(self, catalog: str) -> None:
        self._paths.pop(catalog, None)
        self._main.execute(f"DETACH DATABASE IF EXISTS {catalog}")

    def _sweep(self, name: str) -> None:
        """Deletes every generation that is not attached, with what lies beside it: its log, its image."""
        kept = {path.name for path in self._paths.values()}
        for path in self._generations(name):
            if path.name not in kept:
                path.unlink(missing_ok=True)
        for beside in self._derived.glob(f"{name}-*.duckdb.*"):
            if f"{beside.name.partition('.')[0]}.duckdb" not in kept:
                beside.unlink(missing_ok=True)

    def _generations(self, name: str | None = None) -> Iterator[Path]:
        for entry in list(os.scandir(self._derived)):
            found = _FILE.fullmatch(entry.name)
            if found and name in (None, found[1]):
                self._highest[found[1]] = max(self._highest.get(found[1], 0), int(found[2]))
                yield Path(entry.path)

    def _survey(self) -> dict[str, int]:
        marks = {"events": 0, "overlays": 0}
        for path in list(self._generations()):
            try:
                self._attach("survey", path)
                rows = self._main.execute("SELECT log, position FROM survey.positions").fetchall()
            except duckdb.Error:
                rows = []
            for log, position in rows:
                marks[log] = max(marks.get(log, 0), position)
        self._main.execute("DETACH DATABASE IF EXISTS survey")
        return marks


def _end(cursor: Connection) -> None:
    """DuckDB refuses to close a cursor that is in use, and ends a statement only when it looks up."""
    for _ in range(BUSY_TRIES):
        try:
            cursor.close()
            return
        except duckdb.OperationalError:
            cursor.interrupt()
            time.sleep(BUSY_S)


def _check(main: Connection, catalog: str, version: int) -> None:
    row = main.execute(f"SELECT version, complete FROM {catalog}.about").fetchone()  # noqa: S608
    if row is None or row[0] != version:
        raise Unusable(f"version {row and row[0]} is not {version}")
    if not row[1]:
        raise Unusable("its replay was not finished")


def _locks(scratch: Path, folders: list[Path], limits: settings.Store) -> Iterator[str]:
    """The order matters: each of the last three forbids to change what stands before it."""
    yield f"SET threads = {limits.threads}"
    yield "SET python_enable_replacements = false"
    yield "SET autoinstall_known_extensions = false"
    yield "SET autoload_known_extensions = false"
    yield "SET allow_community_extensions = false"
    yield f"SET temp_directory = {_quoted(scratch)}"
    yield f"SET memory_limit = '{limits.memory_mb}MiB'"
    # Its allocator gives back what is free when it is called again, so at rest never: unless a thread does.
    yield "SET allocator_background_threads = true"
    yield f"SET allowed_directories = [{', '.join(_quoted(folder) for folder in folders)}]"
    yield "SET enable_external_access = false"
    yield "SET lock_configuration = true"


def _generation(path: Path) -> int:
    return int(path.stem.rpartition("-")[2])


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
